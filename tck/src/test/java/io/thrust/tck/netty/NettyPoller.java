package io.thrust.tck.netty;

import io.netty.channel.ChannelException;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.kqueue.KQueueIoEvent;
import io.netty.channel.kqueue.KQueueIoHandle;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractPoller;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One {@code KQueueIoHandler}, driven by hand. What of the handler shapes this class:
 *
 * <ul>
 *   <li>It collects changes and hands them to the kernel with its next {@code kevent}. The list that it collects them in
 *       is as long as the number of events it fetches, and loses entries when it grows; and an error needs a place among
 *       the events, else the call fails and the handler sleeps for a second. So a {@code kevent} that waits for nothing is
 *       made whenever the list is full ({@link #submit}).
 *   <li>Such a {@code kevent} fetches events too. Those are kept with their sources and reported by the next poll, as are
 *       those for which the batch has no place; in mode LEVEL they are not kept, since the kernel tells them again.
 *   <li>It passes over errors in silence. The one that matters is asked for otherwise: {@link NettySource#isReaderGone}.
 *   <li>Its wake-up does nothing on the thread of its executor, which here is none; and after a wake-up that came while
 *       another was under way it asks {@code canBlock} once more, which therefore answers as of now.
 * </ul>
 */
final class NettyPoller extends AbstractPoller<NettySource> {
    /** More than that are fetched by a further poll. */
    private static final int MAX_EVENTS = 1 << 16;

    /** The longest single wait, which the handler counts in seconds; a longer one is made of several. */
    private static final long MAX_WAIT_NANOS = 86_399_000_000_000L;

    private static final short READ = -1;
    private static final short WRITE = -2;

    private static final int EV_ADD = 0x1;
    private static final int EV_DELETE = 0x2;
    private static final int EV_ENABLE = 0x4;
    private static final int EV_CLEAR = 0x20;
    private static final int EV_DISPATCH = 0x80;
    private static final int EV_EOF = 0x8000;

    /** Bits of {@link NettySource#kept}. */
    private static final int READABLE = 1;

    private static final int WRITABLE = 2;
    private static final int HANGUP = 4;

    private final IoHandler handler;
    private final int listLength;
    private final Waiting waiting = new Waiting();
    private final ArrayDeque<NettySource> kept = new ArrayDeque<>();
    private final ArrayDeque<NettySource> rearmed = new ArrayDeque<>();

    private int submitted;
    private boolean isPolling;
    private @Nullable RuntimeException failure;

    NettyPoller(NettyKqueueProvider provider, int batchCapacity) throws IOException {
        super(provider, NettySource.class, batchCapacity);
        listLength = Math.min(batchCapacity, MAX_EVENTS);
        try {
            handler = KQueueIoHandler.newFactory(listLength, DefaultSelectStrategyFactory.INSTANCE)
                    .newHandler(NoThread.INSTANCE);
        } catch (ChannelException | IllegalStateException e) {
            throw NettyErrors.of("open a kqueue poller", e);
        }
    }

    // ---- registrations

    @Override
    protected void doRegister(NettySource source) throws IOException {
        forget(source);
        try {
            source.registration = handler.register(new Watch(source));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("register " + source + ": " + e.getMessage(), e);
        }
        add(source);
    }

    @Override
    protected void doModify(NettySource source, Interest oldInterest, Mode oldMode) {
        // EV_CLEAR and EV_DISPATCH stay with a filter as long as it exists.
        delete(source, oldInterest);
        forget(source);
        add(source);
    }

    @Override
    protected void doDeregister(NettySource source) {
        delete(source, source.interest());
        forget(source);
        IoRegistration registration = source.registration;
        source.registration = null;
        if (registration != null) {
            registration.cancel();
        }
    }

    private void add(NettySource source) {
        source.armed = true;
        Interest interest = source.interest();
        if (interest.includesRead()) {
            submit(
                    source,
                    READ,
                    EV_ADD
                            | switch (source.mode()) {
                                case EDGE -> EV_CLEAR;
                                case LEVEL -> 0;
                                case ONE_SHOT -> EV_DISPATCH;
                            });
        }
        if (interest.includesWrite()) {
            source.isBroken = source.isReaderGone();
            if (source.isBroken) {
                keep(source, WRITABLE | HANGUP);
            } else {
                submit(
                        source,
                        WRITE,
                        EV_ADD
                                | switch (source.mode()) {
                                    // Else each acknowledgement of what was sent would be an event.
                                    case EDGE -> EV_CLEAR | EV_DISPATCH;
                                    case LEVEL -> 0;
                                    case ONE_SHOT -> EV_DISPATCH;
                                });
            }
        }
    }

    private void delete(NettySource source, Interest interest) {
        if (interest.includesRead()) {
            submit(source, READ, EV_DELETE);
        }
        if (interest.includesWrite() && !source.isBroken) {
            submit(source, WRITE, EV_DELETE);
        }
    }

    private void forget(NettySource source) {
        source.isBroken = false;
        source.kept = 0;
        if (source.isKept) {
            source.isKept = false;
            kept.remove(source);
        }
        if (source.isRearmed) {
            source.isRearmed = false;
            rearmed.remove(source);
        }
    }

    /** Adds to the list of changes, after having it handed over if it is full. */
    private void submit(NettySource source, short filter, int flags) {
        if (submitted == listLength) {
            run(0);
        }
        IoRegistration registration = source.registration;
        if (registration != null) {
            registration.submit(KQueueIoOps.newOps(filter, (short) flags, 0));
            submitted++;
        }
    }

    // ---- polling

    @Override
    protected void doRearm(NettySource source, Interest directions) {
        if (directions.includesWrite() && !source.isRearmed) {
            source.isRearmed = true;
            rearmed.add(source);
        }
    }

    @Override
    protected void doPoll(long timeoutNanos) {
        NettySource next;
        while ((next = rearmed.poll()) != null) {
            next.isRearmed = false;
            if (next.isBroken) {
                keep(next, WRITABLE | HANGUP);
            } else {
                submit(next, WRITE, EV_ENABLE);
            }
        }
        isPolling = true;
        try {
            boolean any = reportKept();
            run(any ? 0 : timeoutNanos);
        } finally {
            isPolling = false;
        }
        RuntimeException thrown = failure;
        if (thrown != null) {
            failure = null;
            throw thrown;
        }
    }

    private void run(long timeoutNanos) {
        waiting.limitNanos = timeoutNanos == FOREVER ? MAX_WAIT_NANOS : Math.min(timeoutNanos, MAX_WAIT_NANOS);
        handler.run(waiting);
        submitted = 0;
    }

    /** Returns whether there was anything, placed or not. */
    private boolean reportKept() {
        boolean any = false;
        for (int left = kept.size(); left > 0 && remaining() > 0; left--) {
            NettySource source = kept.remove();
            source.isKept = false;
            int flags = source.kept;
            source.kept = 0;
            any |= report(source, flags);
            if (source.isBroken && source.mode() == Mode.LEVEL) {
                keep(source, WRITABLE | HANGUP);
            }
        }
        return any || !kept.isEmpty();
    }

    private void keep(NettySource source, int flags) {
        source.kept |= flags;
        if (!source.isKept) {
            source.isKept = true;
            kept.add(source);
        }
    }

    private void fetched(NettySource source, KQueueIoEvent event) {
        boolean eof = (event.flags() & EV_EOF) != 0;
        if (eof) {
            source.brokenBy(event.fflags());
        }
        boolean isRead = event.filter() == READ;
        int flags = isRead ? READABLE : WRITABLE;
        if (eof && (isRead || !source.hasShutDownOutput())) {
            flags |= HANGUP;
        }
        if (isPolling && (remaining() > 0 || isInBatch(source))) {
            report(source, flags);
        } else if (source.mode() != Mode.LEVEL) {
            keep(source, flags);
        }
    }

    private boolean report(NettySource source, int flags) {
        boolean isOneShot = source.mode() == Mode.ONE_SHOT;
        if (isOneShot && !source.armed && !isInBatch(source)) {
            return false;
        }
        boolean reported = addReady(source, (flags & READABLE) != 0, (flags & WRITABLE) != 0, (flags & HANGUP) != 0);
        source.armed &= !reported;
        return reported;
    }

    @Override
    protected void doWakeup() {
        handler.wakeup();
    }

    @Override
    protected void doClose() {
        try {
            // Its registrations are told; the descriptors stay open.
            handler.prepareToDestroy();
        } finally {
            handler.destroy();
        }
    }

    /** A source's place in the handler. */
    private final class Watch implements KQueueIoHandle {
        private final NettySource source;

        Watch(NettySource source) {
            this.source = source;
        }

        @Override
        public int ident() {
            return source.fd.intValue();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            // The handler would answer an exception by sleeping: it waits until the handler has returned.
            try {
                if (source.registration == registration) {
                    fetched(source, (KQueueIoEvent) event);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        @Override
        public void close() {
            // The descriptor is the source's.
        }
    }

    /** How long the present run may wait. */
    private final class Waiting implements IoHandlerContext {
        private long limitNanos;

        @Override
        public boolean canBlock() {
            return limitNanos != 0 && !isWakeupPending();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return limitNanos;
        }

        @Override
        public long deadlineNanos() {
            return System.nanoTime() + limitNanos;
        }
    }

    /** No thread is "the" one: each wake-up is to be sent, and the base class sees to it who may do anything else. */
    private enum NoThread implements ThreadAwareExecutor {
        INSTANCE;

        @Override
        public boolean isExecutorThread(Thread thread) {
            return false;
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    }
}

package io.thrust.epoll;

import io.netty.channel.ChannelException;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.spi.AbstractPoller;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * One epoll instance, driven by hand: {@link #doPoll} runs Netty's handler once, which makes one {@code epoll_wait} (or
 * {@code epoll_pwait2} for a limited time; before Linux 5.11 a wait below 10 ms needs a {@code timerfd_settime} too).
 *
 * <p>Wake-ups use an eventfd of our own, edge-triggered and never read, so that a signal is one write, and a signal that
 * comes too early or too late is only a wait that ends early. Netty's own {@code wakeup} is not used: while one of its
 * signals is outstanding it waits up to a second, whatever the deadline.
 */
final class EpollPoller extends AbstractPoller<EpollSource> {
    /** More than that are fetched by a further poll; bounds the native memory that a huge capacity would take. */
    private static final int MAX_EVENTS = 1 << 20;

    /** The longest single wait; a longer one is made of several. */
    private static final long MAX_WAIT_NANOS = 86_400_000_000_000L;

    final BufferAddress readBuffer = new BufferAddress();
    final BufferAddress writeBuffer = new BufferAddress();

    private final IoHandler handler;
    private final FileDescriptor wakeFd;
    private final WaitContext context = new WaitContext();
    private @Nullable RuntimeException failure;

    EpollPoller(EpollProvider provider, int batchCapacity) throws IOException {
        super(provider, EpollSource.class, batchCapacity);
        String operation = "open an epoll poller";
        try {
            wakeFd = Native.newEventFd();
        } catch (ChannelException e) {
            throw Failures.of(operation, e);
        }
        IoHandler opened = null;
        boolean done = false;
        try {
            reserveDescriptors();
            opened = EpollIoHandler.newFactory(
                            Math.min(batchCapacity, MAX_EVENTS), DefaultSelectStrategyFactory.INSTANCE)
                    .newHandler(OnCallersThread.INSTANCE);
            opened.register(new WakeHandle(wakeFd)).submit(EpollMask.WAKE);
            handler = opened;
            done = true;
        } catch (ChannelException | UncheckedIOException | IllegalStateException e) {
            throw Failures.of(operation, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(operation + ": " + e.getMessage(), e);
        } finally {
            if (!done) {
                if (opened != null) {
                    opened.destroy();
                }
                wakeFd.close();
            }
        }
    }

    /** Fails if the three descriptors that the handler opens are not left: it would lose its event memory then. */
    private static void reserveDescriptors() throws IOException {
        @Nullable FileDescriptor[] reserved = new FileDescriptor[3];
        try {
            for (int i = 0; i < reserved.length; i++) {
                reserved[i] = Native.newEventFd();
            }
        } finally {
            for (FileDescriptor fd : reserved) {
                if (fd != null) {
                    fd.close();
                }
            }
        }
    }

    @Override
    protected void doRegister(EpollSource source) throws IOException {
        if (source.interest() != Interest.NONE) {
            add(source);
        }
    }

    @Override
    protected void doModify(EpollSource source, Interest oldInterest, Mode oldMode) throws IOException {
        IoRegistration registration = source.registration;
        if (source.interest() == Interest.NONE) {
            // HUP and ERR cannot be masked: the source leaves the kernel's set, and stays in the table.
            cancel(registration);
        } else if (registration == null) {
            add(source);
        } else {
            try {
                // Changed or not, this has the kernel look at the readiness anew.
                registration.submit(EpollMask.of(source.interest(), source.mode()));
            } catch (UncheckedIOException e) {
                throw Failures.watching("modify " + source, e);
            }
        }
    }

    private void add(EpollSource source) throws IOException {
        IoRegistration registration;
        try {
            registration = handler.register(new Watch(source));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("register " + source + ": " + e.getMessage(), e);
        }
        boolean done = false;
        try {
            registration.submit(EpollMask.of(source.interest(), source.mode()));
            source.registration = registration;
            done = true;
        } catch (UncheckedIOException e) {
            throw Failures.watching("register " + source, e);
        } finally {
            if (!done) {
                registration.cancel();
            }
        }
    }

    private static void cancel(@Nullable IoRegistration registration) {
        if (registration != null) {
            registration.cancel();
        }
    }

    @Override
    protected void doRearm(EpollSource source, Interest directions) {
        // The kernel reports the next edge anyhow.
    }

    @Override
    protected void doDeregister(EpollSource source) {
        cancel(source.registration);
    }

    @Override
    protected void doPoll(long timeoutNanos) {
        context.limit(timeoutNanos);
        handler.run(context);
        RuntimeException thrown = failure;
        if (thrown != null) {
            failure = null;
            throw thrown;
        }
    }

    @Override
    protected void doWakeup() {
        Native.eventFdWrite(wakeFd.intValue(), 1);
    }

    @Override
    protected void doClose() throws IOException {
        try {
            // Tells each Watch that it is unregistered; their descriptors stay open.
            handler.prepareToDestroy();
        } finally {
            try {
                handler.destroy();
            } finally {
                wakeFd.close();
            }
        }
    }

    private void report(EpollSource source, int events) {
        boolean broken = (events & (EpollMask.ERR | EpollMask.HUP)) != 0;
        boolean hangup = broken || (events & (EpollMask.RDHUP | EpollMask.PRI)) != 0;
        boolean readable = hangup || (events & EpollMask.IN) != 0;
        boolean writable = broken || (events & EpollMask.OUT) != 0;
        addReady(source, readable, writable, hangup);
    }

    /** A source's place in the kernel's set. */
    private final class Watch implements EpollIoHandle {
        private final EpollSource source;

        Watch(EpollSource source) {
            this.source = source;
        }

        @Override
        public FileDescriptor fd() {
            return source.fd;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            // The handler would answer an exception by sleeping: it waits until the handler has returned.
            try {
                report(source, ((EpollIoEvent) event).ops().value());
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        @Override
        public void unregistered() {
            source.registration = null;
        }

        @Override
        public void close() {
            // The descriptor is the source's.
        }
    }

    /** Ends a wait, and that is all. */
    private static final class WakeHandle implements EpollIoHandle {
        private final FileDescriptor fd;

        WakeHandle(FileDescriptor fd) {
            this.fd = fd;
        }

        @Override
        public FileDescriptor fd() {
            return fd;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {}

        @Override
        public void close() {}
    }

    /**
     * How long the present run may wait. The handler takes a deadline for its name only, to tell whether its timer is set
     * to it already, and asks for the wait itself: so each wait is named by a number, and no clock is read here.
     */
    private static final class WaitContext implements IoHandlerContext {
        /** Means no deadline, to the handler; {@code Long.MAX_VALUE} means that, too. */
        private static final long NO_DEADLINE = -1;

        private boolean canBlock;
        private boolean limited;
        private long delayNanos;
        /** Below {@link Long#MAX_VALUE} for the time that any process lives. */
        private long waits;

        void limit(long timeoutNanos) {
            canBlock = timeoutNanos != 0;
            limited = timeoutNanos != FOREVER;
            delayNanos = Math.min(timeoutNanos, MAX_WAIT_NANOS);
            waits++;
        }

        @Override
        public boolean canBlock() {
            return canBlock;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return delayNanos;
        }

        @Override
        public long deadlineNanos() {
            return limited ? waits : NO_DEADLINE;
        }
    }

    /** Every use of the handler is from the thread that the base class lets in, so each is "the" thread. */
    private enum OnCallersThread implements ThreadAwareExecutor {
        INSTANCE;

        @Override
        public boolean isExecutorThread(Thread thread) {
            return true;
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    }
}

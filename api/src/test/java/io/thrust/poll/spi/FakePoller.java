package io.thrust.poll.spi;

import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A poller whose kernel is a script: a doPoll reports what {@link #ready} queued, or waits for a wake-up. */
public final class FakePoller extends AbstractPoller<FakeSource> {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Runs at the start of a method of the backend's. */
    @FunctionalInterface
    public interface Hook {
        void run() throws IOException;
    }

    private final ConcurrentLinkedQueue<Runnable> script = new ConcurrentLinkedQueue<>();
    private final Semaphore signals = new Semaphore(0);
    private final AtomicInteger inside = new AtomicInteger();

    /** The methods of the backend's that were called, with their source. */
    public final List<String> calls = new CopyOnWriteArrayList<>();
    /** Timeouts of the polls. */
    public final List<Long> timeouts = new CopyOnWriteArrayList<>();

    public volatile Hook onPoll = () -> {};
    public volatile Hook onCall = () -> {};
    public volatile Hook onWakeup = () -> {};
    public volatile Hook onClose = () -> {};
    public volatile int wakeups;
    public volatile boolean closed;
    /** Whether two threads were inside at once, or one after doClose. */
    public volatile boolean broken;

    public FakePoller(FakeProvider provider, int batchCapacity) {
        super(provider, FakeSource.class, batchCapacity);
    }

    /** Has the next poll report this; from any thread. */
    public void ready(FakeSource source, boolean readable, boolean writable, boolean hangup) {
        script.add(() -> addReady(source, readable, writable, hangup));
    }

    /** Has a poll that waits return early, for no reason. */
    public void spurious() {
        signals.release();
    }

    private void call(String what, Hook hook) throws IOException {
        if (inside.getAndIncrement() != 0 || closed) {
            broken = true;
        }
        try {
            calls.add(what);
            hook.run();
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    protected void doRegister(FakeSource source) throws IOException {
        call("register " + source, onCall);
    }

    @Override
    protected void doModify(FakeSource source, Interest oldInterest, Mode oldMode) throws IOException {
        call("modify " + source + " " + oldInterest + "->" + source.registeredInterest(), onCall);
    }

    @Override
    protected void doRearm(FakeSource source, Interest directions) {
        // Not counted as inside: this one may run beside a close.
        calls.add("rearm " + source + " " + directions);
        try {
            onCall.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void doDeregister(FakeSource source) throws IOException {
        call("deregister " + source, onCall);
    }

    @Override
    protected void doPoll(long timeoutNanos) throws IOException {
        timeouts.add(timeoutNanos);
        call("poll", () -> {
            onPoll.run();
            if (script.isEmpty() && timeoutNanos != 0) {
                try {
                    boolean signalled = signals.tryAcquire(
                            timeoutNanos == FOREVER ? PATIENCE_NANOS : timeoutNanos, TimeUnit.NANOSECONDS);
                    if (!signalled && timeoutNanos == FOREVER) {
                        throw new AssertionError("nobody woke a poll without limit");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            while (remaining() > 0) {
                Runnable event = script.poll();
                if (event == null) {
                    break;
                }
                event.run();
            }
        });
    }

    @Override
    protected void doWakeup() {
        if (closed) {
            broken = true;
        }
        try {
            onWakeup.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        synchronized (this) {
            wakeups++;
        }
        signals.release();
        if (closed) {
            broken = true;
        }
    }

    @Override
    protected void doClose() throws IOException {
        call("close", onClose);
        closed = true;
    }
}

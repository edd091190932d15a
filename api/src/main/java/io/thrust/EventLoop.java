package io.thrust;

import io.thrust.poll.Interest;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Pollers;
import io.thrust.poll.Source;
import io.thrust.reactor.Reactor;
import io.thrust.reactor.Registration;
import io.thrust.task.Async;
import io.thrust.task.LocalExecutor;
import io.thrust.task.Task;
import io.thrust.task.TaskOptions;
import io.thrust.task.TaskScope;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks, I/O and timers on one thread: the one that first spawns, binds, or runs.
 *
 * <pre>{@code
 * try (EventLoop loop = EventLoop.open()) {
 *     loop.blockOn(TcpStream.connect(address).then(stream -> stream.writeAll(hello)));
 * }
 * }</pre>
 *
 * <p>Only {@link #submit}, {@link #close}, {@link #awaitClosed}, {@link #isClosed} and {@link #provider} may be called from
 * any thread; other calls from another thread throw an {@link IllegalStateException} that names both. The loop starts no
 * thread of its own.
 */
public final class EventLoop implements AutoCloseable {
    private static final ThreadLocal<@Nullable EventLoop> CURRENT = new ThreadLocal<>();

    private final PollerProvider provider;
    private final Reactor reactor;
    private final LocalExecutor executor;

    private EventLoop(PollerProvider provider, Reactor reactor, LongSupplier clock) {
        this.provider = provider;
        this.reactor = reactor;
        this.executor = new LocalExecutor(reactor, clock);
    }

    /**
     * Opens a loop over the poller that the system property {@value io.thrust.poll.Pollers#PROPERTY} names, or over the
     * best one that is available here.
     *
     * @throws io.thrust.poll.PollerSelectionException if there is no such poller
     */
    public static EventLoop open() throws IOException {
        return builder().open();
    }

    /** Opens a loop over a poller of this provider. */
    public static EventLoop open(PollerProvider provider) throws IOException {
        return builder().provider(provider).open();
    }

    /** Returns a builder with the defaults of {@link #open()}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The loop that is running on the present thread.
     *
     * @throws IllegalStateException if there is none: inside a task there is
     */
    public static EventLoop current() {
        EventLoop loop = CURRENT.get();
        if (loop == null) {
            throw new IllegalStateException("no event loop is running on thread \""
                    + Thread.currentThread().getName()
                    + "\": call this inside a task, that is within EventLoop.run or EventLoop.blockOn,"
                    + " or pass the loop itself");
        }
        return loop;
    }

    /** The provider of this loop's poller and sources. */
    public PollerProvider provider() {
        return provider;
    }

    /** The reactor of this loop, for operations of one's own. */
    public Reactor reactor() {
        return reactor;
    }

    /** The executor of this loop. */
    public LocalExecutor executor() {
        return executor;
    }

    /**
     * The present time of this loop's clock, that of {@link Timers}: nanoseconds since an arbitrary point. As with {@link
     * System#nanoTime} only differences mean something, and two times are compared by subtraction.
     */
    public long nanoTime() {
        return reactor.nanoTime();
    }

    /** See {@link LocalExecutor#spawn(Async)}. */
    public <T extends @Nullable Object> Task<T> spawn(Async<T> async) {
        return executor.spawn(async);
    }

    /** See {@link LocalExecutor#spawn(String, Async)}. */
    public <T extends @Nullable Object> Task<T> spawn(String name, Async<T> async) {
        return executor.spawn(name, async);
    }

    /** See {@link LocalExecutor#spawn(TaskOptions, Async)}. */
    public <T extends @Nullable Object> Task<T> spawn(TaskOptions options, Async<T> async) {
        return executor.spawn(options, async);
    }

    /** See {@link LocalExecutor#scope} and {@link TaskScope}. */
    public <T extends @Nullable Object> Async<T> scope(Function<? super TaskScope, ? extends Async<T>> body) {
        return executor.scope(body);
    }

    /**
     * Registers a source of one's own with this loop's reactor, inside of a task or outside: a {@link #close} by another
     * thread takes effect before or after. See {@link Reactor#register}.
     *
     * @throws java.util.concurrent.RejectedExecutionException if this loop is closed
     */
    public Registration register(Source source, Interest interest) throws IOException {
        return executor.call(() -> reactor.register(source, interest));
    }

    /** See {@link LocalExecutor#spawnBackground}. */
    public <T extends @Nullable Object> Task<T> spawnBackground(Async<T> async) {
        return executor.spawnBackground(async);
    }

    /** See {@link LocalExecutor#submit}. */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Async<T> async) {
        return executor.submit(async);
    }

    /** As {@link #submit(Async)}, with a computation that is made on the loop's thread. */
    public <T extends @Nullable Object> CompletableFuture<T> submit(Supplier<? extends Async<T>> supplier) {
        return executor.submit(Async.lazy(supplier));
    }

    /** See {@link LocalExecutor#run}. */
    public void run() {
        @Nullable EventLoop before = enter();
        try {
            executor.run();
        } finally {
            leave(before);
        }
    }

    /** See {@link LocalExecutor#blockOn}. */
    public <T extends @Nullable Object> T blockOn(Async<T> async) throws IOException {
        @Nullable EventLoop before = enter();
        try {
            return executor.blockOn(async);
        } finally {
            leave(before);
        }
    }

    /** See {@link LocalExecutor#turn}. */
    public boolean turn(long maxNanos) {
        @Nullable EventLoop before = enter();
        try {
            return executor.turn(maxNanos);
        } finally {
            leave(before);
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return executor.isClosed();
    }

    /**
     * Cancels all tasks, closes all streams and listeners of this loop, and releases its poller; from any thread. If the
     * loop is running it ends soon, and this returns without waiting for it: see {@link #awaitClosed}. {@link #run}
     * returns then, and {@link #blockOn} throws {@link java.util.concurrent.CancellationException}.
     *
     * <p>If the loop is not running, the calling thread releases everything itself: see to it that the loop's thread does
     * not use its streams and listeners outside of {@link #run}, {@link #blockOn} and {@link #turn} at that moment.
     */
    @Override
    public void close() {
        executor.close();
    }

    /**
     * Waits until everything is released after {@link #close}; from any thread, but not inside of the loop.
     *
     * @return false if the time passed before
     * @throws IllegalStateException if called inside a task of this loop: it would wait for itself
     */
    public boolean awaitClosed(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitClosed(timeout, unit);
    }

    private @Nullable EventLoop enter() {
        EventLoop before = CURRENT.get();
        CURRENT.set(this);
        return before;
    }

    private static void leave(@Nullable EventLoop before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    /** How a loop is opened. */
    public static final class Builder {
        private static final int DEFAULT_BATCH_CAPACITY = 512;

        private @Nullable PollerProvider provider;
        private int batchCapacity = DEFAULT_BATCH_CAPACITY;
        private LongSupplier clock = System::nanoTime;

        private Builder() {}

        /** Over which provider; by default {@link Pollers#select()} decides when the loop is opened. */
        public Builder provider(PollerProvider provider) {
            this.provider = Objects.requireNonNull(provider, "provider");
            return this;
        }

        /** The most sources that are fetched at a time, at least 1; by default 512. */
        public Builder batchCapacity(int batchCapacity) {
            this.batchCapacity = batchCapacity;
            return this;
        }

        /**
         * The clock of the timers: monotonic nanoseconds of any origin; by default {@link System#nanoTime}. One of your
         * own is for tests: it decides when timers fire, how long the loop waits for them, and whether tasks have run long
         * enough for them to have a turn ({@link LocalExecutor#LocalExecutor(io.thrust.task.Parker, LongSupplier)}).
         */
        public Builder clock(LongSupplier clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        public EventLoop open() throws IOException {
            PollerProvider chosen = provider == null ? Pollers.select() : provider;
            Poller poller = chosen.openPoller(batchCapacity);
            return new EventLoop(chosen, new Reactor(poller, clock), clock);
        }
    }
}

package io.thrust.task;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A computation that makes progress only while it is polled, and that opens or starts nothing before its first poll.
 *
 * <p>Whoever polls an {@code Async} owns it, and must poll it until it is ready or throws, or call {@link #cancel} once.
 * A combinator takes over the ones that it is given. All methods are called on one thread, that of the loop; between
 * polls no system call is under way, so after {@code cancel} returns a buffer is the caller's again, and its position
 * tells what was transferred.
 *
 * <p>A result that nobody can take any more, as that of one that a {@link #joinAll} had to give up after it was ready, is
 * closed if it is {@link AutoCloseable}.
 *
 * <p>To write one of your own, extend {@link AbstractAsync}.
 *
 * @param <T> the type of the result
 */
public interface Async<T extends @Nullable Object> {
    /** Returned by {@link #poll}: the result is there. */
    boolean READY = true;

    /** Returned by {@link #poll}: the waker will be called when polling again is worthwhile. */
    boolean PENDING = false;

    /**
     * Makes what progress is possible without waiting. Not called again once it returned {@link #READY} or threw, nor
     * after {@link #cancel}: those of this library refuse it with an {@link IllegalStateException}.
     *
     * @param waker woken after this returned {@link #PENDING}; that of the latest poll counts
     * @return {@link #READY} if {@link #result} may be asked, else {@link #PENDING}
     * @throws Exception if the computation failed
     */
    boolean poll(Waker waker) throws Exception;

    /**
     * The result, after {@link #poll} returned {@link #READY}.
     *
     * @throws IllegalStateException if it is not there
     */
    T result();

    /** Gives the computation up and releases what it holds. Idempotent; does nothing once it has ended. */
    default void cancel() {}

    // ---- making one

    /** Returns one that is ready at once with this value. */
    static <T extends @Nullable Object> Async<T> ready(T value) {
        return new Immediate<>(value, null);
    }

    /** Returns one that fails at once with this exception. */
    static <T extends @Nullable Object> Async<T> failed(Exception failure) {
        return new Immediate<>(null, Objects.requireNonNull(failure, "failure"));
    }

    /** Returns one that makes its computation at the first poll, then goes on as that. */
    static <T extends @Nullable Object> Async<T> lazy(Supplier<? extends Async<T>> supplier) {
        return Chain.lazy(supplier);
    }

    /**
     * Returns one that runs a step again and again for as long as the step's result is true. Steps that are ready at
     * once use no stack, and yield to other tasks in time.
     */
    static Async<@Nullable Void> loop(Supplier<? extends Async<Boolean>> step) {
        return Loop.whileTrue(step);
    }

    /**
     * As {@link #loop}, but runs the step so many times. The results of the steps are dropped, and closed if they are
     * {@link AutoCloseable}.
     *
     * @param times at least 0
     */
    static Async<@Nullable Void> repeat(long times, Supplier<? extends Async<?>> step) {
        return Loop.times(times, step);
    }

    // ---- one after the other

    /** Returns this computation with its result replaced by the function's. */
    default <R extends @Nullable Object> Async<R> map(Function<? super T, ? extends R> function) {
        return Chain.map(this, function);
    }

    /**
     * Returns this computation followed by the one that the function makes of its result.
     *
     * <p>The steps of a chain of {@code lazy}, {@code map}, {@code then} and {@code recover} use no stack, however many
     * there are, nor does a method that goes on by {@code then(x -> itself())}. Other combinators and computations of
     * one's own use some for each that is inside of another.
     */
    default <R extends @Nullable Object> Async<R> then(Function<? super T, ? extends Async<R>> function) {
        return Chain.then(this, function);
    }

    /** Returns this computation, followed, if it throws an exception, by the one that the function makes of that. */
    default Async<T> recover(Function<? super Exception, ? extends Async<T>> function) {
        return Chain.recover(this, Exception.class, function);
    }

    /** As {@link #recover(Function)}, for exceptions of this type; others are passed on. */
    default <E extends Exception> Async<T> recover(Class<E> type, Function<? super E, ? extends Async<T>> function) {
        return Chain.recover(this, type, function);
    }

    // ---- at the end

    /**
     * Returns this computation, which takes the resource over and closes it at its end, whether that is a result, a
     * failure or {@link #cancel}, also before the first poll. If closing fails the computation fails with that, or has it
     * added to its own failure as suppressed; after {@code cancel} it is logged.
     */
    default Async<T> closing(AutoCloseable resource) {
        return new Closing<>(this, resource);
    }

    /**
     * Returns this computation, which runs the action exactly once at its end, whether that is a result, a failure or
     * {@link #cancel}, also before the first poll. An action that throws has the effects of a resource of {@link
     * #closing} that does.
     */
    default Async<T> doFinally(Runnable action) {
        Objects.requireNonNull(action, "action");
        return new Closing<>(this, action::run);
    }

    // ---- several at a time

    /** As {@link #joinAll}, for two of different types; their results are combined by the function. */
    static <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> Async<R> join(
            Async<A> first, Async<B> second, BiFunction<? super A, ? super B, ? extends R> combiner) {
        return JoinAll.join(first, second, combiner);
    }

    /**
     * Returns one that runs all of these at a time, and is ready with their results, in the same order, when all are. Each
     * is polled only after it was woken itself. The first that fails is the failure of all: the others are cancelled.
     */
    static <T extends @Nullable Object> Async<List<T>> joinAll(Collection<? extends Async<? extends T>> asyncs) {
        return new JoinAll<>(asyncs);
    }

    /** As {@link #race(Collection)}, for two. */
    static <T extends @Nullable Object> Async<T> race(Async<? extends T> first, Async<? extends T> second) {
        return new Race<>(List.of(first, second));
    }

    /**
     * Returns one that runs all of these at a time, and ends as the first that ends does, with its result or its failure;
     * the others are cancelled. They are polled in their order, so of several that could end at once it is the first.
     *
     * @param asyncs one at least
     */
    static <T extends @Nullable Object> Async<T> race(Collection<? extends Async<? extends T>> asyncs) {
        return new Race<>(asyncs);
    }

    // ---- other threads

    /**
     * Returns one that waits for this stage, which any thread may complete, and ends as it does; of a {@link
     * java.util.concurrent.CompletionException} the cause is thrown. It takes the stage over: cancelling it cancels the
     * stage if that is a {@link java.util.concurrent.Future}, and a result that comes nevertheless, or is there already, is
     * closed if it is {@link AutoCloseable}.
     *
     * <p>What makes the stage has started already; {@code lazy(() -> from(client.send(request)))} starts it with the first
     * poll.
     */
    static <T extends @Nullable Object> Async<T> from(CompletionStage<? extends T> stage) {
        return new FromStage<>(stage);
    }

    /**
     * Returns one that has the executor call this, from the first poll on, and waits for the result: for what blocks, such
     * as files and the resolution of names. Cancelling it keeps the call from beginning, or interrupts its thread; if the
     * call goes on regardless, its result is closed if it is {@link AutoCloseable}, and what it throws is dropped.
     *
     * @param executor belongs to the caller, who shuts it down; on JDK 21 one of virtual threads will do
     */
    static <T extends @Nullable Object> Async<T> offload(Executor executor, Callable<? extends T> callable) {
        return new Offload<>(executor, callable);
    }

    /**
     * Starts this computation as a task of the executor, at once, and returns its future: {@link LocalExecutor#submit}. May
     * be called from any thread. Cancelling the future cancels the computation, on the executor's thread.
     */
    default CompletableFuture<T> toCompletableFuture(LocalExecutor executor) {
        return executor.submit(this);
    }

    // ---- anything else

    /**
     * Returns what the function makes of this computation, so that operators that are no methods read in the order in
     * which they work: {@code stream.read(buffer).transform(Timers.timeout(limit)).then(...)}.
     */
    default <R extends @Nullable Object> R transform(Function<? super Async<T>, ? extends R> function) {
        return function.apply(this);
    }
}

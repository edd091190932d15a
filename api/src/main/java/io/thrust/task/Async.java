package io.thrust.task;

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
 * @param <T> the type of the result
 */
public interface Async<T extends @Nullable Object> {
    /** Returned by {@link #poll}: the result is there. */
    boolean READY = true;

    /** Returned by {@link #poll}: the waker will be called when polling again is worthwhile. */
    boolean PENDING = false;

    /**
     * Makes what progress is possible without waiting. Not called again once it returned {@link #READY} or threw.
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

    /** Returns one that is ready at once with this value. */
    static <T extends @Nullable Object> Async<T> ready(T value) {
        return new Immediate<>(value, null);
    }

    /** Returns one that fails at once with this exception. */
    static <T extends @Nullable Object> Async<T> failed(Exception failure) {
        return new Immediate<>(null, failure);
    }

    /** Returns one that makes its computation at the first poll, then goes on as that. */
    static <T extends @Nullable Object> Async<T> lazy(Supplier<? extends Async<T>> supplier) {
        return new Lazy<>(supplier);
    }

    /**
     * Returns one that runs a step again and again for as long as the step's result is true. Steps that are ready at
     * once use no stack, and yield to other tasks in time.
     */
    static Async<@Nullable Void> loop(Supplier<? extends Async<Boolean>> step) {
        return new Loop(step);
    }

    /** Returns this computation with its result replaced by the function's. */
    default <R extends @Nullable Object> Async<R> map(Function<? super T, ? extends R> function) {
        return new Then<>(this, value -> ready(function.apply(value)));
    }

    /** Returns this computation followed by the one that the function makes of its result. */
    default <R extends @Nullable Object> Async<R> then(Function<? super T, ? extends Async<R>> function) {
        return new Then<>(this, function);
    }

    /**
     * Returns this computation, which takes the resource over and closes it at its end, whether that is a result, a
     * failure or {@link #cancel}, also before the first poll. If closing fails the computation fails with that, or has it
     * added to its own failure as suppressed; after {@code cancel} it is logged.
     */
    default Async<T> closing(AutoCloseable resource) {
        return new Closing<>(this, resource);
    }
}

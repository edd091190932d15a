package io.thrust.task;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A computation and the steps that follow it: {@link Async#lazy}, {@link Async#map}, {@link Async#then} and {@link
 * Async#recover}.
 *
 * <p>Chains do not nest: a step that is added to a chain, and a chain that is the result of a step, become part of one
 * list. So a long chain, and one that makes itself again as its last step, need no stack, and each poll reaches what is
 * under way at once.
 */
final class Chain<R extends @Nullable Object> extends AbstractAsync<R> {
    /** The computations of one poll that are free; each further one takes a unit of the budget, as a step of a loop. */
    private static final int FREE = 16;

    /** What is under way; null at the start of a lazy one, and at the end. */
    private @Nullable Async<?> current;

    /** What is left to do: the next first, but the latest first before the first poll. */
    private @Nullable Step steps;

    private boolean started;

    /** What the steps have made so far; the result at the end. */
    private @Nullable Object value;

    private Chain(@Nullable Async<?> current, Step steps) {
        this.current = current;
        this.steps = steps;
    }

    static <R extends @Nullable Object> Async<R> lazy(Supplier<? extends Async<R>> supplier) {
        return new Chain<>(null, new LazyStep(supplier));
    }

    static <T extends @Nullable Object, R extends @Nullable Object> Async<R> map(
            Async<T> first, Function<? super T, ? extends R> function) {
        return follow(first, new MapStep(function));
    }

    static <T extends @Nullable Object, R extends @Nullable Object> Async<R> then(
            Async<T> first, Function<? super T, ? extends Async<R>> function) {
        return follow(first, new ThenStep(function));
    }

    static <T extends @Nullable Object, E extends Exception> Async<T> recover(
            Async<T> first, Class<E> type, Function<? super E, ? extends Async<T>> function) {
        return follow(first, new RecoverStep(type, function));
    }

    private static <R extends @Nullable Object> Async<R> follow(Async<?> first, Step step) {
        if (first instanceof Chain<?> chain && chain.isFresh()) {
            Async<?> current = chain.current;
            step.next = chain.steps;
            chain.giveAway();
            return new Chain<>(current, step);
        }
        return new Chain<>(first, step);
    }

    /** What this one was made of is part of another chain now. */
    private void giveAway() {
        current = null;
        steps = null;
        handOver();
    }

    private boolean isFresh() {
        return !started && isUnderWay();
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        if (!started) {
            started = true;
            steps = inOrder(steps, null);
        }
        for (int computations = 0; ; computations++) {
            if (computations >= FREE && !Budget.current().take(waker)) {
                return PENDING;
            }
            try {
                if (pollCurrent(waker) == PENDING) {
                    return PENDING;
                }
                runSteps();
            } catch (Exception e) {
                recover(e);
            }
            if (current == null) {
                return READY;
            }
        }
    }

    private boolean pollCurrent(Waker waker) throws Exception {
        if (current instanceof Chain<?> inner && inner.isFresh()) {
            current = inner.current;
            steps = inOrder(inner.steps, steps);
            inner.giveAway();
        }
        Async<?> current = this.current;
        if (current != null) {
            if (current.poll(waker) == PENDING) {
                return PENDING;
            }
            this.current = null;
            value = current.result();
        }
        return READY;
    }

    /** Until there is something to poll, or no step is left. */
    private void runSteps() throws Exception {
        Step step;
        while (current == null && (step = steps) != null) {
            steps = step.next;
            Object value = this.value;
            this.value = null;
            step.run(this, value);
        }
    }

    /** Goes on after the next step that can recover from this failure. */
    private void recover(Exception failure) throws Exception {
        current = null;
        Exception thrown = failure;
        Step step;
        while ((step = steps) != null) {
            steps = step.next;
            try {
                if (step.recover(this, thrown)) {
                    return;
                }
            } catch (Exception e) {
                thrown = e;
            }
        }
        throw thrown;
    }

    /** Puts steps, the latest first, in their order and in front of others. */
    private static @Nullable Step inOrder(@Nullable Step latest, @Nullable Step others) {
        Step first = others;
        Step step = latest;
        while (step != null) {
            Step before = step.next;
            step.next = first;
            first = step;
            step = before;
        }
        return first;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a value of type R, which may itself be nullable
    protected R value() {
        return (R) value;
    }

    @Override
    protected void release() {
        Async<?> current = this.current;
        this.current = null;
        steps = null;
        if (current != null) {
            current.cancel();
        }
    }

    // ---- the steps; their types agree as those of the methods that made them do

    private abstract static class Step {
        @Nullable Step next;

        /** Sets the chain's value, or what it polls next. */
        abstract void run(Chain<?> chain, @Nullable Object value) throws Exception;

        /** Sets what the chain polls next, if this step is there for this failure. */
        boolean recover(Chain<?> chain, Exception failure) throws Exception {
            return false;
        }

        @SuppressWarnings("unchecked")
        static Function<@Nullable Object, @Nullable Object> function(Function<?, ?> function) {
            return (Function<@Nullable Object, @Nullable Object>) Objects.requireNonNull(function, "function");
        }

        static Async<?> async(@Nullable Object made, String message) {
            return (Async<?>) Objects.requireNonNull(made, message);
        }
    }

    private static final class LazyStep extends Step {
        private final Supplier<? extends Async<?>> supplier;

        LazyStep(Supplier<? extends Async<?>> supplier) {
            this.supplier = Objects.requireNonNull(supplier, "supplier");
        }

        @Override
        void run(Chain<?> chain, @Nullable Object value) {
            chain.current = async(supplier.get(), "the supplier of lazy(...) returned null");
        }
    }

    private static final class MapStep extends Step {
        private final Function<@Nullable Object, @Nullable Object> function;

        MapStep(Function<?, ?> function) {
            this.function = function(function);
        }

        @Override
        void run(Chain<?> chain, @Nullable Object value) {
            chain.value = function.apply(value);
        }
    }

    private static final class ThenStep extends Step {
        private final Function<@Nullable Object, @Nullable Object> function;

        ThenStep(Function<?, ?> function) {
            this.function = function(function);
        }

        @Override
        void run(Chain<?> chain, @Nullable Object value) {
            chain.current = async(function.apply(value), "the function of then(...) returned null");
        }
    }

    private static final class RecoverStep extends Step {
        private final Class<? extends Exception> type;
        private final Function<@Nullable Object, @Nullable Object> function;

        RecoverStep(Class<? extends Exception> type, Function<?, ?> function) {
            this.type = Objects.requireNonNull(type, "type");
            this.function = function(function);
        }

        @Override
        void run(Chain<?> chain, @Nullable Object value) {
            chain.value = value;
        }

        @Override
        boolean recover(Chain<?> chain, Exception failure) {
            if (!type.isInstance(failure)) {
                return false;
            }
            chain.current = async(function.apply(failure), "the function of recover(...) returned null");
            return true;
        }
    }
}

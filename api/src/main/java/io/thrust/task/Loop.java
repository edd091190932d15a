package io.thrust.task;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** See {@link Async#loop} and {@link Async#repeat}. */
final class Loop<S extends @Nullable Object> extends AbstractAsync<@Nullable Void> {
    private final String ifNull;
    private final Supplier<? extends Async<? extends S>> step;
    private final Predicate<? super S> goesOn;
    private @Nullable Async<? extends S> current;

    /**
     * Creates one.
     *
     * @param ifNull the message where the supplier returns null
     * @param goesOn whether there is another step after one with this result, which is its to close
     */
    private Loop(String ifNull, Supplier<? extends Async<? extends S>> step, Predicate<? super S> goesOn) {
        this.ifNull = ifNull;
        this.step = Objects.requireNonNull(step, "step");
        this.goesOn = goesOn;
    }

    static Async<@Nullable Void> whileTrue(Supplier<? extends Async<Boolean>> step) {
        return new Loop<Boolean>("the step of loop(...) returned null", step, Boolean::booleanValue);
    }

    static Async<@Nullable Void> times(long times, Supplier<? extends Async<?>> step) {
        if (times < 0) {
            throw new IllegalArgumentException("times is " + times + ", but must be at least 0");
        }
        Objects.requireNonNull(step, "step");
        return times == 0
                ? Async.ready(null)
                : new Loop<@Nullable Object>("the step of repeat(...) returned null", step, new Countdown(times));
    }

    private static final class Countdown implements Predicate<@Nullable Object> {
        private long left;

        Countdown(long left) {
            this.left = left;
        }

        @Override
        public boolean test(@Nullable Object result) {
            left--;
            Quietly.close(result);
            return left > 0;
        }
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        Budget budget = Budget.current();
        while (true) {
            Async<? extends S> current = this.current;
            if (current == null) {
                if (!budget.take(waker)) {
                    return PENDING;
                }
                current = Objects.requireNonNull(step.get(), ifNull);
                this.current = current;
            }
            if (current.poll(waker) == PENDING) {
                return PENDING;
            }
            this.current = null;
            if (!goesOn.test(current.result())) {
                return READY;
            }
        }
    }

    @Override
    protected @Nullable Void value() {
        return null;
    }

    @Override
    protected void release() {
        if (current != null) {
            current.cancel();
            current = null;
        }
    }
}

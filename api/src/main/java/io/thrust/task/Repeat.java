package io.thrust.task;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** See {@link Async#repeat}. */
final class Repeat extends AbstractAsync<@Nullable Void> {
    private final Supplier<? extends Async<?>> step;
    private long left;
    private @Nullable Async<?> current;

    Repeat(long times, Supplier<? extends Async<?>> step) {
        if (times < 0) {
            throw new IllegalArgumentException("times is " + times + ", but must be at least 0");
        }
        this.left = times;
        this.step = Objects.requireNonNull(step, "step");
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        Budget budget = Budget.current();
        while (left > 0) {
            Async<?> current = this.current;
            if (current == null) {
                if (!budget.take(waker)) {
                    return PENDING;
                }
                current = Objects.requireNonNull(step.get(), "the step of repeat(...) returned null");
                this.current = current;
            }
            if (current.poll(waker) == PENDING) {
                return PENDING;
            }
            this.current = null;
            left--;
            LocalExecutor.closeQuietly(current.result());
        }
        return READY;
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

package io.thrust.task;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** See {@link Async#loop}. */
final class Loop extends AbstractAsync<@Nullable Void> {
    private final Supplier<? extends Async<Boolean>> step;
    private @Nullable Async<Boolean> current;

    Loop(Supplier<? extends Async<Boolean>> step) {
        this.step = Objects.requireNonNull(step, "step");
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        Budget budget = Budget.current();
        while (true) {
            Async<Boolean> current = this.current;
            if (current == null) {
                if (!budget.take(waker)) {
                    return PENDING;
                }
                current = Objects.requireNonNull(step.get(), "the step of loop(...) returned null");
                this.current = current;
            }
            if (current.poll(waker) == PENDING) {
                return PENDING;
            }
            this.current = null;
            if (!current.result()) {
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

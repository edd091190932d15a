package io.thrust.task;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** See {@link Async#race}. */
final class Race<T extends @Nullable Object> extends AbstractAsync<T> {
    /** Null once it has ended. */
    private final @Nullable Async<?>[] children;

    private @Nullable Object result;

    Race(Collection<? extends Async<?>> asyncs) {
        children = Children.of(asyncs);
        if (children.length == 0) {
            throw new IllegalArgumentException("a race of nobody never ends; give it one computation at least");
        }
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        for (int i = 0; i < children.length; i++) {
            Async<?> child = children[i];
            if (child == null) {
                continue;
            }
            try {
                if (child.poll(waker) == PENDING) {
                    continue;
                }
                children[i] = null;
                result = child.result();
            } catch (Throwable t) {
                children[i] = null;
                Children.cancel(children, t);
                throw t;
            }
            try {
                Children.cancel(children, null);
            } catch (Throwable t) {
                // The result is there nevertheless.
                Failure.log("cancelling what lost a race failed", t);
            }
            return READY;
        }
        return PENDING;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a value of type T, which may itself be nullable
    protected T value() {
        return (T) result;
    }

    @Override
    protected void release() {
        Children.cancel(children, null);
    }
}

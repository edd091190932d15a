package io.thrust.task;

import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The computations under way inside of another one; null where one has ended. */
final class Children {
    private Children() {}

    static @Nullable Async<?>[] of(Collection<? extends Async<?>> asyncs) {
        @Nullable Async<?>[] children = asyncs.toArray(new Async<?>[0]);
        for (int i = 0; i < children.length; i++) {
            Objects.requireNonNull(children[i], "a computation is null");
        }
        return children;
    }

    /**
     * Cancels all that are left, whatever that throws: it is added to the failure that this follows, or else thrown at
     * the end.
     */
    static void cancel(@Nullable Async<?>[] children, @Nullable Throwable failure) {
        Throwable thrown = failure;
        for (int i = 0; i < children.length; i++) {
            Async<?> child = children[i];
            children[i] = null;
            if (child != null) {
                try {
                    child.cancel();
                } catch (Throwable t) {
                    if (thrown == null) {
                        thrown = t;
                    } else if (thrown != t) {
                        thrown.addSuppressed(t);
                    }
                }
            }
        }
        if (failure == null && thrown != null) {
            Children.<RuntimeException>rethrow(thrown);
        }
    }

    /** As it is: `cancel` declares no checked exception, but code of other languages may throw one. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }
}

package io.thrust.task;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** See {@link Async#joinAll}. */
final class JoinAll<T extends @Nullable Object> extends AbstractAsync<List<T>> {
    /** Null once it has ended. */
    private final @Nullable Async<?>[] children;

    private final @Nullable Object[] results;
    private final WokenChildren woken = new WokenChildren();
    private boolean started;
    private int left;

    JoinAll(Collection<? extends Async<?>> asyncs) {
        children = Children.of(asyncs);
        results = new @Nullable Object[children.length];
        left = children.length;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // values of types A and B, which may themselves be nullable
    static <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object> Async<R> join(
            Async<A> first, Async<B> second, BiFunction<? super A, ? super B, ? extends R> combiner) {
        Objects.requireNonNull(combiner, "combiner");
        return new JoinAll<@Nullable Object>(List.of(first, second))
                .map(results -> combiner.apply((A) results.get(0), (B) results.get(1)));
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        woken.expect(waker);
        try {
            if (!started) {
                started = true;
                for (int i = 0; i < children.length; i++) {
                    poll(new WokenChildren.Child(woken, i));
                }
            } else {
                WokenChildren.Child child = woken.takeAll();
                while (child != null) {
                    WokenChildren.Child next = child.leave();
                    poll(child);
                    child = next;
                }
            }
        } catch (Throwable t) {
            end(t);
            throw t;
        }
        if (left > 0) {
            return PENDING;
        }
        woken.end();
        return READY;
    }

    private void poll(WokenChildren.Child waker) throws Exception {
        int index = waker.index;
        Async<?> child = children[index];
        if (child == null) {
            return;
        }
        boolean ended = true;
        try {
            ended = child.poll(waker);
        } finally {
            if (ended) {
                children[index] = null;
            }
        }
        if (ended) {
            results[index] = child.result();
            left--;
        }
    }

    private void end(@Nullable Throwable failure) {
        woken.end();
        try {
            Children.cancel(children, failure);
        } finally {
            for (int i = 0; i < results.length; i++) {
                Quietly.close(results[i]);
                results[i] = null;
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the results are of the types of the children
    protected List<T> value() {
        return Collections.unmodifiableList((List<T>) Arrays.asList(results));
    }

    @Override
    protected void release() {
        end(null);
    }
}

package io.thrust.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that end with the computation that spawned them; made by {@link LocalExecutor#scope}. On the executor's thread.
 *
 * <ul>
 *   <li>The scope ends when its body and all its children have ended, and not before.
 *   <li>The first failure, of the body or of a child, cancels the body and the other children; the scope fails with it
 *       when the last of them has ended. Further failures are added to it as suppressed. To keep a failure to one child,
 *       turn it into a result inside of that child.
 *   <li>{@link #cancel}, and the end or cancellation of whoever waits for the scope, reach all children, and through
 *       their own scopes theirs.
 *   <li>A child that is cancelled alone, through its handle, is no failure; one that throws a {@link
 *       CancellationException} is.
 *   <li>If the scope ends well the handles keep the results. Else results that nobody took are closed if they are {@link
 *       AutoCloseable}.
 * </ul>
 *
 * Children are background tasks of the executor: whoever waits for the scope decides how long it runs.
 */
public final class TaskScope {
    private static final int FEW = 16;

    private final LocalExecutor executor;

    /** The children that have not ended. */
    private @Nullable Child<?> children;

    /** Children that ended with something to close, and, up to {@link #mostCloseable}, some that have it no more. */
    private final List<Child<?>> closeable = new ArrayList<>(0);

    private int mostCloseable = FEW;

    private @Nullable Waker waker;
    private @Nullable Throwable failure;
    private boolean cancelled;
    private boolean ended;

    private TaskScope(LocalExecutor executor) {
        this.executor = executor;
    }

    static <T extends @Nullable Object> Async<T> over(
            LocalExecutor executor, Function<? super TaskScope, ? extends Async<T>> body) {
        return new Body<>(new TaskScope(executor), body);
    }

    /** As {@link #spawn(TaskOptions, Async)}, with the defaults. */
    public <T extends @Nullable Object> Task<T> spawn(Async<T> async) {
        return spawn(TaskOptions.DEFAULT, async);
    }

    /** As {@link #spawn(Async)}, with a name. */
    public <T extends @Nullable Object> Task<T> spawn(String name, Async<T> async) {
        return spawn(TaskOptions.named(name), async);
    }

    /**
     * Adds a child.
     *
     * @param options its name and priority; children are not counted one by one
     * @throws RejectedExecutionException if the scope has ended, has failed or was cancelled, or the executor is closed;
     *     the computation is cancelled
     */
    public <T extends @Nullable Object> Task<T> spawn(TaskOptions options, Async<T> async) {
        Objects.requireNonNull(async, "async");
        if (isEnding()) {
            Quietly.cancel(async);
            throw new RejectedExecutionException(
                    ended ? "the scope has ended" : cancelled ? "the scope was cancelled" : "the scope has failed");
        }
        Child<T> child = new Child<>(options.name(), this);
        link(child);
        try {
            return executor.spawn(async, child, options.withBackground(true).flags());
        } catch (Throwable t) {
            unlink(child);
            throw t;
        }
    }

    /**
     * Cancels the body and all children; the scope fails with a {@link CancellationException} when they have ended, unless
     * it has failed already.
     */
    public void cancel() {
        if (!ended && !cancelled) {
            cancelled = true;
            cancelChildren();
            wake();
        }
    }

    /** Whether no child may be added any more. */
    private boolean isEnding() {
        return ended || cancelled || failure != null;
    }

    private void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    private void cancelChildren() {
        // A copy: a cancellation may end others, in any order.
        List<Child<?>> all = new ArrayList<>();
        for (Child<?> child = children; child != null; child = child.next) {
            all.add(child);
        }
        all.forEach(Task::cancel);
    }

    private void keep(Child<?> child) {
        if (closeable.size() == mostCloseable) {
            closeable.removeIf(kept -> !kept.hasFreeResult());
            mostCloseable = Math.max(FEW, 2 * closeable.size());
        }
        closeable.add(child);
    }

    private void disposeOfResults() {
        for (Child<?> child : closeable) {
            child.detach();
        }
        closeable.clear();
    }

    private void wake() {
        Quietly.wake(waker);
    }

    private void link(Child<?> child) {
        child.linked = true;
        child.next = children;
        if (children != null) {
            children.previous = child;
        }
        children = child;
    }

    private void unlink(Child<?> child) {
        if (child.linked) {
            child.linked = false;
            if (child.previous == null) {
                children = child.next;
            } else {
                child.previous.next = child.next;
            }
            if (child.next != null) {
                child.next.previous = child.previous;
            }
            child.previous = null;
            child.next = null;
        }
    }

    private void childEnded(Child<?> child, @Nullable Object outcome) {
        unlink(child);
        if (outcome instanceof Failure thrown) {
            if (!thrown.isCancellation && !ended) {
                fail(thrown.cause);
                wake();
            }
        } else if (outcome instanceof AutoCloseable && !ended && child.hasFreeResult()) {
            keep(child);
        }
        if (children == null) {
            wake();
        }
    }

    private static final class Child<T extends @Nullable Object> extends Task<T> {
        private final TaskScope scope;
        private @Nullable Child<?> previous;
        private @Nullable Child<?> next;
        private boolean linked;

        Child(@Nullable String name, TaskScope scope) {
            super(name);
            this.scope = scope;
        }

        @Override
        void finish(TaskCell<T> cell, @Nullable Object outcome) {
            if (outcome instanceof Failure failure && !scope.ended) {
                // It reaches whoever waits for the scope.
                failure.observed = true;
            }
            super.finish(cell, outcome);
            scope.childEnded(this, outcome);
        }
    }

    /** What whoever waits for the scope polls. */
    private static final class Body<T extends @Nullable Object> extends AbstractAsync<T> {
        private final TaskScope scope;
        private @Nullable Function<? super TaskScope, ? extends Async<T>> function;

        /** Null before the first poll and after the body has ended. */
        private @Nullable Async<T> body;

        private @Nullable Async<T> done;

        Body(TaskScope scope, Function<? super TaskScope, ? extends Async<T>> function) {
            this.scope = scope;
            this.function = Objects.requireNonNull(function, "body");
        }

        @Override
        protected boolean advance(Waker waker) throws Exception {
            TaskScope scope = this.scope;
            scope.waker = waker;
            if (!scope.isEnding()) {
                pollBody(waker);
            }
            if (scope.isEnding()) {
                cancelBody();
                scope.cancelChildren();
            }
            if (scope.children != null || body != null) {
                return PENDING;
            }
            scope.ended = true;
            scope.waker = null;
            Throwable failure = scope.failure;
            if (failure == null && !scope.cancelled) {
                scope.closeable.clear();
                return READY;
            }
            scope.disposeOfResults();
            closeResult();
            if (failure == null) {
                throw new CancellationException("the scope was cancelled");
            }
            throw new Failure(failure).asException();
        }

        private void pollBody(Waker waker) {
            try {
                Function<? super TaskScope, ? extends Async<T>> function = this.function;
                if (function != null) {
                    this.function = null;
                    body = Objects.requireNonNull(function.apply(scope), "the body of the scope returned null");
                }
                Async<T> body = this.body;
                if (body != null && body.poll(waker) == READY) {
                    this.body = null;
                    done = body;
                }
            } catch (Throwable t) {
                body = null;
                scope.fail(t);
            }
        }

        private void cancelBody() {
            Async<T> body = this.body;
            this.body = null;
            if (body != null) {
                Quietly.cancel(body);
            }
        }

        @Override
        protected T value() {
            return Objects.requireNonNull(done).result();
        }

        @Override
        protected void release() {
            TaskScope scope = this.scope;
            scope.ended = true;
            scope.waker = null;
            function = null;
            cancelBody();
            scope.cancelChildren();
            scope.disposeOfResults();
            closeResult();
            if (scope.failure != null) {
                // It was on its way to whoever gave up waiting.
                Failure.log("a task scope failed, and was cancelled before anybody saw it", scope.failure);
            }
        }

        private void closeResult() {
            Async<T> done = this.done;
            this.done = null;
            if (done != null) {
                Quietly.close(done.result());
            }
        }
    }
}

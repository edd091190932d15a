package io.thrust.task;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A task whose outcome goes to a future of another thread's. */
final class SubmittedTask<T extends @Nullable Object> extends Task<T> {

    /** Cancelling it cancels the task, on the executor's thread. */
    static final class Future<T extends @Nullable Object> extends CompletableFuture<T> {
        private final LocalExecutor executor;
        private volatile @Nullable Task<T> task;

        Future(LocalExecutor executor) {
            this.executor = executor;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            Task<T> task = this.task;
            if (cancelled && task != null) {
                executor.cancelRemotely(task);
            }
            return cancelled;
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    final Future<T> future;

    SubmittedTask(LocalExecutor executor) {
        super(null);
        future = new Future<>(executor);
        future.task = this;
    }

    @Override
    boolean isGivenUp() {
        return future.isDone();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a value of type T, which may itself be nullable
    void finish(TaskCell<T> cell, @Nullable Object outcome) {
        future.task = null;
        if (outcome instanceof Failure failure) {
            failure.observed = true;
            super.finish(cell, outcome);
            if (failure.isCancellation) {
                future.cancel(false);
            } else if (!future.completeExceptionally(failure.cause) && !future.isCancelled()) {
                // Completed by somebody else: who asks the future does not see it.
                failure.observed = false;
                failure.log();
            }
        } else {
            super.finish(cell, null);
            if (!future.complete((T) outcome)) {
                Quietly.close(outcome);
            }
        }
    }
}

package io.thrust.task;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** See {@link Async#offload}. */
final class Offload<T extends @Nullable Object> extends AbstractAsync<T> {
    private final Executor executor;
    private final Work<T> work;
    private boolean started;
    private @Nullable T result;

    Offload(Executor executor, Callable<? extends T> callable) {
        this.executor = Objects.requireNonNull(executor, "executor");
        this.work = new Work<>(Objects.requireNonNull(callable, "callable"));
    }

    /** What the executor runs. */
    private static final class Work<T extends @Nullable Object> extends FutureTask<T> {
        private volatile @Nullable Waker waker;

        @SuppressWarnings("unchecked") // a producer of T
        Work(Callable<? extends T> callable) {
            super((Callable<T>) callable);
        }

        @Override
        public void run() {
            super.run();
            if (isCancelled()) {
                // It was meant for this work; what the thread does next is somebody else's.
                Thread.interrupted();
            }
        }

        @Override
        protected void set(T value) {
            super.set(value);
            if (isCancelled()) {
                Quietly.close(value);
            }
        }

        @Override
        protected void done() {
            Waker waker = this.waker;
            this.waker = null;
            Quietly.wake(waker);
        }
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        if (!started) {
            started = true;
            executor.execute(work);
        }
        work.waker = waker;
        if (!work.isDone()) {
            return PENDING;
        }
        work.waker = null;
        try {
            result = work.get();
        } catch (ExecutionException e) {
            throw new Failure(Objects.requireNonNull(e.getCause())).asException();
        }
        return READY;
    }

    @Override
    @SuppressWarnings("NullAway") // a value of type T, which may itself be nullable
    protected T value() {
        return result;
    }

    @Override
    protected void release() {
        work.waker = null;
        if (!work.cancel(true) && !work.isCancelled()) {
            try {
                Quietly.close(work.get());
            } catch (Exception e) {
                // The work had failed: nobody wants to know any more.
            }
        }
    }
}

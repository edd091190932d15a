package io.thrust.task;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** See {@link Async#from}. */
final class FromStage<T extends @Nullable Object> extends AbstractAsync<T> {
    private static final Object NOTHING_YET = new Object();
    private static final Object GIVEN_UP = new Object();

    private @Nullable CompletionStage<? extends T> stage;
    private final Completion<T> completion = new Completion<>();
    private boolean listening;
    private @Nullable Object result;

    FromStage(CompletionStage<? extends T> stage) {
        this.stage = Objects.requireNonNull(stage, "stage");
    }

    /** What the stage calls, on any thread, and may keep for ever: it holds no more than is needed. */
    private static final class Completion<T extends @Nullable Object> extends AtomicReference<@Nullable Object>
            implements BiConsumer<@Nullable T, @Nullable Throwable> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // is never serialized
        private volatile @Nullable Waker waker;

        Completion() {
            super(NOTHING_YET);
        }

        @Override
        public void accept(@Nullable T value, @Nullable Throwable thrown) {
            if (compareAndSet(NOTHING_YET, thrown == null ? value : new Failure(cause(thrown)))) {
                Quietly.wake(waker);
            } else if (value != get()) {
                // Given up, or completed for a second time, by a stage that may do so.
                Quietly.close(value);
            }
        }

        /** Returns the outcome, if it is there; else the waker is woken when it is. */
        @Nullable Object poll(Waker waker) {
            this.waker = waker;
            Object outcome = get();
            if (outcome != NOTHING_YET) {
                this.waker = null;
            }
            return outcome;
        }

        /** Returns the outcome that came before, if any. */
        @Nullable Object giveUp() {
            waker = null;
            return getAndSet(GIVEN_UP);
        }
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException || cause instanceof ExecutionException) {
            Throwable inner = cause.getCause();
            if (inner == null) {
                break;
            }
            cause = inner;
        }
        return cause;
    }

    @Override
    protected boolean advance(Waker waker) throws Exception {
        listen();
        Object outcome = completion.poll(waker);
        if (outcome == NOTHING_YET) {
            return PENDING;
        }
        stage = null;
        if (outcome instanceof Failure failure) {
            throw failure.asException();
        }
        result = outcome;
        return READY;
    }

    private void listen() {
        CompletionStage<? extends T> stage = this.stage;
        if (!listening && stage != null) {
            listening = true;
            stage.whenComplete(completion);
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a value of type T, which may itself be nullable
    protected T value() {
        return (T) result;
    }

    @Override
    protected void release() {
        Object outcome = completion.giveUp();
        if (outcome != NOTHING_YET) {
            Quietly.close(outcome);
        }
        CompletionStage<? extends T> stage = this.stage;
        try {
            // A result that comes in spite of the cancellation is closed.
            listen();
        } finally {
            this.stage = null;
            if (stage instanceof Future<?> future) {
                cancel(future);
            }
        }
    }

    private static void cancel(Future<?> future) {
        try {
            future.cancel(true);
        } catch (UnsupportedOperationException e) {
            // A stage that hides what completes it: it runs on.
        }
    }
}

package io.thrust.task;

/**
 * Tells whoever polls an {@link Async} that polling it again may make progress.
 *
 * <p>The wakers that an executor hands out may be called from any thread. Waking is idempotent until the next poll: any
 * number of calls between two polls causes one. Once the task has ended waking does nothing, and a waker that is kept
 * does not keep what the task held in memory.
 *
 * <p>An implementation of one's own must only take note and return: it is called while readiness is dispatched, so it
 * must not block, throw, or poll.
 */
@FunctionalInterface
public interface Waker {
    void wake();
}

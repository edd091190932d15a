package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking calls on threads of the caller's. */
@Timeout(60)
class OffloadTest {
    private static final Waker NOBODY = () -> {};

    private final LocalExecutor executor = new LocalExecutor(new FakeParker(), () -> 0);
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() throws InterruptedException {
        pool.shutdownNow();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theCallRunsOnTheExecutorFromTheFirstPollOnAndItsResultComesBack() throws IOException {
        List<Thread> threads = new ArrayList<>();
        Async<String> call = Async.offload(pool, () -> {
            threads.add(Thread.currentThread());
            return "result";
        });
        assertThat(threads).isEmpty();
        assertThat(executor.<String>blockOn(call)).isEqualTo("result");
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        assertThat(executor.<String>blockOn(Async.offload(Runnable::run, () -> "on this thread")))
                .isEqualTo("on this thread");
    }

    @Test
    void whatTheCallThrowsIsThrownAsItIs() {
        IOException failure = new IOException("failed");
        assertThatThrownBy(() -> executor.blockOn(Async.offload(pool, () -> {
                    throw failure;
                })))
                .isSameAs(failure);
        AssertionError error = new AssertionError("error");
        assertThatThrownBy(() -> executor.blockOn(Async.offload(pool, () -> {
                    throw error;
                })))
                .isSameAs(error);
    }

    @Test
    void anExecutorThatRefusesFailsTheComputation() {
        pool.shutdown();
        Async<String> call = Async.offload(pool, () -> "never");
        assertThatThrownBy(() -> executor.blockOn(call)).isInstanceOf(RejectedExecutionException.class);
        call.cancel();
    }

    @Test
    void cancellingInterruptsTheCallAndNotWhatItsThreadDoesNext() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<Boolean> afterwards = new CompletableFuture<>();
        // Unlike a pool it does not clear the interrupt itself.
        Async<String> call = Async.offload(
                work -> pool.execute(() -> {
                    work.run();
                    afterwards.complete(Thread.currentThread().isInterrupted());
                }),
                () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        // Left behind on purpose.
                        Thread.currentThread().interrupt();
                        interrupted.complete(true);
                    }
                    return "too late";
                });
        assertThat(call.poll(NOBODY)).isFalse();
        begun.await();

        call.cancel();

        assertThat(interrupted.get()).isTrue();
        assertThat(afterwards.get()).isFalse();
    }

    @Test
    void aCallThatHasNotBegunNeverDoes() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        pool.execute(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        List<String> calls = new ArrayList<>();
        Async<Boolean> queued = Async.offload(pool, () -> calls.add("queued"));
        assertThat(queued.poll(NOBODY)).isFalse();
        queued.cancel();
        release.countDown();
        pool.submit(() -> {}).get();
        assertThat(calls).isEmpty();
    }

    @Test
    void aResultThatNobodyTakesIsClosedOnce() throws Exception {
        List<String> closed = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Async<AutoCloseable> late = Async.offload(pool, () -> {
            begun.countDown();
            boolean released = false;
            while (!released) {
                try {
                    release.await();
                    released = true;
                } catch (InterruptedException e) {
                    // A call that cannot be interrupted.
                }
            }
            return () -> closed.add("late");
        });
        late.poll(NOBODY);
        begun.await();
        late.cancel();
        release.countDown();
        pool.submit(() -> {}).get();
        assertThat(closed).containsExactly("late");

        CountDownLatch woken = new CountDownLatch(1);
        CountDownLatch polled = new CountDownLatch(1);
        Async<AutoCloseable> done = Async.offload(pool, () -> {
            polled.await();
            return () -> closed.add("done");
        });
        assertThat(done.poll(woken::countDown)).isFalse();
        polled.countDown();
        woken.await();
        done.cancel();
        done.cancel();
        assertThat(closed).containsExactly("late", "done");
    }
}

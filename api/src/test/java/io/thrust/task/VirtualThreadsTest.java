package io.thrust.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** An executor next to virtual threads, which this language level cannot name. */
@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads")
class VirtualThreadsTest {
    private static final int THREADS = 1000;

    private final LocalExecutor executor = new LocalExecutor(new FakeParker());

    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Test
    void virtualThreadsSubmitAndWaitForTheResult() throws Exception {
        ExecutorService threads = virtualThreads();
        Thread loop = new Thread(() -> executor.run(), "loop");
        Probe<Void> open = Probe.pending();
        executor.submit(open);
        loop.start();
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            results.add(threads.submit(
                    () -> executor.submit(new Countdown(3).map(none -> number)).join()));
        }
        for (int i = 0; i < THREADS; i++) {
            assertThat(results.get(i).get()).isEqualTo(i);
        }
        executor.close();
        loop.join();
        threads.shutdown();
    }

    @Test
    void blockingCallsRunOnVirtualThreads() throws Exception {
        ExecutorService threads = virtualThreads();
        List<Async<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            calls.add(Async.offload(threads, () -> {
                Thread.yield();
                return (Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
            }));
        }
        assertThat(executor.blockOn(Async.joinAll(calls))).hasSize(THREADS).containsOnly(true);
        threads.shutdown();
    }
}

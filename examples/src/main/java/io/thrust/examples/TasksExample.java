package io.thrust.examples;

import io.thrust.EventLoop;
import io.thrust.Timers;
import io.thrust.task.Async;
import io.thrust.task.Priority;
import io.thrust.task.Task;
import io.thrust.task.TaskOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks with names and priorities, and a scope of tasks that end together. The README quotes the part of the scope. */
final class TasksExample {
    private TasksExample() {}

    /** What a diagnosis of the loop shows of two tasks that wait. */
    static List<String> describe() throws IOException {
        try (EventLoop loop = EventLoop.open()) {
            TaskOptions cleaner =
                    TaskOptions.named("cleaner").withPriority(Priority.LOW).withBackground(true);
            loop.spawn(cleaner, Timers.sleep(Duration.ofHours(1))).detach();
            Task<@Nullable Void> clock = loop.spawn("clock", Timers.sleep(Duration.ofHours(1)));
            loop.turn(0);
            List<String> lines = loop.executor().describeTasks();
            clock.cancel();
            return lines;
        }
    }

    // [scope]
    /** Two answers at once; if one fails the other is cancelled, and so are both if whoever waits is cancelled. */
    static Async<Integer> sum(EventLoop loop, Async<Integer> left, Async<Integer> right) {
        return loop.scope(scope -> {
            Task<Integer> one = scope.spawn("left", left);
            Task<Integer> other = scope.spawn("right", right);
            return one.join().then(a -> other.join().map(b -> a + b));
        });
    }
    // [/scope]
}

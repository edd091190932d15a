package io.thrust.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a task is spawned. Immutable; the {@code with...} methods return a changed copy.
 *
 * @param name what logs, errors and {@link LocalExecutor#describeTasks} call the task, or null
 * @param priority which of the tasks that are ready is polled first
 * @param background whether the task is not waited for, see {@link LocalExecutor#spawnBackground}
 */
public record TaskOptions(@Nullable String name, Priority priority, boolean background) {

    /** No name, normal priority, waited for. */
    public static final TaskOptions DEFAULT = new TaskOptions(null, Priority.NORMAL, false);

    public TaskOptions {
        Objects.requireNonNull(priority, "priority");
    }

    /** The defaults, with this name. */
    public static TaskOptions named(String name) {
        return DEFAULT.withName(name);
    }

    public TaskOptions withName(String name) {
        return new TaskOptions(Objects.requireNonNull(name, "name"), priority, background);
    }

    public TaskOptions withPriority(Priority priority) {
        return new TaskOptions(name, priority, background);
    }

    public TaskOptions withBackground(boolean background) {
        return new TaskOptions(name, priority, background);
    }

    int flags() {
        return (background ? 0 : TaskCell.COUNTED)
                | switch (priority) {
                    case HIGH -> TaskCell.HIGH;
                    case NORMAL -> 0;
                    case LOW -> TaskCell.LOW;
                };
    }
}

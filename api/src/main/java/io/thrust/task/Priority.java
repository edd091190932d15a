package io.thrust.task;

/**
 * Which of the tasks that are ready is polled first. No priority starves: while tasks of all three are always ready, one
 * poll in {@value #POLLS_PER_LOW} is that of a {@link #LOW} one, and of the others one in {@value #POLLS_PER_NORMAL} is
 * that of a {@link #NORMAL} one. Among tasks of one priority the one that was woken first is polled first. A loop in
 * which all tasks that are ready are normal pays nothing for this.
 */
public enum Priority {
    /** Before all others, except for the polls that are the others' due. */
    HIGH,
    /** What tasks have unless they are given another. */
    NORMAL,
    /** When no other task is ready, and at its due. */
    LOW;

    /** While tasks of a higher priority are always ready, one poll in so many is that of a low one. */
    public static final int POLLS_PER_LOW = 32;

    /** While high tasks are always ready, one poll in so many, low ones apart, is that of a normal one. */
    public static final int POLLS_PER_NORMAL = 8;
}

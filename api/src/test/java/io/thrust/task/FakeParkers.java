package io.thrust.task;

/** Executors without I/O, for tests of other packages. */
public final class FakeParkers {
    private FakeParkers() {}

    /** Returns an executor that serves nothing. */
    public static LocalExecutor executor() {
        return new LocalExecutor(new FakeParker(), () -> 0);
    }
}

package io.thrust.benchmarks.claims;

import java.util.concurrent.ThreadFactory;
import org.HdrHistogram.Histogram;

/** A kind of thing that runs code beside other code, and what is asked of each kind. */
interface Worker {
    /** Platform threads. */
    String PLATFORM = "platform";
    /** Virtual threads. */
    String VIRTUAL = "virtual";
    /** Tasks, all on the loop of the calling thread. */
    String TASK = "task";
    /** Tasks on the loop of another thread; two of them wake each other across two loops. */
    String REMOTE = "remote task";

    /** Starts one and waits for its end, this often. */
    void spawnAndJoin(int times, Histogram nanos) throws Exception;

    /** Starts as many and does not wait; then, untimed, waits for all. Returns the nanoseconds of the first part. */
    long create(int count) throws Exception;

    /** Starts as many and returns when all of them wait, for ever. */
    void park(int count) throws Exception;

    /** Two wake each other in turn; the times are those of a round: there and back. */
    void handOver(int rounds, Histogram nanos) throws Exception;

    static Worker named(String name) {
        return switch (name) {
            case PLATFORM -> new ThreadWorker(daemons());
            case VIRTUAL -> new ThreadWorker(VirtualThreads.factory());
            case TASK -> new TaskWorker();
            case REMOTE -> new RemoteTaskWorker();
            default -> throw new IllegalArgumentException("there is no worker \"" + name + "\"");
        };
    }

    /** Makes platform threads that do not keep the JVM alive. */
    static ThreadFactory daemons() {
        return body -> {
            Thread thread = new Thread(body);
            thread.setDaemon(true);
            return thread;
        };
    }
}

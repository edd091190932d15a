package io.thrust.kqueue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Sets {@code kevent} from Java against the same call from C, over the same library: in each round one after the other, so
 * that what else the machine does meets both, and by the time that a processor works for the thread, not by the clock on the
 * wall. Arguments: the program {@code cost} and the number of rounds.
 */
public final class KeventRatio {
    private static final int CALLS = 30_000;
    private static final int WARM_UP = 50;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Call {
        int make() throws IOException;
    }

    private KeventRatio() {}

    /** Prints a table and the medians. */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: KeventRatio COST-PROGRAM ROUNDS");
            System.exit(2);
        }
        String program = args[0];
        int rounds = Integer.parseInt(args[1]);
        double[] oneThread = new double[rounds];
        double[] c = new double[rounds];
        double[] kevent = new double[rounds];
        double[] poll = new double[rounds];
        try (KeventCalls calls = KeventCalls.open()) {
            Call call = calls::kevent;
            Call pollCall = calls::poll;
            // A compilation may allocate beside what it compiles, so the least of the windows counts.
            long allocated = Long.MAX_VALUE;
            for (int i = 0; i < WARM_UP; i++) {
                long before =
                        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
                nanosPerCall(call);
                nanosPerCall(pollCall);
                long after =
                        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
                allocated = Math.min(allocated, after - before);
            }
            System.out.println(
                    "   round  C, 1 thread   C, 2 threads   kevent   poll(0)   (ns of a processor per call)");
            for (int i = 0; i < rounds; i++) {
                // Who comes first takes turns.
                if (i % 2 == 0) {
                    oneThread[i] = fromC(program, 1);
                    c[i] = fromC(program, 2);
                }
                kevent[i] = nanosPerCall(call);
                poll[i] = nanosPerCall(pollCall);
                if (i % 2 != 0) {
                    c[i] = fromC(program, 2);
                    oneThread[i] = fromC(program, 1);
                }
                System.out.printf(
                        Locale.ROOT, "%8d%13.1f%15.1f%9.1f%10.1f%n", i + 1, oneThread[i], c[i], kevent[i], poll[i]);
            }
            tell("kevent to C in a process of two threads", kevent, c);
            tell("kevent to C in a process of one thread", kevent, oneThread);
            tell("poll(0) to C in a process of two threads", poll, c);
            System.out.printf(Locale.ROOT, "allocated: %.3f bytes per call%n", allocated / (2.0 * CALLS));
        }
    }

    private static void tell(String what, double[] java, double[] c) {
        double[] ratios = new double[java.length];
        double[] differences = new double[java.length];
        for (int i = 0; i < java.length; i++) {
            ratios[i] = java[i] / c[i];
            differences[i] = java[i] - c[i];
        }
        Arrays.sort(ratios);
        Arrays.sort(differences);
        int middle = java.length / 2;
        System.out.printf(
                Locale.ROOT,
                "%s: %.3f (median; quartiles %.3f to %.3f), %.1f ns more%n",
                what,
                ratios[middle],
                ratios[java.length / 4],
                ratios[java.length * 3 / 4],
                differences[middle]);
    }

    private static double nanosPerCall(Call call) throws IOException {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
            if (call.make() != 0) {
                throw new IOException("there is an event, or an error");
            }
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - start) / CALLS;
    }

    private static double fromC(String program, int threads) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program, String.valueOf(CALLS), String.valueOf(threads))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(program + " failed: " + output);
        }
        return Double.parseDouble(output.trim());
    }
}

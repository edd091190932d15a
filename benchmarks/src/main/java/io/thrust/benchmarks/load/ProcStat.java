package io.thrust.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** What Linux counts of processes ({@code proc_pid_stat(5)}, {@code proc_stat(5)}); a tick is 10 ms. */
final class ProcStat {
    /** {@code sysconf(_SC_CLK_TCK)} of every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int CUTIME = 13;
    private static final int CSTIME = 14;
    private static final double NANOS = 1e9;

    private ProcStat() {}

    /** User and system time of a process so far. */
    static double cpuSeconds(long pid) {
        String[] fields = fieldsAfterName(Path.of("/proc/" + pid + "/stat"));
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS_PER_SECOND;
    }

    /** What the children of this process have taken that have ended. */
    static double childrenSeconds() {
        String[] fields = fieldsAfterName(Path.of("/proc/self/stat"));
        return (Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CSTIME])) / TICKS_PER_SECOND;
    }

    /** What the compiler threads of a JVM have taken of that. */
    static double compilerSeconds(long pid) {
        double nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                String name = Files.readString(thread.resolve("comm"));
                if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
                    nanos += Double.parseDouble(
                            Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
                }
            }
        } catch (IOException e) {
            return nanos / NANOS; // a thread has ended
        }
        return nanos / NANOS;
    }

    /** Resident memory, in MiB. */
    static double residentMegabytes(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return 0;
    }

    /** Open descriptors. */
    static int descriptors(long pid) {
        String[] names = Path.of("/proc/" + pid + "/fd").toFile().list();
        return names == null ? 0 : names.length;
    }

    /** What these processors have spent in all, idling apart. */
    static double busySeconds(Set<Integer> processors) {
        double ticks = 0;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/stat"))) {
                String[] fields = line.split(" +", -1);
                if (fields[0].matches("cpu\\d+") && processors.contains(Integer.parseInt(fields[0].substring(3)))) {
                    // user nice system idle iowait irq softirq steal
                    for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
                        ticks += Double.parseDouble(fields[i]);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** The fields from the state on: the name before them may have blanks. */
    private static String[] fieldsAfterName(Path stat) {
        try {
            String text = Files.readString(stat);
            return text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

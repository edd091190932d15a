package io.thrust.benchmarks.claims;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What Linux tells of this process ({@code proc_pid_status(5)}). */
final class Proc {
    private Proc() {}

    /** Memory that the process has in RAM, in bytes. */
    static long residentBytes() throws IOException {
        return 1024 * number(Path.of("/proc/self/status"), "VmRSS:");
    }

    /** Memory that the process has reserved, used or not, in bytes. */
    static long virtualBytes() throws IOException {
        return 1024 * number(Path.of("/proc/self/status"), "VmSize:");
    }

    /** How often threads that live now were made to leave their processor. */
    static long involuntarySwitches() throws IOException {
        long switches = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                try {
                    switches += number(thread.resolve("status"), "nonvoluntary_ctxt_switches:");
                } catch (NoSuchFileException e) {
                    // It has ended.
                }
            }
        }
        return switches;
    }

    /** Processor time that this process has taken so far, in nanoseconds. */
    static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** How many threads the kernel knows by a name that begins so. */
    static int threadsNamed(String start) throws IOException {
        int named = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                try {
                    named += Files.readString(thread.resolve("comm")).startsWith(start) ? 1 : 0;
                } catch (NoSuchFileException e) {
                    // It has ended.
                }
            }
        }
        return named;
    }

    private static long number(Path file, String field) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("there is no " + field + " in " + file);
    }
}

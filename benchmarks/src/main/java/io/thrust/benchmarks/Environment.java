package io.thrust.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What figures depend on, printed above them. */
public final class Environment {
    private Environment() {}

    /** A head for tables: what was called, when, and on which machine. */
    public static void print(String title, List<String> arguments, PrintStream out) {
        out.printf("# %s%n%n", title);
        out.printf(
                "`%s`, %s; %s %s; %s, %d processors; %s %s; load before: %s%n",
                String.join(" ", arguments),
                OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS),
                System.getProperty("java.vm.name"),
                Runtime.version(),
                processor(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                load());
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** The means of the processes that were ready, over 1, 5 and 15 minutes. */
    private static String load() {
        try {
            String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", 4);
            return String.join(" ", fields[0], fields[1], fields[2]);
        } catch (IOException e) {
            return "unknown";
        }
    }
}

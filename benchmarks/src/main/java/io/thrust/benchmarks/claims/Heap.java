package io.thrust.benchmarks.claims;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is alive in the heap. */
final class Heap {
    /**
     * For a JVM whose heap is measured: threads take no buffers to allocate from, so what is used is what was allocated;
     * soft references are cleared at once; and the whole heap is in RAM from the start, so that what is added there is not
     * part of it.
     */
    static final List<String> EXACT = List.of(
            "-XX:+UseSerialGC",
            "-XX:-UseTLAB",
            "-XX:SoftRefLRUPolicyMSPerMB=0",
            "-Xms1g",
            "-Xmx1g",
            "-XX:+AlwaysPreTouch");

    /** Begins the names of figures of {@link #printGrowth}. */
    static final String CLASS = "class ";

    private static final int COLLECTIONS = 5;

    private Heap() {}

    /** In bytes, after collections of what is dead; several, for cleaners and weak tables free more after the first. */
    static long liveBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            Thread.sleep(20);
        }
        return least;
    }

    /** The bytes that live objects of each class take. */
    static Map<String, Long> bytesByClass() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Long> bytes = new TreeMap<>();
        for (String line : histogram.lines().toList()) {
            String[] fields = line.strip().split("\\s+", 5); // rank: instances bytes class (module)
            if (fields.length >= 4 && fields[0].endsWith(":")) {
                bytes.merge(fields[3], Long.valueOf(fields[2]), Long::sum);
            }
        }
        return bytes;
    }

    /** In a child: prints what live objects take more than before, per each of so many, of classes that matter. */
    static void printGrowth(Map<String, Long> before, double count) throws JMException {
        bytesByClass().forEach((name, bytes) -> {
            double each = (bytes - before.getOrDefault(name, 0L)) / count;
            if (each >= 1) {
                ChildJvm.print(CLASS + name, each);
            }
        });
    }
}

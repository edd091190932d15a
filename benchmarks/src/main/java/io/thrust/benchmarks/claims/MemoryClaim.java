package io.thrust.benchmarks.claims;

import com.sun.management.UnixOperatingSystemMXBean;
import io.thrust.poll.DiscoveredProvider;
import io.thrust.poll.Pollers;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What a parked task and an idle connection take of the heap. */
record MemoryClaim(List<Integer> tasks, List<Integer> connections, boolean compactHeaders, PrintStream out) {
    private static final int LISTENING = 0;
    /** Descriptors that a JVM has beside its connections, and some to spare. */
    private static final int OTHER_DESCRIPTORS = 150;

    MemoryClaim {
        connections = connections.stream()
                .map(count -> Math.min(count, mostConnections()))
                .distinct()
                .toList();
    }

    private static int mostConnections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? (int) Math.max(1, Math.min(Integer.MAX_VALUE, unix.getMaxFileDescriptorCount() - OTHER_DESCRIPTORS))
                : Integer.MAX_VALUE;
    }

    void print() throws IOException, InterruptedException {
        out.println("\n## Java heap of each of so many parked tasks, bytes");
        List<String> heads = new ArrayList<>(List.of("task"));
        tasks.forEach(count -> heads.add(String.format("%,d", count)));
        Table table = new Table(heads.toArray(String[]::new));
        Figures classes = new Figures();
        for (String kind : List.of(MemoryProbe.BARE, MemoryProbe.OWN, MemoryProbe.SLEEP)) {
            List<Object> row = new ArrayList<>(List.of(kind));
            for (int count : tasks) {
                Figures figures = ChildJvm.run(options(), MemoryProbe.class, kind, count);
                row.add(figures.get("bytes"));
                if (kind.equals(MemoryProbe.OWN)) {
                    classes = figures;
                }
            }
            table.row(row.toArray());
        }
        table.print(out);
        printClasses("task with an Async of its own", classes);

        out.println("\n## Java heap of each of so many idle connections with a read pending, bytes");
        heads.subList(1, heads.size()).clear();
        heads.set(0, "connection");
        connections.forEach(count -> heads.add(String.format("%,d", count)));
        Table idle = new Table(heads.toArray(String[]::new));
        List<Runnable> breakdowns = new ArrayList<>();
        for (boolean accepted : new boolean[] {true, false}) {
            for (String kind : kinds()) {
                String name = kind + (accepted ? ", accepted" : ", connected");
                List<Object> row = new ArrayList<>(List.of(name));
                for (int count : connections) {
                    Figures figures = accepted ? accepted(kind, count) : connected(kind, count);
                    row.add(figures.get("bytes"));
                    if (row.size() == heads.size()) {
                        breakdowns.add(() -> printClasses(name, figures));
                    }
                }
                idle.row(row.toArray());
            }
        }
        idle.print(out);
        breakdowns.forEach(Runnable::run);
    }

    private List<String> options() {
        List<String> options = new ArrayList<>(Heap.EXACT);
        if (compactHeaders) {
            options.add("-XX:+UseCompactObjectHeaders");
        }
        return options;
    }

    private static List<String> kinds() {
        List<String> kinds = new ArrayList<>(Pollers.discover().stream()
                .filter(DiscoveredProvider::isAvailable)
                .map(DiscoveredProvider::name)
                .toList());
        kinds.add(ConnectionProbe.BARE);
        return kinds;
    }

    /** The measured ends are accepted; those here connect. */
    private Figures accepted(String kind, int count) throws IOException, InterruptedException {
        List<SocketChannel> others = new ArrayList<>();
        try (ChildJvm child = new ChildJvm(options(), ConnectionProbe.class, kind, count, LISTENING)) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), (int) child.await("port"));
            for (int i = 0; i < ConnectionProbe.WARM_UP; i++) {
                others.add(SocketChannel.open(address));
            }
            child.await("ready");
            for (int i = 0; i < count; i++) {
                others.add(SocketChannel.open(address));
            }
            return child.finish();
        } finally {
            close(others);
        }
    }

    /** The measured ends connect; those here are accepted. */
    private Figures connected(String kind, int count) throws IOException, InterruptedException {
        List<SocketChannel> others = new ArrayList<>();
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            try (ChildJvm child = new ChildJvm(options(), ConnectionProbe.class, kind, count, port)) {
                for (int i = 0; i < ConnectionProbe.WARM_UP + count; i++) {
                    others.add(listener.accept());
                }
                return child.finish();
            }
        } finally {
            close(others);
        }
    }

    private static void close(List<SocketChannel> channels) throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private void printClasses(String what, Figures figures) {
        out.printf("%nOf these, in a %s, by class:%n", what);
        Table table = new Table("class", "bytes");
        figures.startingWith(Heap.CLASS).entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(figure -> table.row("`" + figure.getKey() + "`", figure.getValue()));
        table.print(out);
    }
}

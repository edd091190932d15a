package io.thrust.benchmarks.load;

import io.thrust.benchmarks.peers.CProgram;
import io.thrust.benchmarks.peers.NettyServer;
import io.thrust.benchmarks.peers.SelectorServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The servers that the driver knows. */
final class Servers {
    static final String LIMIT = "c";

    private static final List<String> JAVA_OPTIONS = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private final Map<String, ServerSpec> specs = new LinkedHashMap<>();

    /**
     * Those of this project, the Java peers and, where there is a gcc, the limit.
     *
     * @param examples {@code thrust-examples.jar}
     * @param scratch where the limit is built
     */
    Servers(Path examples, Path scratch) throws IOException, InterruptedException {
        if (!Files.isRegularFile(examples)) {
            throw new IllegalArgumentException(
                    examples + " is not there; build it with \"mvn package\", or name it with --examples");
        }
        Path limit = CProgram.compile("limit.c", scratch);
        if (limit != null) {
            add(new ServerSpec(LIMIT, List.of(limit.toString()), true));
        }
        for (String poller : List.of("epoll", "nio")) {
            add("thrust-" + poller, true, "-Dthrust.poller=" + poller, "-jar", examples.toString(), "bench");
        }
        String peers = System.getProperty("java.class.path");
        add("selector", true, "-cp", peers, SelectorServer.class.getName());
        for (String transport : List.of("epoll", "nio")) {
            for (String kind : List.of("raw", "codec")) {
                boolean raw = kind.equals("raw");
                add("netty-" + transport + "-" + kind, raw, "-cp", peers, NettyServer.class.getName(), transport, kind);
            }
        }
    }

    /** Adds one of the user's own: {@code NAME=COMMAND}, the command being run by a shell. */
    void addCommand(String definition) {
        int equals = definition.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("\"" + definition + "\" is no server; give NAME=COMMAND");
        }
        String command = "exec " + definition.substring(equals + 1);
        add(new ServerSpec(definition.substring(0, equals), List.of("sh", "-c", command), true));
    }

    List<ServerSpec> named(List<String> names) {
        List<ServerSpec> chosen = new ArrayList<>();
        for (String name : names) {
            ServerSpec spec = specs.get(name);
            if (spec == null) {
                throw new IllegalArgumentException("there is no server \"" + name + "\"; there are " + specs.keySet());
            }
            chosen.add(spec);
        }
        return chosen;
    }

    List<String> names() {
        return List.copyOf(specs.keySet());
    }

    private void add(ServerSpec spec) {
        specs.put(spec.name(), spec);
    }

    private void add(String name, boolean echoes, String... arguments) {
        add(new ServerSpec(name, java(arguments), echoes));
    }

    /** This Java with the options of every server. */
    private static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JAVA_OPTIONS);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(arguments));
        return command;
    }
}

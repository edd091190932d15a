package io.thrust.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Servers run on one processor and clients on another, where {@code taskset} can do that. */
record Processors(int server, int client, boolean pins) {

    static Processors choose() {
        boolean many = Runtime.getRuntime().availableProcessors() > 1;
        return new Processors(0, many ? 1 : 0, many && hasTaskset());
    }

    List<String> onServer(List<String> command) {
        return pinned(server, command);
    }

    List<String> onClient(List<String> command) {
        return pinned(client, command);
    }

    Set<Integer> all() {
        return server == client ? Set.of(server) : Set.of(server, client);
    }

    private List<String> pinned(int processor, List<String> command) {
        if (!pins) {
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(processor)));
        pinned.addAll(command);
        return pinned;
    }

    private static boolean hasTaskset() {
        try {
            return new ProcessBuilder("taskset", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

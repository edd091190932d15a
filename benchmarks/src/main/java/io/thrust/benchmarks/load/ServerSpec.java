package io.thrust.benchmarks.load;

import java.util.List;

/**
 * How a server is started: it listens on 127.0.0.1 at the port of the environment variable {@code PORT}, and serves what
 * {@code MODE} says, {@code http} or {@code echo}.
 *
 * @param name what the tables call it
 * @param echoes whether it has the echo service
 */
record ServerSpec(String name, List<String> command, boolean echoes) {}

package io.thrust.benchmarks.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs wrk for plain requests, {@link LoadClient} for all else, on the processor of the clients. */
final class Client {
    private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ([\\d.]+)(us|ms|s|m)");
    private static final Pattern ERRORS = Pattern.compile("Socket errors: (.*)|Non-2xx or 3xx responses: (\\d+)");

    private final Processors processors;

    Client(Processors processors) {
        this.processors = processors;
    }

    /** As fast as the server answers. */
    Outcome run(Load load, int port, double seconds) throws IOException, InterruptedException {
        return load.kind().equals("http") ? wrk(load.connections(), port, seconds, true) : own(load, port, seconds, 0);
    }

    /** As many operations a second as given, whatever the server does. */
    Outcome runOpen(Load load, int port, double seconds, double rate) throws IOException, InterruptedException {
        return own(load, port, seconds, rate);
    }

    /** With wrk: requests on connections that persist, or a connection for each. */
    Outcome wrk(int connections, int port, double seconds, boolean keepAlive) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c" + connections, "--latency"));
        command.add("-d" + Math.max(1, Math.round(seconds)) + "s");
        if (!keepAlive) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add("http://127.0.0.1:" + port + "/");
        return readWrk(output(command));
    }

    static Outcome readWrk(String text) {
        Matcher total = TOTAL.matcher(text);
        if (!total.find()) {
            throw new IllegalArgumentException("wrk printed:\n" + text);
        }
        List<String> errors = new ArrayList<>();
        Matcher error = ERRORS.matcher(text);
        while (error.find()) {
            errors.add(error.group());
        }
        return new Outcome(
                Long.parseLong(total.group(1)),
                micros(total.group(2), total.group(3)) / 1e6,
                percentile(text, 50),
                percentile(text, 75),
                percentile(text, 90),
                percentile(text, 99),
                String.join("; ", errors));
    }

    private static double percentile(String text, int percent) {
        Matcher line = Pattern.compile("^ +" + percent + "% +([\\d.]+)(us|ms|s|m)", Pattern.MULTILINE)
                .matcher(text);
        return line.find() ? micros(line.group(1), line.group(2)) : 0;
    }

    private static double micros(String number, String unit) {
        double factor = switch (unit) {
            case "us" -> 1;
            case "ms" -> 1e3;
            case "s" -> 1e6;
            default -> 60e6;
        };
        return Double.parseDouble(number) * factor;
    }

    private Outcome own(Load load, int port, double seconds, double rate) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.add(LoadClient.class.getName());
        command.addAll(List.of(load.kind() + ":" + load.connections(), String.valueOf(port), String.valueOf(seconds)));
        command.add(String.format(Locale.ROOT, "%.0f", rate));
        return LoadClient.read(output(command));
    }

    private String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(processors.onClient(command))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + output);
        }
        return output;
    }
}

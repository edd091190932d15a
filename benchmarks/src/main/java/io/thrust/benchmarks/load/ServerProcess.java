package io.thrust.benchmarks.load;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A server that runs. All but the one under load are stopped ({@code SIGSTOP}), so that they take nothing from it. */
final class ServerProcess implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final ServerSpec spec;
    private final Process process;
    private final int port;

    /** Starts it and waits until it listens; its output goes to a file of its name. */
    ServerProcess(ServerSpec spec, String mode, Processors processors, Path logs)
            throws IOException, InterruptedException {
        this.spec = spec;
        port = freePort();
        ProcessBuilder builder = new ProcessBuilder(processors.onServer(spec.command()));
        builder.environment().put("PORT", String.valueOf(port));
        builder.environment().put("MODE", mode);
        Path log = logs.resolve(spec.name() + "-" + mode + ".log");
        process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        long start = System.nanoTime();
        while (!listens()) {
            if (!process.isAlive() || System.nanoTime() - start > PATIENCE) {
                close();
                throw new IOException(spec.name() + " does not listen on " + port + "; see " + log);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    String name() {
        return spec.name();
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Kills it, which a stopped one heeds too. */
    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A port that is free now and that the system gives to nobody who asks for any: those are higher on Linux. A JVM takes
     * its time until it listens.
     */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Taken: another.
            }
        }
    }
}

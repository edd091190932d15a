package io.thrust.benchmarks.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Loads a server from one thread, in a process of its own, and prints one line that {@link #read} understands.
 *
 * <p>With a rate the load is open: each operation has a time at which it is due, whatever became of those before, and its
 * latency counts from then on. So a server that stalls cannot hide that by being asked less (coordinated omission). The
 * thread spins meanwhile: it would be late for what is due if it had to be woken, and that would count as the server's.
 */
public final class LoadClient {
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int ANSWER_SIZE = 78;
    private static final int ECHO_SIZE = 64;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final InetSocketAddress server;
    private final Load load;
    /** The time between two operations of one connection, or 0 for the next as soon as the last has ended. */
    private final long interval;

    /** With a rate: in the order in which they are due, which stays, as each is due again after the same time. */
    private final List<Connection> schedule = new ArrayList<>();

    private final Selector selector = Selector.open();
    private final Histogram latencies = new Histogram(LONGEST_NANOS, 3);
    private final ByteBuffer input = ByteBuffer.allocateDirect(64 * 1024);
    private final ByteBuffer output;
    /** The bytes of the answers to one operation. */
    private final int answerSize;

    private long start;
    /** With a rate: the operations that were due so far. */
    private long started;

    private long operations;
    private long failures;
    private String firstFailure = "";

    private LoadClient(int port, Load load, double rate) throws IOException {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.load = load;
        interval = rate == 0 ? 0 : (long) (TimeUnit.SECONDS.toNanos(1) * load.active() / rate);
        boolean echo = load.kind().equals("echo");
        output = ByteBuffer.allocateDirect(echo ? ECHO_SIZE : load.depth() * REQUEST.length);
        while (output.hasRemaining()) {
            output.put(echo ? new byte[ECHO_SIZE] : REQUEST);
        }
        answerSize = echo ? ECHO_SIZE : load.depth() * ANSWER_SIZE;
    }

    /** {@code KIND:CONNECTIONS PORT SECONDS [RATE]}; the rate is in operations per second, of all connections. */
    public static void main(String[] args) throws IOException {
        double rate = args.length > 3 ? Double.parseDouble(args[3]) : 0;
        LoadClient client = new LoadClient(Integer.parseInt(args[1]), Load.parse(args[0]), rate);
        System.out.println(client.run(Double.parseDouble(args[2])));
    }

    /** Understands the line that {@link #main} printed. */
    static Outcome read(String line) {
        String[] fields = line.stripTrailing().concat("\t").split("\t", -1);
        double[] numbers = new double[6];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Double.parseDouble(fields[i]);
        }
        return new Outcome(
                (long) numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], fields[numbers.length]);
    }

    private String run(double seconds) throws IOException {
        List<SocketChannel> idle = new ArrayList<>();
        for (int i = 0; i < load.idle(); i++) {
            idle.add(SocketChannel.open(server));
        }
        start = System.nanoTime();
        for (int i = 0; i < load.active(); i++) {
            Connection connection = new Connection();
            connection.due = start + interval * i / load.active();
            connection.open();
            schedule.add(connection);
        }
        long end = start + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        long now;
        while ((now = System.nanoTime()) < end || isWithoutAny() && now < end + PATIENCE) {
            long left = Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - now)) + 1;
            if (interval == 0) {
                selector.select(this::handle, left);
            } else {
                selector.selectNow(this::handle);
                startDue();
            }
        }
        double took = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        for (SocketChannel channel : idle) {
            if (!channel.isConnected()) {
                fail("an idle connection is gone");
            }
            channel.close();
        }
        String failure = failures == 0 ? "" : failures + " failed: " + firstFailure;
        return String.format(
                Locale.ROOT,
                "%d\t%.3f\t%.1f\t%.1f\t%.1f\t%.1f\t%s",
                operations * load.depth(),
                took,
                micros(50),
                micros(75),
                micros(90),
                micros(99),
                failure);
    }

    /** A window without an operation says nothing, so a slow beginning makes it longer. */
    private boolean isWithoutAny() {
        return operations == 0 && failures == 0;
    }

    private double micros(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }

    /** Passes over those that are busy: they begin as soon as they are ready, late as they are. */
    private void startDue() throws IOException {
        long now = System.nanoTime();
        while (dueTime(started) <= now) {
            Connection connection = schedule.get((int) (started++ % schedule.size()));
            if (connection.isIdle && connection.due <= now) {
                connection.begin();
            }
        }
    }

    /** When the operation of this number, over all connections, is due. */
    private long dueTime(long number) {
        int connections = schedule.size();
        return start + interval * (number / connections) + interval * (number % connections) / connections;
    }

    private void handle(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            connection.handle(key);
        } catch (IOException e) {
            fail(String.valueOf(e.getMessage()));
            connection.replace();
        }
    }

    private void fail(String what) {
        if (failures++ == 0) {
            firstFailure = what.replaceAll("\\s+", " ");
        }
    }

    private final class Connection {
        private SocketChannel channel = SocketChannel.open();
        private final ByteBuffer out = output.duplicate();
        private boolean isIdle;
        private long due;
        private long began;
        private int received;

        Connection() throws IOException {}

        void open() throws IOException {
            began = System.nanoTime();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (load.kind().equals("churn")) {
                // Closing resets: the ports of closed connections would run out otherwise.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            boolean connected = channel.connect(server);
            channel.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
            if (connected) {
                ready();
            }
        }

        void handle(SelectionKey key) throws IOException {
            if (key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(SelectionKey.OP_READ);
                ready();
            }
            if (key.isWritable()) {
                write(key);
            }
            if (key.isReadable()) {
                read();
            }
        }

        /** The next operation may begin. */
        private void ready() throws IOException {
            isIdle = true;
            if (interval == 0 || due <= System.nanoTime()) {
                begin();
            }
        }

        void begin() throws IOException {
            isIdle = false;
            if (interval != 0) {
                began = due;
                due += interval;
            } else if (!load.kind().equals("churn")) {
                began = System.nanoTime();
            }
            received = 0;
            out.clear();
            write(channel.keyFor(selector));
        }

        private void write(SelectionKey key) throws IOException {
            channel.write(out);
            int wanted = out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
            if (key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        }

        private void read() throws IOException {
            int read = channel.read(input.clear());
            if (read < 0) {
                throw new IOException("the server has closed the connection");
            }
            received += read;
            if (received > answerSize) {
                throw new IOException(received + " bytes came, but " + answerSize + " are the answer");
            }
            if (received < answerSize) {
                return;
            }
            operations++;
            latencies.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - began));
            if (load.kind().equals("churn")) {
                replace();
            } else {
                ready();
            }
        }

        /** By a new one. */
        void replace() {
            try {
                channel.close();
                channel = SocketChannel.open();
                open();
            } catch (IOException e) {
                fail(String.valueOf(e.getMessage()));
            }
        }
    }
}

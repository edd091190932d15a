package io.thrust.benchmarks.claims;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.Pollers;
import io.thrust.task.Async;
import io.thrust.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The heap that each of many idle connections takes, in a JVM of its own that has one end of each. The parent has the other
 * ends: it connects, or listens, when it has seen the figure {@code port}, or {@code connecting}.
 */
final class ConnectionProbe {
    /** A bare channel that is registered with a selector. */
    static final String BARE = "bare SocketChannel";
    /** How many connections there are before those that are measured. */
    static final int WARM_UP = 50;

    private ConnectionProbe() {}

    /** Arguments: the poller's name or {@link #BARE}, the number of connections, and the port to connect to or 0 to listen. */
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        int port = Integer.parseInt(args[2]);
        Peer peer = args[0].equals(BARE) ? new Bare(port) : new Streams(args[0], port);
        peer.open(WARM_UP);
        Heap.bytesByClass();
        Heap.liveBytes();

        // First, for printing a number loads something, too; the system lets the parent connect until this one accepts.
        ChildJvm.print("ready", 1);
        Map<String, Long> classesBefore = Heap.bytesByClass();
        double before = Heap.liveBytes();
        peer.open(count);
        ChildJvm.print("bytes", (Heap.liveBytes() - before) / count);
        Heap.printGrowth(classesBefore, count);
        peer.check(WARM_UP + count);
        System.exit(0);
    }

    /** What has the measured ends. */
    private interface Peer {
        /** Accepts, or makes, as many connections; each waits for something to read. */
        void open(int count) throws Exception;

        /** Throws unless as many wait. */
        void check(int count);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static final class Streams implements Peer {
        private final EventLoop loop;
        private final int port;
        private final List<TcpListener> listeners = new ArrayList<>();
        /** All reads are into this one, of which none takes a byte: it is the user's, and is not measured. */
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

        Streams(String poller, int port) throws IOException {
            loop = EventLoop.open(Pollers.select(poller));
            this.port = port;
            rehearse();
            if (port == 0) {
                TcpListener listener = loop.blockOn(Async.lazy(Streams::bound));
                listeners.add(listener);
                ChildJvm.print("port", listener.localAddress().getPort());
            }
        }

        /** Has what is loaded once loaded now, by a read that would block above all: Netty makes the texts of all errors. */
        private void rehearse() throws IOException {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            try (TcpListener listener = loop.blockOn(Async.lazy(Streams::bound));
                    TcpStream near = loop.blockOn(TcpStream.connect(listener.localAddress()));
                    TcpStream far = loop.blockOn(listener.accept())) {
                loop.blockOn(near.writeAll(one));
                loop.blockOn(far.read(one.clear())); // There was no room for more: the next one asks the system.
                Task<Integer> waiting = loop.spawnBackground(far.read(one.clear()));
                loop.turn(0);
                waiting.cancel();
            }
        }

        private static Async<TcpListener> bound() {
            try {
                return Async.ready(TcpListener.bind(loopback(0)));
            } catch (IOException e) {
                return Async.failed(e);
            }
        }

        @Override
        public void open(int count) {
            int[] left = {count};
            loop.spawn(Async.loop(() -> next().map(stream -> {
                loop.spawnBackground(stream.read(buffer));
                return --left[0] > 0;
            })));
            while (loop.turn(-1)) {
                // Goes on.
            }
            for (int i = 0; i < count; i++) {
                loop.turn(0); // The last reads begin to wait.
            }
        }

        private Async<TcpStream> next() {
            return listeners.isEmpty()
                    ? TcpStream.connect(loopback(port))
                    : listeners.get(0).accept();
        }

        @Override
        public void check(int count) {
            int waiting = loop.executor().taskCount();
            if (waiting != count) {
                throw new IllegalStateException(waiting + " reads wait, not " + count);
            }
        }
    }

    private static final class Bare implements Peer {
        private final Selector selector = Selector.open();
        private final List<ServerSocketChannel> listeners = new ArrayList<>();
        private final int port;

        Bare(int port) throws IOException {
            this.port = port;
            if (port == 0) {
                ServerSocketChannel listener = ServerSocketChannel.open().bind(loopback(0));
                listeners.add(listener);
                ChildJvm.print("port", ((InetSocketAddress) listener.getLocalAddress()).getPort());
            }
        }

        @Override
        public void open(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                SocketChannel channel = listeners.isEmpty()
                        ? SocketChannel.open(loopback(port))
                        : listeners.get(0).accept();
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
            }
            selector.selectNow();
        }

        @Override
        public void check(int count) {
            int waiting = selector.keys().size();
            if (waiting != count) {
                throw new IllegalStateException(waiting + " channels are registered, not " + count);
            }
        }
    }
}

package io.thrust.benchmarks.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A loop over {@link Selector} written by hand: nothing is allocated for a request. */
public final class SelectorServer {
    private static final int INPUT_SIZE = 64 * 1024;
    private static final int BACKLOG = 4096;

    private final boolean echo = Heads.isEcho();
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_SIZE);
    private final ByteBuffer answers = Heads.answers();
    private final Selector selector;
    private final ServerSocketChannel listener;

    private SelectorServer() throws IOException {
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Heads.port()), BACKLOG);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Serves until it is killed. */
    public static void main(String[] args) throws IOException {
        SelectorServer server = new SelectorServer();
        System.out.println("selector listening on " + server.listener.getLocalAddress());
        while (true) {
            server.selector.select(server::handle);
        }
    }

    private void handle(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (connection == null) {
                accept();
            } else if (!serve(connection, key)) {
                connection.channel.close();
            }
        } catch (IOException e) {
            close(connection);
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.channel.close();
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void accept() throws IOException {
        SocketChannel channel;
        while ((channel = listener.accept()) != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
        }
    }

    /** False at the end of the connection. */
    private boolean serve(Connection connection, SelectionKey key) throws IOException {
        ByteBuffer owed = connection.owed;
        if (owed != null) {
            connection.channel.write(owed);
            if (owed.hasRemaining()) {
                return true;
            }
            connection.owed = null;
            key.interestOps(SelectionKey.OP_READ);
        }
        int read = connection.channel.read(input.clear());
        if (read < 0) {
            return false;
        }
        ByteBuffer output = echo ? input.flip() : answers.clear().limit(Heads.ANSWER.length * ended(connection, read));
        if (output.hasRemaining()) {
            connection.channel.write(output);
        }
        if (output.hasRemaining()) {
            connection.owed =
                    ByteBuffer.allocateDirect(output.remaining()).put(output).flip();
            key.interestOps(SelectionKey.OP_WRITE);
        }
        return true;
    }

    private int ended(Connection connection, int read) {
        int ended = 0;
        for (int i = 0; i < read; i++) {
            if (connection.heads.endsWith(input.get(i))) {
                ended++;
            }
        }
        return ended;
    }

    private static final class Connection {
        final SocketChannel channel;
        final Heads heads = new Heads();

        @Nullable ByteBuffer owed;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }
    }
}

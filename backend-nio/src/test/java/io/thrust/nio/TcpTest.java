package io.thrust.nio;

import io.thrust.backend.AbstractTcpTest;
import io.thrust.poll.PollerProvider;
import java.net.ConnectException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On Linux, for whose answers these tests are written. */
@EnabledOnOs(OS.LINUX)
class TcpTest extends AbstractTcpTest {
    @Override
    protected PollerProvider provider() {
        return Fixtures.NIO;
    }

    /** A channel tells of its failure once, so that the stream keeps it and tells it to whoever comes. */
    @Override
    protected Class<? extends Exception> readingAfterAFailedConnect() {
        return ConnectException.class;
    }

    /** All that the JDK has. */
    @Override
    protected Set<SocketOption<?>> supportedOptions(SocketChannel channel) {
        return channel.supportedOptions();
    }
}

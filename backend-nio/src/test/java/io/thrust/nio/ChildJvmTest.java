package io.thrust.nio;

import io.thrust.backend.AbstractChildJvmTest;
import io.thrust.poll.PollerProvider;
import java.net.SocketException;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On Linux, for whose answers these tests are written. */
@EnabledOnOs(OS.LINUX)
class ChildJvmTest extends AbstractChildJvmTest {
    @Override
    protected PollerProvider provider() {
        return Fixtures.NIO;
    }

    @Override
    protected String openingAPoller() {
        return "open a poller";
    }

    /** Those of the JDK's selector: epoll itself and the one for wake-ups. */
    @Override
    protected int descriptorsOfAPoller() {
        return 2;
    }

    /** It is the JDK that refuses, once there is a socket: with what bind and connect throw for an address. */
    @Override
    protected Class<? extends Exception> refusalOfIpv6() {
        return SocketException.class;
    }
}

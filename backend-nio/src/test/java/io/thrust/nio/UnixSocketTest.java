package io.thrust.nio;

import io.thrust.backend.AbstractUnixSocketTest;
import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On Linux, for whose answers these tests are written. */
@EnabledOnOs(OS.LINUX)
class UnixSocketTest extends AbstractUnixSocketTest {
    @Override
    protected PollerProvider provider() {
        return Fixtures.NIO;
    }

    /** The JDK finds it before the system is asked, and does not tell the limit. */
    @Override
    protected String tooLong() {
        return "too long";
    }
}

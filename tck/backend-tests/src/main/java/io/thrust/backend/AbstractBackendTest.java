package io.thrust.backend;

import io.thrust.poll.PollerProvider;
import org.junit.jupiter.api.BeforeEach;

/** A test that runs on each backend, in a subclass among the backend's own tests. */
public abstract class AbstractBackendTest {

    /** The backend under test; skips the calling test where it cannot be had. */
    protected abstract PollerProvider provider();

    /** Before a test that expects exceptions: being skipped is one too. */
    @BeforeEach
    protected void thereIsAProvider() {
        provider();
    }

    /** Connections over this backend. */
    protected final Net net() {
        return new Net(provider());
    }
}

package io.thrust.poll;

import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening stream socket; its only direction is {@link Interest#READ}. */
public interface ListenerSource extends Source {

    /**
     * Accepts one waiting connection. Connections that were gone before they could be accepted are passed over.
     *
     * @return the connection, or null if none waits (the call would block)
     * @throws TooManyOpenFilesException if the process or the system has no file descriptor left; the connection stays
     *     in the queue
     * @throws SourceClosedException if this listener is closed
     * @throws IOException if the system reported another error
     */
    @Nullable StreamSource accept() throws IOException;

    /** The address bound to, with the port that the system chose if 0 was asked for. */
    SocketAddress localAddress() throws IOException;
}

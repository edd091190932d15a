package io.thrust.kqueue;

import io.thrust.poll.Interest;
import io.thrust.poll.ListenerSource;
import io.thrust.poll.StreamSource;
import io.thrust.poll.spi.AddressText;
import io.thrust.poll.spi.UnixSocketFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket. What it accepts inherits its no-delay and buffer sizes on each of the systems. */
abstract class KqueueListener extends KqueueSource implements ListenerSource {
    /** How many connections in a row that are gone already one call passes over before it reports the failure. */
    private static final int MAX_PASSED_OVER = 64;

    private KqueueListener(KqueueProvider provider, Kernel kernel, int fd) {
        super(provider, kernel, fd);
    }

    /** The stream of a descriptor, whose peer's address is in the scratch; null if the peer is gone. */
    abstract @Nullable StreamSource accepted(int accepted, Scratch scratch);

    @Override
    public final Interest directions() {
        return Interest.READ;
    }

    @Override
    public final @Nullable StreamSource accept() throws IOException {
        enter();
        try {
            Numbers numbers = kernel.numbers();
            Scratch scratch = Scratch.get();
            for (int passedOver = 0; ; passedOver++) {
                int accepted = Descriptors.tryAccept(kernel, fd, scratch);
                if (accepted >= 0) {
                    StreamSource stream = accepted(accepted, scratch);
                    if (stream != null) {
                        return stream;
                    }
                    kernel.syscalls().close(accepted);
                    accepted = -numbers.econnaborted;
                }
                if (-accepted == numbers.eagain) {
                    return null;
                }
                boolean next = -accepted == numbers.eintr || numbers.concernsOneConnection(-accepted);
                if (!next || passedOver >= MAX_PASSED_OVER) {
                    throw kernel.failure("accept on " + this, accepted);
                }
            }
        } finally {
            leave();
        }
    }

    /** Listens on a TCP port. */
    static final class Tcp extends KqueueListener {
        private final InetSocketAddress local;

        Tcp(KqueueProvider provider, Kernel kernel, int fd, InetSocketAddress local) {
            super(provider, kernel, fd);
            this.local = local;
        }

        /** A BSD gives no address of a peer that has reset the connection already. */
        @Override
        @Nullable StreamSource accepted(int accepted, Scratch scratch) {
            InetSocketAddress remote = new Sockaddr(kernel.numbers())
                    .inet(scratch.bytes(), scratch.addressIndex(), scratch.addressLength());
            return remote == null ? null : new TcpStream(provider, kernel, accepted, remote, true);
        }

        @Override
        public SocketAddress localAddress() throws IOException {
            ensureOpen();
            return local;
        }

        @Override
        public String toString() {
            return "tcp listener " + AddressText.of(local);
        }
    }

    /** Listens on a path; its socket file goes when it is closed. */
    static final class Unix extends KqueueListener {
        private final UnixDomainSocketAddress local;
        private final UnixSocketFile file;

        Unix(KqueueProvider provider, Kernel kernel, int fd, UnixDomainSocketAddress local, UnixSocketFile file) {
            super(provider, kernel, fd);
            this.local = local;
            this.file = file;
        }

        @Override
        StreamSource accepted(int accepted, Scratch scratch) {
            UnixDomainSocketAddress remote = new Sockaddr(kernel.numbers())
                    .unix(scratch.bytes(), scratch.addressIndex(), scratch.addressLength());
            return new UnixStream(provider, kernel, accepted, local, remote, true, null);
        }

        @Override
        public SocketAddress localAddress() throws IOException {
            ensureOpen();
            return local;
        }

        @Override
        protected void release() throws IOException {
            try {
                UnixSocketFile.delete(file);
            } finally {
                super.release();
            }
        }

        @Override
        public String toString() {
            return "unix listener " + AddressText.of(local);
        }
    }
}

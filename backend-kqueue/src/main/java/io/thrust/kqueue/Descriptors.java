package io.thrust.kqueue;

import java.io.IOException;

/**
 * Opens descriptors that are non-blocking and close-on-exec: from the start where the system can, and on macOS a moment
 * afterwards. Whatever fails closes what was opened.
 */
final class Descriptors {
    private Descriptors() {}

    static int socket(Kernel kernel, int family, String operation) throws IOException {
        int fd = trySocket(kernel, family);
        if (fd < 0) {
            throw kernel.failure(operation, fd);
        }
        return fd;
    }

    /** A stream socket, or {@code -errno}. */
    static int trySocket(Kernel kernel, int family) {
        Numbers numbers = kernel.numbers();
        int type = numbers.sockStream | numbers.sockNonblock | numbers.sockCloexec;
        int fd = kernel.syscalls().socket(family, type, 0);
        return fd < 0 ? fd : prepared(kernel, fd, true);
    }

    /** A connection of a listener, with the peer's address in the scratch, or {@code -errno}. */
    static int tryAccept(Kernel kernel, int listener, Scratch scratch) {
        Numbers numbers = kernel.numbers();
        scratch.prepareAddress();
        if (numbers.os.opensWithFlags()) {
            int flags = numbers.sockNonblock | numbers.sockCloexec;
            int fd = kernel.syscalls().accept4(listener, scratch.address(), scratch.lengthAddress(), flags);
            return fd < 0 ? fd : prepared(kernel, fd, true);
        }
        int fd = kernel.syscalls().accept(listener, scratch.address(), scratch.lengthAddress());
        return fd < 0 ? fd : prepared(kernel, fd, true);
    }

    /** The ends of a pipe, for {@link #first} (the reader) and {@link #second}. */
    static long pipe(Kernel kernel, String operation) throws IOException {
        Numbers numbers = kernel.numbers();
        Scratch scratch = Scratch.get();
        int result = numbers.os.opensWithFlags()
                ? kernel.syscalls().pipe2(scratch.valueAddress(), numbers.oNonblock | numbers.oCloexec)
                : kernel.syscalls().pipe(scratch.valueAddress());
        if (result < 0) {
            throw kernel.failure(operation, result);
        }
        int reader = scratch.value(0);
        int writer = scratch.value(1);
        int prepared = prepared(kernel, reader, false);
        if (prepared < 0) {
            kernel.syscalls().close(writer);
        } else {
            prepared = prepared(kernel, writer, false);
            if (prepared < 0) {
                kernel.syscalls().close(reader);
            }
        }
        if (prepared < 0) {
            throw kernel.failure(operation, prepared);
        }
        return (long) writer << 32 | reader;
    }

    static int first(long pair) {
        return (int) pair;
    }

    static int second(long pair) {
        return (int) (pair >>> 32);
    }

    /** Returns the descriptor, or closes it and returns {@code -errno}. */
    private static int prepared(Kernel kernel, int fd, boolean isSocket) {
        Numbers numbers = kernel.numbers();
        if (numbers.os.opensWithFlags() && (!isSocket || numbers.msgNosignal != 0)) {
            return fd;
        }
        Syscalls syscalls = kernel.syscalls();
        int result = 0;
        if (!numbers.os.opensWithFlags()) {
            result = syscalls.fcntl(fd, numbers.fSetfd, Numbers.FD_CLOEXEC);
            if (result >= 0) {
                int flags = syscalls.fcntl(fd, numbers.fGetfl, 0);
                result = flags < 0 ? flags : syscalls.fcntl(fd, numbers.fSetfl, flags | numbers.oNonblock);
            }
        }
        if (result >= 0 && isSocket && numbers.msgNosignal == 0) {
            result = SocketCalls.setOption(kernel, fd, numbers.solSocket, numbers.soNosigpipe, 1);
            // So answers macOS for a connection that the peer has reset already.
            result = -result == numbers.einval ? 0 : result;
        }
        if (result < 0) {
            syscalls.close(fd);
            return result;
        }
        return fd;
    }
}

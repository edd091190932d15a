package io.thrust.kqueue;

import org.jspecify.annotations.Nullable;

/**
 * Every system call of this backend. A result of 0 or more is the call's own; a negative one is the error number with its
 * sign changed, so that no caller has to ask for {@code errno}. Addresses are those of native memory that stays where it
 * is for the whole call. Any thread may call.
 */
interface Syscalls {
    int kqueue();

    /**
     * Hands changes over and fetches events.
     *
     * @param timeout a {@code struct timespec}, or null to wait for ever
     */
    int kevent(int kq, long changes, int nchanges, long events, int nevents, @Nullable NativeMemory timeout);

    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int length);

    int listen(int fd, int backlog);

    int accept(int fd, long address, long length);

    /** Not on macOS. */
    int accept4(int fd, long address, long length, int flags);

    int connect(int fd, long address, int length);

    int shutdown(int fd, int how);

    int getsockname(int fd, long address, long length);

    int getpeername(int fd, long address, long length);

    int setsockopt(int fd, int level, int option, long value, int length);

    int getsockopt(int fd, int level, int option, long value, long length);

    int pipe(long descriptors);

    /** Not on macOS. */
    int pipe2(long descriptors, int flags);

    int fcntl(int fd, int command, int argument);

    int close(int fd);

    long read(int fd, long bytes, long count);

    long write(int fd, long bytes, long count);

    long writev(int fd, long vectors, int count);

    long send(int fd, long bytes, long count, int flags);

    long sendmsg(int fd, long message, int flags);
}

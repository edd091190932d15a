package io.thrust.kqueue;

import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.Direct;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Variadic;
import org.jspecify.annotations.Nullable;

/**
 * The system calls through jnr-ffi. Addresses go as {@code long}: that costs some ten nanoseconds and allocates nothing,
 * where a {@link java.nio.ByteBuffer} costs ten times as much. {@code errno} is asked for only when a call failed.
 */
final class JnrSyscalls implements Syscalls {
    private final Library library;
    private final Runtime runtime;
    private final boolean wideCounts;

    private JnrSyscalls(Library library, boolean wideCounts) {
        this.library = library;
        this.runtime = Runtime.getRuntime(library);
        this.wideCounts = wideCounts;
    }

    /**
     * Binds the functions.
     *
     * @param path a library in which each function is looked up before the C library, or null
     * @throws LinkageError if it cannot be loaded; a function that is missing fails when it is called
     */
    static JnrSyscalls load(@Nullable String path, OperatingSystem os, KeventLayout layout) {
        LibraryLoader<Library> loader = LibraryLoader.create(Library.class)
                .mapper((name, context) -> symbol(name, os, layout))
                .failImmediately();
        if (path != null) {
            loader = loader.library(path);
        }
        return new JnrSyscalls(loader.library("c").load(), layout.shape.wide);
    }

    private static String symbol(String name, OperatingSystem os, KeventLayout layout) {
        return switch (name) {
            case "kevent", "keventWide" -> layout.function;
            // NetBSD sys/sys/socket.h: the plain name is that of an older version.
            case "socket" -> os == OperatingSystem.NETBSD ? "__socket30" : name;
            default -> name;
        };
    }

    private int result(int result) {
        return result >= 0 ? result : -LastError.getLastError(runtime);
    }

    private long result(long result) {
        return result >= 0 ? result : -LastError.getLastError(runtime);
    }

    @Override
    public int kqueue() {
        return result(library.kqueue());
    }

    @Override
    public int kevent(int kq, long changes, int nchanges, long events, int nevents, @Nullable NativeMemory timeout) {
        Pointer limit = timeout == null ? null : timeout.pointer();
        return result(
                wideCounts
                        ? library.keventWide(kq, changes, nchanges, events, nevents, limit)
                        : library.kevent(kq, changes, nchanges, events, nevents, limit));
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return result(library.socket(domain, type, protocol));
    }

    @Override
    public int bind(int fd, long address, int length) {
        return result(library.bind(fd, address, length));
    }

    @Override
    public int listen(int fd, int backlog) {
        return result(library.listen(fd, backlog));
    }

    @Override
    public int accept(int fd, long address, long length) {
        return result(library.accept(fd, address, length));
    }

    @Override
    public int accept4(int fd, long address, long length, int flags) {
        return result(library.accept4(fd, address, length, flags));
    }

    @Override
    public int connect(int fd, long address, int length) {
        return result(library.connect(fd, address, length));
    }

    @Override
    public int shutdown(int fd, int how) {
        return result(library.shutdown(fd, how));
    }

    @Override
    public int getsockname(int fd, long address, long length) {
        return result(library.getsockname(fd, address, length));
    }

    @Override
    public int getpeername(int fd, long address, long length) {
        return result(library.getpeername(fd, address, length));
    }

    @Override
    public int setsockopt(int fd, int level, int option, long value, int length) {
        return result(library.setsockopt(fd, level, option, value, length));
    }

    @Override
    public int getsockopt(int fd, int level, int option, long value, long length) {
        return result(library.getsockopt(fd, level, option, value, length));
    }

    @Override
    public int pipe(long descriptors) {
        return result(library.pipe(descriptors));
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return result(library.pipe2(descriptors, flags));
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return result(library.fcntl(fd, command, argument));
    }

    @Override
    public int close(int fd) {
        return result(library.close(fd));
    }

    @Override
    public long read(int fd, long bytes, long count) {
        return result(library.read(fd, bytes, count));
    }

    @Override
    public long write(int fd, long bytes, long count) {
        return result(library.write(fd, bytes, count));
    }

    @Override
    public long writev(int fd, long vectors, int count) {
        return result(library.writev(fd, vectors, count));
    }

    @Override
    public long send(int fd, long bytes, long count, int flags) {
        return result(library.send(fd, bytes, count, flags));
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        return result(library.sendmsg(fd, message, flags));
    }

    /** The functions as C has them. Public because jnr-ffi implements it from another class loader. */
    public interface Library {
        int kqueue();

        /**
         * With six parameters that are all primitive jnr-ffi passes a wrong sixth one on x86_64 (jnr/jnr-ffi#181), so the
         * timeout is an object.
         */
        int kevent(int kq, long changes, int nchanges, long events, int nevents, @In @Direct @Nullable Pointer timeout);

        /** With counts of type {@code size_t}. */
        int keventWide(
                int kq, long changes, long nchanges, long events, long nevents, @In @Direct @Nullable Pointer timeout);

        int socket(int domain, int type, int protocol);

        int bind(int fd, long address, int length);

        int listen(int fd, int backlog);

        int accept(int fd, long address, long length);

        int accept4(int fd, long address, long length, int flags);

        int connect(int fd, long address, int length);

        int shutdown(int fd, int how);

        int getsockname(int fd, long address, long length);

        int getpeername(int fd, long address, long length);

        int setsockopt(int fd, int level, int option, long value, int length);

        int getsockopt(int fd, int level, int option, long value, long length);

        int pipe(long descriptors);

        int pipe2(long descriptors, int flags);

        /** A variadic function passes its last argument elsewhere than others do, on Apple's arm64. */
        @Variadic(fixedCount = 2)
        int fcntl(int fd, int command, int argument);

        int close(int fd);

        long read(int fd, long bytes, long count);

        long write(int fd, long bytes, long count);

        long writev(int fd, long vectors, int count);

        long send(int fd, long bytes, long count, int flags);

        long sendmsg(int fd, long message, int flags);
    }
}

package io.thrust.kqueue;

/** Options of sockets, by number; values pass through the scratch of the thread. Results are 0 or {@code -errno}. */
final class SocketCalls {
    private SocketCalls() {}

    static int setOption(Kernel kernel, int fd, int level, int option, int value) {
        Scratch scratch = Scratch.get();
        scratch.value(0, value);
        return kernel.syscalls().setsockopt(fd, level, option, scratch.valueAddress(), Integer.BYTES);
    }

    /** An option of two integers. */
    static int setOption(Kernel kernel, int fd, int level, int option, int first, int second) {
        Scratch scratch = Scratch.get();
        scratch.value(0, first);
        scratch.value(1, second);
        return kernel.syscalls().setsockopt(fd, level, option, scratch.valueAddress(), 2 * Integer.BYTES);
    }

    /** The value is in the scratch afterwards: {@link Scratch#value(int)}. */
    static int getOption(Kernel kernel, int fd, int level, int option, int integers) {
        Scratch scratch = Scratch.get();
        scratch.prepareValue(integers);
        return kernel.syscalls().getsockopt(fd, level, option, scratch.valueAddress(), scratch.lengthAddress());
    }
}

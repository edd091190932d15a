package io.thrust.kqueue;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in Java that fails on demand: descriptors without files behind them, and a kqueue that registers what it is told
 * and delivers what the test gives it. It is no model of readiness: the C fixture is.
 */
final class FakeSyscalls implements Syscalls {
    private final KeventLayout layout;
    final Numbers numbers = new Numbers(OperatingSystem.LINUX, "amd64");
    final TreeSet<Integer> open = new TreeSet<>();
    /** The filters of the only kqueue, by descriptor and filter. */
    final Map<String, Long> filters = new LinkedHashMap<>();

    /** What {@code kevent} does instead of working, call by call; 0 works. */
    final Deque<Integer> keventFails = new ArrayDeque<>();
    /** The error number of a change, by verb and filter, for example {@code "ADD 5 WRITE"}. */
    final Map<String, Integer> changeFails = new LinkedHashMap<>();
    /** What was asked for, one string a change. */
    final List<String> changes = new ArrayList<>();

    final Deque<Event> events = new ArrayDeque<>();
    int descriptorsLeft = 1000;
    int receiptsLeft = Integer.MAX_VALUE;
    int keventCalls;
    long lastWait;

    /** Of a descriptor and a filter (READ or WRITE). */
    record Event(int fd, String filter, int flags, int fflags, long data) {}

    FakeSyscalls(KeventLayout layout) {
        this.layout = layout;
    }

    private ByteBuffer memory(long address, int size) {
        return MemoryIO.getInstance().newDirectByteBuffer(address, size).order(ByteOrder.nativeOrder());
    }

    private int open() {
        if (descriptorsLeft == 0) {
            return -24;
        }
        descriptorsLeft--;
        int fd = 3;
        while (open.contains(fd)) {
            fd++;
        }
        open.add(fd);
        return fd;
    }

    private String filterName(int number) {
        return number == layout.evfiltRead ? "READ" : number == layout.evfiltWrite ? "WRITE" : "USER";
    }

    @Override
    public int kqueue() {
        return open();
    }

    @Override
    public int kevent(
            int kq, long changesAt, int nchanges, long eventsAt, int nevents, @Nullable NativeMemory timeout) {
        keventCalls++;
        lastWait = timeout == null
                ? -1
                : timeout.bytes().getLong(0) * 1_000_000_000 + timeout.bytes().getLong(8);
        if (!keventFails.isEmpty() && keventFails.peek() != 0) {
            return -keventFails.poll();
        }
        keventFails.poll();
        int written = 0;
        if (nchanges > 0) {
            ByteBuffer in = memory(changesAt, nchanges * layout.size);
            ByteBuffer out = nevents == 0 ? ByteBuffer.allocate(0) : memory(eventsAt, nevents * layout.size);
            for (int i = 0; i < nchanges; i++) {
                int at = i * layout.size;
                byte[] change = new byte[layout.size];
                in.get(at, change);
                long ident = in.getLong(at);
                boolean wide = layout.shape.wide;
                int filter = wide ? in.getInt(at + layout.shape.filter) : in.getShort(at + layout.shape.filter);
                int flags = wide ? in.getInt(at + layout.shape.flags) : in.getShort(at + layout.shape.flags) & 0xffff;
                long udata = in.getLong(at + layout.shape.udata);
                int errno = change(ident, filterName(filter), flags, udata);
                boolean receipt = (flags & KeventLayout.EV_RECEIPT) != 0;
                if (errno == 0 && !receipt) {
                    continue;
                }
                if (written == nevents) {
                    return errno == 0 ? written : -errno;
                }
                if (receiptsLeft == 0) {
                    return written;
                }
                receiptsLeft--;
                int to = written++ * layout.size;
                out.put(to, change);
                putFlags(out, to, KeventLayout.EV_ERROR);
                out.putLong(to + layout.shape.data, errno);
            }
        }
        if (written > 0 || nevents == 0) {
            return written;
        }
        ByteBuffer out = memory(eventsAt, nevents * layout.size);
        while (written < nevents && !events.isEmpty()) {
            Event event = events.poll();
            Long udata = filters.get(event.fd + " " + event.filter);
            if (udata == null) {
                continue;
            }
            int to = written++ * layout.size;
            int filter = event.filter.equals("READ")
                    ? layout.evfiltRead
                    : event.filter.equals("WRITE") ? layout.evfiltWrite : layout.evfiltUser;
            out.putLong(to, event.fd);
            if (layout.shape.wide) {
                out.putInt(to + layout.shape.filter, filter);
            } else {
                out.putShort(to + layout.shape.filter, (short) filter);
            }
            putFlags(out, to, event.flags);
            out.putInt(to + layout.shape.fflags, event.fflags);
            out.putLong(to + layout.shape.data, event.data);
            out.putLong(to + layout.shape.udata, udata);
        }
        return written;
    }

    private void putFlags(ByteBuffer out, int at, int flags) {
        if (layout.shape.wide) {
            out.putInt(at + layout.shape.flags, flags);
        } else {
            out.putShort(at + layout.shape.flags, (short) flags);
        }
    }

    private int change(long ident, String filter, int flags, long udata) {
        String verb = (flags & KeventLayout.EV_ADD) != 0
                ? "ADD"
                : (flags & KeventLayout.EV_DELETE) != 0
                        ? "DELETE"
                        : (flags & KeventLayout.EV_ENABLE) != 0 ? "ENABLE" : "TRIGGER";
        String key = ident + " " + filter;
        changes.add(verb + " " + key);
        Integer fails = changeFails.get(verb + " " + key);
        if (fails != null) {
            return fails;
        }
        switch (verb) {
            case "ADD" -> filters.put(key, udata);
            case "DELETE" -> {
                return filters.remove(key) == null ? numbers.enoent : 0;
            }
            default -> {
                if (!filters.containsKey(key)) {
                    return numbers.enoent;
                }
                if (verb.equals("TRIGGER")) {
                    events.add(new Event((int) ident, filter, 0, 0, 0));
                }
            }
        }
        return 0;
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        return pipe(descriptors);
    }

    @Override
    public int pipe(long descriptors) {
        if (descriptorsLeft < 2) {
            return -24;
        }
        memory(descriptors, 8).putInt(0, open()).putInt(4, open());
        return 0;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return open();
    }

    @Override
    public int close(int fd) {
        filters.keySet().removeIf(key -> key.startsWith(fd + " "));
        if (!open.remove(fd)) {
            return -numbers.ebadf;
        }
        descriptorsLeft++;
        return 0;
    }

    @Override
    public int fcntl(int fd, int command, int argument) {
        return open.contains(fd) ? 0 : -numbers.ebadf;
    }

    @Override
    public long write(int fd, long bytes, long count) {
        return open.contains(fd) ? count : -numbers.ebadf;
    }

    @Override
    public long read(int fd, long bytes, long count) {
        return open.contains(fd) ? -numbers.eagain : -numbers.ebadf;
    }

    // ---- what the poller has no use for

    @Override
    public int bind(int fd, long address, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int listen(int fd, int backlog) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int accept(int fd, long address, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int accept4(int fd, long address, long length, int flags) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int connect(int fd, long address, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int shutdown(int fd, int how) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getsockname(int fd, long address, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getpeername(int fd, long address, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int setsockopt(int fd, int level, int option, long value, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getsockopt(int fd, int level, int option, long value, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long writev(int fd, long vectors, int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long send(int fd, long bytes, long count, int flags) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long sendmsg(int fd, long message, int flags) {
        throw new UnsupportedOperationException();
    }
}

package io.thrust.epoll;

import io.netty.channel.unix.FileDescriptor;
import io.thrust.poll.Interest;

/** A borrowed descriptor. */
final class AdoptedSource extends EpollSource {
    private final Interest directions;

    AdoptedSource(EpollProvider provider, int fd, Interest directions) {
        super(provider, new FileDescriptor(fd));
        this.directions = directions;
    }

    @Override
    public Interest directions() {
        return directions;
    }

    @Override
    protected void release() {
        // Borrowed: it stays open.
    }

    @Override
    public String toString() {
        return "adopted fd " + fd.intValue();
    }
}

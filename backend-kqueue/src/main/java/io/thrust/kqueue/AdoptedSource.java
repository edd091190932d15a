package io.thrust.kqueue;

import io.thrust.poll.Interest;

/** A borrowed descriptor. */
final class AdoptedSource extends KqueueSource {
    private final Interest directions;

    AdoptedSource(KqueueProvider provider, Kernel kernel, int fd, Interest directions) {
        super(provider, kernel, fd);
        this.directions = directions;
    }

    @Override
    public Interest directions() {
        return directions;
    }

    @Override
    int closeDescriptor() {
        return 0; // borrowed: it stays open
    }

    @Override
    public String toString() {
        return "adopted fd " + fd;
    }
}

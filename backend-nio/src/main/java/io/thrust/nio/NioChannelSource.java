package io.thrust.nio;

import io.thrust.poll.Interest;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

/** A channel of the user's that is only watched: the user operates it directly. */
final class NioChannelSource extends NioSource {

    NioChannelSource(NioProvider provider, SelectableChannel channel) {
        super(
                provider,
                channel,
                true,
                Interest.of(
                        (channel.validOps() & SelectionKey.OP_READ) != 0,
                        (channel.validOps() & SelectionKey.OP_WRITE) != 0));
    }

    @Override
    public String toString() {
        return "adopted channel " + channel.getClass().getSimpleName() + "@"
                + Integer.toHexString(System.identityHashCode(channel));
    }
}

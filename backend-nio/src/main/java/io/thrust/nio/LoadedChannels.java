package io.thrust.nio;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the JDK initialise what writes and closes need. It does so at the first of them otherwise, needs descriptors for it,
 * and if there are none then (seen with JDK 17: {@code NoClassDefFoundError}) no write or close of this process ever works
 * again, whatever is closed afterwards.
 */
final class LoadedChannels {
    /** Of the pipe, and of what is initialised. */
    private static final int NEEDED = 4;

    private static volatile boolean loaded;

    private LoadedChannels() {}

    /** Once for all, at the first poller: without descriptors that fails in an orderly way. */
    static void load() throws IOException {
        if (loaded) {
            return;
        }
        try {
            ensureRoom();
            Pipe pipe = Pipe.open();
            try (Pipe.SourceChannel source = pipe.source();
                    Pipe.SinkChannel sink = pipe.sink()) {
                ByteBuffer one = ByteBuffer.allocateDirect(1);
                sink.write(one);
                source.read(one.clear());
            }
        } catch (IOException e) {
            throw NioErrors.map("open a poller", e);
        }
        loaded = true;
    }

    /** Fails before anything is begun that would stay undone; with files, since a channel's own close would begin it. */
    private static void ensureRoom() throws IOException {
        File nothing = new File("/dev/null");
        if (!nothing.exists()) {
            return; // Windows has no such limit
        }
        List<InputStream> room = new ArrayList<>();
        try {
            while (room.size() < NEEDED) {
                room.add(new FileInputStream(nothing));
            }
        } finally {
            for (InputStream one : room) {
                one.close();
            }
        }
    }
}

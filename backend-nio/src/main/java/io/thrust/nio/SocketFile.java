package io.thrust.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The file that binding a Unix domain socket has made.
 *
 * @param identity tells this file from one that took its place later; null where the file system has nothing such
 */
record SocketFile(Path path, @Nullable Object identity) {

    /** The file of a socket that was bound a moment ago, or null if it has none. */
    static @Nullable SocketFile of(SocketAddress bound) {
        if (!(bound instanceof UnixDomainSocketAddress unix)
                || unix.getPath().toString().isEmpty()) {
            return null;
        }
        Path path = unix.getPath().toAbsolutePath();
        try {
            return new SocketFile(path, identity(path));
        } catch (IOException e) {
            return null;
        }
    }

    /** Removes the file, unless it is gone or another one by now. */
    void delete() throws IOException {
        try {
            Object present = identity(path);
            if (identity == null || identity.equals(present)) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            // Somebody else has removed it.
        }
    }

    private static @Nullable Object identity(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }
}

package io.thrust.tck.netty;

import io.netty.channel.unix.DomainSocketAddress;
import io.thrust.poll.spi.SocketError;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The file that binding a Unix domain socket created.
 *
 * @param inode by which it is recognised
 */
record NettySocketFile(Path path, Object inode) {
    /** {@code sun_path} of a BSD without its terminating zero. */
    private static final int MAX_PATH_BYTES = 103;

    /** The address as Netty takes it; checked, because the system would be given a longer path cut. */
    static DomainSocketAddress checked(UnixDomainSocketAddress address, String operation) throws SocketException {
        String path = address.getPath().toString();
        int bytes = path.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_PATH_BYTES) {
            throw new SocketException(operation + ": the path has " + bytes + " bytes, but must have 1 to "
                    + MAX_PATH_BYTES + "; choose a file in a directory with a shorter path");
        }
        return new DomainSocketAddress(path);
    }

    /** As {@link #checked}, to bind to: nothing may exist there, for the native bind would delete it. */
    static DomainSocketAddress free(UnixDomainSocketAddress address, String operation) throws SocketException {
        DomainSocketAddress checked = checked(address, operation);
        if (Files.exists(address.getPath(), LinkOption.NOFOLLOW_LINKS)) {
            throw SocketError.ADDRESS_IN_USE.exception(operation);
        }
        return checked;
    }

    /** The file of an address that was bound to a moment ago. */
    static NettySocketFile bound(UnixDomainSocketAddress address) throws IOException {
        return new NettySocketFile(address.getPath(), inode(address.getPath()));
    }

    private static Object inode(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Deletes the file if it still is the one that was bound. */
    static void delete(@Nullable NettySocketFile file) throws IOException {
        try {
            if (file != null && file.inode.equals(inode(file.path))) {
                Files.deleteIfExists(file.path);
            }
        } catch (NoSuchFileException e) {
            // Gone already.
        }
    }
}

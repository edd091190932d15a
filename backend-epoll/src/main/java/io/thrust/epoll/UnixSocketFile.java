package io.thrust.epoll;

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

/** The file that binding a Unix domain socket created, recognised by its inode. */
final class UnixSocketFile {
    /** {@code sun_path} without its terminating zero. */
    private static final int MAX_PATH_BYTES = 107;

    private final Path path;
    private final Object inode;

    private UnixSocketFile(Path path, Object inode) {
        this.path = path;
        this.inode = inode;
    }

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
    static UnixSocketFile bound(UnixDomainSocketAddress address) throws IOException {
        return new UnixSocketFile(address.getPath(), inode(address.getPath()));
    }

    private static Object inode(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Deletes the file if it still is the one that was bound. */
    static void delete(@Nullable UnixSocketFile file) throws IOException {
        if (file == null) {
            return;
        }
        try {
            if (file.inode.equals(inode(file.path))) {
                Files.deleteIfExists(file.path);
            }
        } catch (NoSuchFileException e) {
            // Gone already.
        }
    }
}

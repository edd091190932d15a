package io.thrust.poll.spi;

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

/** The file that binding a Unix domain socket created, recognised by its inode: for backends that bind natively. */
public final class UnixSocketFile {
    private final Path path;
    private final Object inode;

    private UnixSocketFile(Path path, Object inode) {
        this.path = path;
        this.inode = inode;
    }

    /**
     * The bytes of an address's path.
     *
     * @param most how many bytes the system takes, the terminating zero apart: it would be given a longer path cut
     * @param operation begins the message
     * @throws SocketException if there are none, or more
     */
    public static byte[] pathBytes(UnixDomainSocketAddress address, int most, String operation) throws SocketException {
        byte[] bytes = address.getPath().toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > most) {
            throw new SocketException(operation + ": the path has " + bytes.length + " bytes, but must have 1 to "
                    + most + "; choose a file in a directory with a shorter path");
        }
        return bytes;
    }

    /** The file of an address that was bound to a moment ago. */
    public static UnixSocketFile bound(UnixDomainSocketAddress address) throws IOException {
        return new UnixSocketFile(address.getPath(), inode(address.getPath()));
    }

    private static Object inode(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
        if (key == null) {
            throw SocketError.other("look at " + path, "the file system tells no inode");
        }
        return key;
    }

    /** Deletes the file if it still is the one that was bound; null is no file. */
    public static void delete(@Nullable UnixSocketFile file) throws IOException {
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

/*
 * The C library's calls that a BSD kernel would notice on a watched descriptor, and Linux would not tell us of. They do
 * what they always do; the fixture only learns of them.
 *
 * - close: the notes of the descriptor are gone with it, even if the file stays open under another number, and a
 *   closed queue is freed at once. A program that closes without us loses nothing but promptness: see kq_queue.c.
 * - the writes: a BSD wakes a writer at every acknowledgement (sowwakeup in tcp_input), Linux only after a full send
 *   buffer has drained. On loopback the acknowledgement follows the write, so a write stands for it here.
 */
#define _GNU_SOURCE
#include "kq_internal.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

KQ_EXPORT int close(int fd) {
    queue_descriptor_closing(fd);
    return direct_close(fd);
}

static ssize_t after_write(int fd, ssize_t written) {
    int untouched = errno;
    if (written > 0) {
        queue_descriptor_written(fd);
    }
    errno = untouched;
    return written;
}

KQ_EXPORT ssize_t write(int fd, const void *bytes, size_t count) {
    return after_write(fd, syscall(SYS_write, fd, bytes, count));
}

KQ_EXPORT ssize_t writev(int fd, const struct iovec *vectors, int count) {
    return after_write(fd, syscall(SYS_writev, fd, vectors, count));
}

KQ_EXPORT ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    return after_write(fd, syscall(SYS_sendto, fd, bytes, count, flags, NULL, 0));
}

KQ_EXPORT ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *address,
                         socklen_t length) {
    return after_write(fd, syscall(SYS_sendto, fd, bytes, count, flags, address, length));
}

KQ_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    return after_write(fd, syscall(SYS_sendmsg, fd, message, flags));
}

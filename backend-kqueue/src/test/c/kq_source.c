/*
 * What a descriptor is, and whether a BSD kernel would call it readable or writable now.
 *
 * The rules are those of filt_soread and filt_sowrite (FreeBSD sys/kern/uipc_socket.c) and of filt_piperead and
 * filt_pipewrite (sys/kern/sys_pipe.c), asked of a Linux kernel. Two differences need care:
 *
 * - a TCP socket that was never connected polls as "hung up and writable" on Linux, and as nothing on a BSD;
 * - the BSD filters report the socket's pending error without taking it. Linux gives the error only to a caller
 *   that takes it, so it is derived: a pending error shows as POLLERR, and its cause follows from what the
 *   connection had been before.
 */
#define _GNU_SOURCE
#include "kq_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* The numbers of Linux's TCP states, as TCP_INFO gives them. */
enum {
    STATE_SYN_SENT = 2,
    STATE_FIN_WAIT1 = 4,
    STATE_FIN_WAIT2 = 5,
    STATE_TIME_WAIT = 6,
    STATE_CLOSE = 7,
    STATE_LAST_ACK = 9,
    STATE_LISTEN = 10,
    STATE_CLOSING = 11
};

static int socket_option(int fd, int option, int fallback) {
    int value = fallback;
    socklen_t length = sizeof value;
    return getsockopt(fd, SOL_SOCKET, option, &value, &length) == 0 ? value : fallback;
}

static enum source_kind socket_kind(int fd) {
    int type = socket_option(fd, SO_TYPE, 0);
    if (type == SOCK_STREAM && socket_option(fd, SO_PROTOCOL, 0) == IPPROTO_TCP) {
        return SOURCE_TCP;
    }
    if (type == SOCK_STREAM && socket_option(fd, SO_DOMAIN, 0) == AF_UNIX) {
        return SOURCE_UNIX_STREAM;
    }
    return SOURCE_SOCKET;
}

bool source_of(int fd, struct source *out) {
    struct stat stat;
    if (fstat(fd, &stat) != 0) {
        return false;
    }
    memset(out, 0, sizeof *out);
    out->dev = stat.st_dev;
    out->ino = stat.st_ino;
    out->kind = S_ISSOCK(stat.st_mode) ? socket_kind(fd) : S_ISFIFO(stat.st_mode) ? SOURCE_PIPE : SOURCE_OTHER;
    return true;
}

bool source_is_same(int fd, const struct source *source) {
    struct stat stat;
    return fstat(fd, &stat) == 0 && stat.st_dev == source->dev && stat.st_ino == source->ino;
}

static short poll_now(int fd, short events) {
    struct pollfd poll_fd = {.fd = fd, .events = events};
    return poll(&poll_fd, 1, 0) > 0 ? poll_fd.revents : 0;
}

static int bytes_by_ioctl(int fd, unsigned long request) {
    int bytes = 0;
    return ioctl(fd, request, &bytes) == 0 ? bytes : 0;
}

static bool may_write(int fd) {
    return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

bool source_is_pipe_without_reader(int fd, const struct source *source) {
    return source->kind == SOURCE_PIPE && may_write(fd) && (poll_now(fd, POLLOUT) & POLLERR) != 0;
}

static struct tcp_info tcp_info_of(int fd) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) {
        info.tcpi_state = STATE_CLOSE;
    }
    return info;
}

static void remember_connection(struct source *source, const struct tcp_info *info) {
    bool open = info->tcpi_state != STATE_CLOSE && info->tcpi_state != STATE_SYN_SENT
                && info->tcpi_state != STATE_LISTEN;
    if (open || info->tcpi_bytes_acked > 0 || info->tcpi_bytes_received > 0 || info->tcpi_rtt > 0) {
        source->connected = true;
    }
}

/* The error that is pending on a socket, which stays pending. */
static uint32_t pending_error(const struct source *source, short revents) {
    if ((revents & POLLERR) == 0) {
        return 0;
    }
    if (source->kind == SOURCE_UNIX_STREAM || source->connected) {
        return ECONNRESET;
    }
    return ECONNREFUSED;
}

/* Neither connected nor connecting, and no error that says that it tried: a BSD reports nothing. */
static bool is_unconnected(short revents) {
    return (revents & POLLHUP) != 0 && (revents & (POLLRDHUP | POLLERR)) == 0;
}

static struct readiness stream_readable(int fd, struct source *source) {
    struct readiness found = {0};
    short revents = poll_now(fd, POLLIN | POLLRDHUP | POLLPRI);
    if (source->kind == SOURCE_TCP) {
        struct tcp_info info = tcp_info_of(fd);
        remember_connection(source, &info);
        if (info.tcpi_state == STATE_LISTEN) {
            found.ready = (revents & POLLIN) != 0;
            /* Of a listening socket Linux gives the length of the accept queue in this field. */
            found.data = found.ready && info.tcpi_unacked == 0 ? 1 : (int64_t)info.tcpi_unacked;
            return found;
        }
    } else if (socket_option(fd, SO_ACCEPTCONN, 0) != 0) {
        found.ready = (revents & POLLIN) != 0;
        found.data = found.ready ? 1 : 0;
        return found;
    }
    if (is_unconnected(revents)) {
        return found;
    }
    found.data = bytes_by_ioctl(fd, FIONREAD);
    if ((revents & POLLPRI) != 0) {
        /* Linux counts up to the urgent mark, a BSD to the end: what lies behind the mark must not seem absent. */
        found.data++;
    }
    if ((revents & POLLRDHUP) != 0) {
        found.ready = true;
        found.eof = true;
        found.fflags = pending_error(source, revents);
    } else {
        found.ready = (revents & (POLLIN | POLLERR)) != 0;
    }
    return found;
}

struct readiness source_readable(int fd, struct source *source) {
    if (source->kind == SOURCE_TCP || source->kind == SOURCE_UNIX_STREAM) {
        return stream_readable(fd, source);
    }
    struct readiness found = {0};
    short revents = poll_now(fd, POLLIN);
    found.data = bytes_by_ioctl(fd, FIONREAD);
    switch (source->kind) {
        case SOURCE_PIPE:
            found.eof = (revents & POLLHUP) != 0;
            found.ready = (revents & (POLLIN | POLLHUP)) != 0;
            break;
        case SOURCE_SOCKET:
            found.ready = (revents & (POLLIN | POLLERR)) != 0;
            break;
        default:
            found.eof = (revents & POLLHUP) != 0;
            found.ready = (revents & (POLLIN | POLLHUP | POLLERR)) != 0;
            if (found.ready && found.data == 0) {
                found.data = 1;
            }
            break;
    }
    return found;
}

static bool cannot_send(int fd, const struct source *source, short revents, const struct tcp_info *info) {
    if (source->kind == SOURCE_UNIX_STREAM) {
        /* Sends nothing; fails only if this side was shut down for writing or the peer is gone. */
        return syscall(SYS_sendto, fd, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0) < 0 && errno == EPIPE;
    }
    switch (info->tcpi_state) {
        case STATE_FIN_WAIT1:
        case STATE_FIN_WAIT2:
        case STATE_CLOSING:
        case STATE_LAST_ACK:
        case STATE_TIME_WAIT:
            return true;
        case STATE_CLOSE:
            return (revents & POLLRDHUP) != 0;
        default:
            return false;
    }
}

static int64_t send_space(int fd, int unsent) {
    int64_t space = (int64_t)socket_option(fd, SO_SNDBUF, 1) - unsent;
    return space > 0 ? space : 1;
}

static struct readiness stream_writable(int fd, struct source *source) {
    struct readiness found = {0};
    struct tcp_info info = {0};
    short revents = poll_now(fd, POLLOUT | POLLRDHUP);
    if (source->kind == SOURCE_TCP) {
        info = tcp_info_of(fd);
        remember_connection(source, &info);
    }
    if (is_unconnected(revents)) {
        return found;
    }
    found.connected = source->connected;
    found.acked = info.tcpi_bytes_acked;
    found.unsent = bytes_by_ioctl(fd, TIOCOUTQ);
    found.peer_finished = (revents & POLLRDHUP) != 0;
    if (cannot_send(fd, source, revents, &info)) {
        found.ready = true;
        found.eof = true;
        found.fflags = pending_error(source, revents);
    } else {
        found.ready = (revents & (POLLOUT | POLLERR)) != 0;
    }
    found.data = found.ready ? send_space(fd, found.unsent) : 0;
    return found;
}

struct readiness source_writable(int fd, struct source *source) {
    if (source->kind == SOURCE_TCP || source->kind == SOURCE_UNIX_STREAM) {
        return stream_writable(fd, source);
    }
    struct readiness found = {0};
    short revents = poll_now(fd, POLLOUT);
    found.ready = (revents & (POLLOUT | POLLERR)) != 0;
    if (source->kind == SOURCE_PIPE) {
        found.eof = (revents & POLLERR) != 0;
        found.data = found.eof ? 0 : fcntl(fd, F_GETPIPE_SZ) - bytes_by_ioctl(fd, FIONREAD);
    } else {
        found.data = found.ready ? send_space(fd, bytes_by_ioctl(fd, TIOCOUTQ)) : 0;
    }
    return found;
}

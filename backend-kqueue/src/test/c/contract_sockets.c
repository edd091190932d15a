/* Sockets: what is readable and writable, what data and fflags say, and how an end is told. */
#define _GNU_SOURCE
#include "contract.h"

#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void add(int kq, int fd, filter_number filter, unsigned flags) {
    CHECK_EQUAL(change(kq, (uint64_t)fd, filter, EV_ADD | flags), 0);
}

/* Waits until both filters of a descriptor have been told, in one call or two. */
static void await_both(int kq, int fd, struct kevent *read_event, struct kevent *write_event) {
    bool has_read = false;
    bool has_write = false;
    while (!has_read || !has_write) {
        struct kevent events[4];
        int count = await(kq, events, 4);
        for (int i = 0; i < count; i++) {
            CHECK_EQUAL(events[i].ident, fd);
            if (events[i].filter == EVFILT_READ) {
                *read_event = events[i];
                has_read = true;
            } else {
                *write_event = events[i];
                has_write = true;
            }
        }
    }
}

static int pending_error(int socket) {
    int error = -1;
    socklen_t length = sizeof error;
    CHECK(getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0);
    return error;
}

/* A port of the loopback that nobody listens on, as a listener's address that was closed. */
static int refused_socket(int kq, unsigned flags, bool add_first) {
    int listener = new_listener();
    int fd = new_tcp_socket();
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    close(listener);
    if (add_first) {
        add(kq, fd, EVFILT_READ, flags);
        add(kq, fd, EVFILT_WRITE, flags);
        silent(kq);
    }
    CHECK(connect(fd, (struct sockaddr *)&address, length) < 0 && errno == EINPROGRESS);
    if (!add_first) {
        add(kq, fd, EVFILT_READ, flags);
        add(kq, fd, EVFILT_WRITE, flags);
    }
    return fd;
}

static void read_data_is_the_bytes(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, 0);
    put(ends[1], "hello");
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.data, 5);
    CHECK_EQUAL(event.flags & EV_EOF, 0);
    char two[2];
    CHECK_EQUAL(read(ends[0], two, 2), 2);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).data, 3);
}

static void listener_data_is_the_backlog(void) {
    int kq = new_queue();
    int listener = new_listener();
    add(kq, listener, EVFILT_READ, 0);
    silent(kq);
    CHECK(start_connect(new_tcp_socket(), listener));
    CHECK_EQUAL(await_one(kq, (uint64_t)listener, EVFILT_READ).data, 1);
    CHECK(start_connect(new_tcp_socket(), listener));
    CHECK_EQUAL(await_one(kq, (uint64_t)listener, EVFILT_READ).data, 2);
    CHECK(accept(listener, NULL, NULL) >= 0);
    CHECK(accept(listener, NULL, NULL) >= 0);
    silent(kq);
}

static void each_connection_is_an_edge(void) {
    int kq = new_queue();
    int listener = new_listener();
    add(kq, listener, EVFILT_READ, EV_CLEAR);
    for (int i = 0; i < 3; i++) {
        CHECK(start_connect(new_tcp_socket(), listener));
        await_one(kq, (uint64_t)listener, EVFILT_READ);
    }
    silent(kq);
}

static void listener_is_never_writable(void) {
    int kq = new_queue();
    int listener = new_listener();
    add(kq, listener, EVFILT_WRITE, 0);
    CHECK(start_connect(new_tcp_socket(), listener));
    silent(kq);
    int local = socket(AF_UNIX, SOCK_STREAM, 0);
    /* No name: the kernel gives one. */
    struct sockaddr address = {.sa_family = AF_UNIX};
    CHECK(bind(local, &address, sizeof address.sa_family) == 0);
    CHECK(listen(local, 1) == 0);
    add(kq, local, EVFILT_WRITE, 0);
    silent(kq);
}

static void write_data_is_the_space(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, 0);
    int64_t space = await_one(kq, (uint64_t)ends[0], EVFILT_WRITE).data;
    CHECK(space > 1024);
    fill(ends[0]);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, EV_DELETE), 0);
    drain(ends[1]);
    add(kq, ends[0], EVFILT_WRITE, 0);
    CHECK(await_one(kq, (uint64_t)ends[0], EVFILT_WRITE).data > 0);
}

static void each_acknowledgement_is_a_write_edge(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    silent(kq);
    for (int i = 0; i < 3; i++) {
        put(ends[0], "request");
        await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    }
    silent(kq);
    CHECK_EQUAL(send(ends[0], "x", 1, MSG_NOSIGNAL), 1);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
}

static void dispatch_spares_the_acknowledgements(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR | EV_DISPATCH);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    put(ends[0], "request");
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, EV_ENABLE), 0);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    put(ends[0], "request");
    silent(kq);
}

static void full_buffer_is_not_writable(int kq, int ends[2], unsigned flags) {
    fill(ends[0]);
    add(kq, ends[0], EVFILT_WRITE, flags);
    silent(kq);
    drain(ends[1]);
    CHECK(await_one(kq, (uint64_t)ends[0], EVFILT_WRITE).data > 0);
}

static void full_tcp_buffer(void) {
    int ends[2];
    new_tcp_pair(ends);
    full_buffer_is_not_writable(new_queue(), ends, 0);
}

static void full_unix_buffer(void) {
    int ends[2];
    new_unix_pair(ends);
    full_buffer_is_not_writable(new_queue(), ends, EV_CLEAR);
}

static void drained_buffer_is_an_edge(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    fill(ends[0]);
    struct kevent events[2];
    take(kq, events, 2);
    silent(kq);
    drain(ends[1]);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
}

static void enabled_after_blocking(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR | EV_DISPATCH);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    fill(ends[0]);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, EV_ENABLE), 0);
    silent(kq);
    drain(ends[1]);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
}

static void fin_is_eof_with_the_rest(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, 0);
    put(ends[1], "rest");
    close(ends[1]);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    while ((event.flags & EV_EOF) == 0) {
        event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    }
    CHECK_EQUAL(event.data, 4);
    CHECK_EQUAL(event.fflags, 0);
    CHECK_EQUAL(drain(ends[0]), 4);
    event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.data, 0);
}

static void fin_is_an_edge_of_its_own(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    put(ends[1], "rest");
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).flags & EV_EOF, 0);
    CHECK(shutdown(ends[1], SHUT_WR) == 0);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.data, 4);
    silent(kq);
}

static void fin_is_no_write_edge(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_WRITE).flags & EV_EOF, 0);
    CHECK(shutdown(ends[1], SHUT_WR) == 0);
    silent(kq);
}

static void reset_ends_both(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    reset_and_close(ends[1]);
    struct kevent read_event;
    struct kevent write_event;
    await_both(kq, ends[0], &read_event, &write_event);
    CHECK_EQUAL(read_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(write_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(read_event.fflags, ECONNRESET);
    CHECK_EQUAL(write_event.fflags, ECONNRESET);
}

static void reset_is_left_for_the_read(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, 0);
    reset_and_close(ends[1]);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).fflags, ECONNRESET);
    char byte;
    CHECK_EQUAL(read(ends[0], &byte, 1), -1);
    CHECK_EQUAL(errno, ECONNRESET);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.fflags, 0);
}

static void reset_before_registration(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    reset_and_close(ends[0]);
    struct pollfd one = {.fd = ends[1], .events = POLLIN};
    CHECK(poll(&one, 1, 10000) == 1);
    add(kq, ends[1], EVFILT_READ, 0);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[1], EVFILT_READ).fflags, ECONNRESET);
}

static void refused_connect_ends_both(unsigned flags, bool add_first) {
    int kq = new_queue();
    int fd = refused_socket(kq, flags, add_first);
    struct kevent read_event;
    struct kevent write_event;
    await_both(kq, fd, &read_event, &write_event);
    CHECK_EQUAL(read_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(write_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(read_event.fflags, ECONNREFUSED);
    CHECK_EQUAL(write_event.fflags, ECONNREFUSED);
    CHECK_EQUAL(pending_error(fd), ECONNREFUSED);
}

static void refused_connect(void) {
    refused_connect_ends_both(0, false);
}

static void refused_connect_of_a_registered_socket(void) {
    refused_connect_ends_both(EV_CLEAR, true);
}

static void error_is_told_until_taken(void) {
    int kq = new_queue();
    int fd = refused_socket(kq, 0, false);
    struct kevent read_event;
    struct kevent write_event;
    await_both(kq, fd, &read_event, &write_event);
    await_both(kq, fd, &read_event, &write_event);
    CHECK_EQUAL(write_event.fflags, ECONNREFUSED);
    CHECK_EQUAL(pending_error(fd), ECONNREFUSED);
    await_both(kq, fd, &read_event, &write_event);
    CHECK_EQUAL(write_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(write_event.fflags, 0);
}

static void unconnected_socket_is_silent(void) {
    int kq = new_queue();
    int fd = new_tcp_socket();
    add(kq, fd, EVFILT_READ, 0);
    add(kq, fd, EVFILT_WRITE, 0);
    silent(kq);
}

static void connected_is_writable(void) {
    int kq = new_queue();
    int listener = new_listener();
    int fd = new_tcp_socket();
    add(kq, fd, EVFILT_READ, EV_CLEAR);
    add(kq, fd, EVFILT_WRITE, EV_CLEAR);
    CHECK(start_connect(fd, listener));
    struct kevent event = await_one(kq, (uint64_t)fd, EVFILT_WRITE);
    CHECK_EQUAL(event.flags & EV_EOF, 0);
    CHECK_EQUAL(event.fflags, 0);
    silent(kq);
}

static void own_shutdown_ends_writing(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_WRITE).flags & EV_EOF, 0);
    CHECK(shutdown(ends[0], SHUT_WR) == 0);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.fflags, 0);
}

static void own_shutdown_ends_reading(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    CHECK(shutdown(ends[0], SHUT_RD) == 0);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).flags & EV_EOF, EV_EOF);
}

static void unix_close_ends_both(void) {
    int kq = new_queue();
    int ends[2];
    new_unix_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    put(ends[1], "last");
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).data, 4);
    close(ends[1]);
    struct kevent read_event;
    struct kevent write_event;
    await_both(kq, ends[0], &read_event, &write_event);
    CHECK_EQUAL(read_event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(read_event.data, 4);
    CHECK_EQUAL(write_event.flags & EV_EOF, EV_EOF);
}

static void unix_half_close_ends_reading(void) {
    int kq = new_queue();
    int ends[2];
    new_unix_pair(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    CHECK(shutdown(ends[1], SHUT_WR) == 0);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).flags & EV_EOF, EV_EOF);
    silent(kq);
    CHECK(shutdown(ends[0], SHUT_WR) == 0);
    struct kevent events[4];
    bool ended = false;
    while (!ended) {
        int count = await(kq, events, 4);
        for (int i = 0; i < count; i++) {
            ended = ended || (events[i].filter == EVFILT_WRITE && (events[i].flags & EV_EOF) != 0);
        }
    }
}

static void datagrams(void) {
    int kq = new_queue();
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    CHECK(bind(fd, (struct sockaddr *)&address, length) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    add(kq, fd, EVFILT_READ, EV_CLEAR);
    add(kq, fd, EVFILT_WRITE, EV_CLEAR);
    CHECK_EQUAL(await_one(kq, (uint64_t)fd, EVFILT_WRITE).flags & EV_EOF, 0);
    CHECK_EQUAL(sendto(fd, "abc", 3, 0, (struct sockaddr *)&address, length), 3);
    struct kevent events[4];
    bool readable = false;
    while (!readable) {
        int count = await(kq, events, 4);
        for (int i = 0; i < count; i++) {
            CHECK_EQUAL(events[i].flags & EV_EOF, 0);
            if (events[i].filter == EVFILT_READ) {
                readable = true;
                CHECK(events[i].data >= 3);
            }
        }
    }
}

static void urgent_data_hides_nothing(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    put(ends[1], "abc");
    CHECK_EQUAL(send(ends[1], "d", 1, MSG_OOB), 1);
    put(ends[1], "efg");
    struct pollfd one = {.fd = ends[0], .events = POLLPRI};
    CHECK(poll(&one, 1, 10000) == 1);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    char bytes[16];
    int64_t data = await_one(kq, (uint64_t)ends[0], EVFILT_READ).data;
    CHECK(data > read(ends[0], bytes, sizeof bytes));
}

const struct row socket_rows[] = {
    {"S01", "data of the read filter is the number of bytes to read", "doc FreeBSD kqueue(2) EVFILT_READ",
     read_data_is_the_bytes},
    {"S02", "data of a listener is the number of connections to accept", "doc FreeBSD kqueue(2) EVFILT_READ",
     listener_data_is_the_backlog},
    {"S03", "each connection is an edge of the listener", "read FreeBSD sys/kern/uipc_socket.c solisten_wakeup",
     each_connection_is_an_edge},
    {"S04", "a listener is never writable", "read FreeBSD sys/kern/uipc_socket.c filt_sowrite",
     listener_is_never_writable},
    {"S05", "data of the write filter is the space in the send buffer", "doc FreeBSD kqueue(2) EVFILT_WRITE",
     write_data_is_the_space},
    {"S06", "with EV_CLEAR, each acknowledgement of what was sent is an edge of the write filter",
     "read NetBSD, FreeBSD sys/netinet/tcp_input.c (sowwakeup)", each_acknowledgement_is_a_write_edge},
    {"S07", "EV_DISPATCH spares the write filter those edges", "read FreeBSD sys/kern/kern_event.c kqueue_scan",
     dispatch_spares_the_acknowledgements},
    {"S08", "a full send buffer of TCP is not writable until the peer reads",
     "read FreeBSD sys/kern/uipc_socket.c filt_sowrite", full_tcp_buffer},
    {"S09", "a full send buffer of a Unix domain socket is not writable until the peer reads",
     "read FreeBSD sys/kern/uipc_socket.c filt_sowrite", full_unix_buffer},
    {"S10", "a send buffer that drains is an edge of the write filter",
     "read FreeBSD sys/kern/uipc_sockbuf.c sowakeup", drained_buffer_is_an_edge},
    {"S11", "EV_ENABLE of a write filter whose buffer is full is silent until it drains",
     "read FreeBSD sys/kern/kern_event.c kqueue_register", enabled_after_blocking},
    {"S12", "FIN is EV_EOF of the read filter, with the bytes that are left, for as long as it is asked",
     "doc FreeBSD kqueue(2) EVFILT_READ: it is possible for EOF to be returned with data pending",
     fin_is_eof_with_the_rest},
    {"S13", "FIN is an edge of its own", "read FreeBSD sys/kern/uipc_sockbuf.c socantrcvmore",
     fin_is_an_edge_of_its_own},
    {"S14", "FIN is no edge of the write filter", "read FreeBSD sys/kern/uipc_sockbuf.c socantrcvmore",
     fin_is_no_write_edge},
    {"S15", "a reset is EV_EOF of both filters, with ECONNRESET in fflags",
     "doc FreeBSD kqueue(2): EV_EOF, socket error in fflags; read uipc_socket.c soisdisconnected", reset_ends_both},
    {"S16", "the filter does not take the error: the read fails with it; afterwards fflags is 0",
     "read FreeBSD sys/kern/uipc_socket.c filt_soread", reset_is_left_for_the_read},
    {"S17", "a reset before the registration is told as ECONNRESET too",
     "read FreeBSD sys/kern/uipc_socket.c filt_soread", reset_before_registration},
    {"S18", "a refused connect is EV_EOF of both filters, ECONNREFUSED in fflags and in SO_ERROR",
     "read FreeBSD sys/netinet/tcp_subr.c tcp_drop; uipc_socket.c filt_soread, filt_sowrite", refused_connect},
    {"S19", "so it is if both were registered before connect",
     "read FreeBSD sys/kern/uipc_socket.c soisdisconnected", refused_connect_of_a_registered_socket},
    {"S20", "the error stays in fflags until it is taken, EV_EOF stays after it",
     "read FreeBSD sys/kern/uipc_socket.c filt_sowrite", error_is_told_until_taken},
    {"S21", "a TCP socket that is not connected is neither readable nor writable",
     "read FreeBSD sys/kern/uipc_socket.c filt_sowrite (SS_ISCONNECTED)", unconnected_socket_is_silent},
    {"S22", "a connect that succeeds makes the write filter fire, without EV_EOF",
     "read FreeBSD sys/kern/uipc_socket.c soisconnected", connected_is_writable},
    {"S23", "the own shutdown of writing is EV_EOF of the write filter",
     "read FreeBSD sys/kern/uipc_sockbuf.c socantsendmore", own_shutdown_ends_writing},
    {"S24", "the own shutdown of reading is EV_EOF of the read filter",
     "read FreeBSD sys/kern/uipc_socket.c sorflush", own_shutdown_ends_reading},
    {"S25", "the close of a Unix domain peer is EV_EOF of both filters, and leaves its data",
     "read FreeBSD sys/kern/uipc_usrreq.c unp_disconnect", unix_close_ends_both},
    {"S26", "a Unix domain peer that ends writing ends our reading alone",
     "read FreeBSD sys/kern/uipc_usrreq.c unp_shutdown", unix_half_close_ends_reading},
    {"S27", "a datagram is readable, and a datagram socket knows no EV_EOF",
     "read FreeBSD sys/kern/uipc_socket.c filt_soread", datagrams},
    {"S28", "data counts what lies behind urgent data: a read up to it is short",
     "read NetBSD, FreeBSD sys/kern/uipc_socket.c filt_soread (all of the buffer)", urgent_data_hides_nothing},
    {0}};

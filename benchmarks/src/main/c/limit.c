/*
 * The limit that the Java servers are compared with: one thread, epoll, edge-triggered, nothing but the work itself.
 * Environment: PORT, and MODE=http or echo. Prints a line once it listens on 127.0.0.1.
 *
 * HTTP is as little as an honest server could do: it looks for the empty line that ends each head and answers with
 * ready-made bytes; a request may come in pieces, and many may come at once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!"
enum { ANSWER_SIZE = sizeof(ANSWER) - 1, ANSWERS = 512, INPUT_SIZE = 64 * 1024, BATCH = 512 };

struct connection {
    int fd;
    uint32_t last_bytes;  /* the last four bytes of the head so far */
    char *owed;           /* what the peer has not taken yet */
    size_t owed_size, owed_start;
};

static char input[INPUT_SIZE];
static char answers[ANSWERS * ANSWER_SIZE];
static int is_echo;

static void end(struct connection *c) {
    close(c->fd);
    free(c->owed);
    free(c);
}

/* Sends bytes, and keeps what the socket does not take; 0, or -1 if the connection is broken. */
static int give(struct connection *c, const char *bytes, size_t size) {
    ssize_t sent = send(c->fd, bytes, size, MSG_NOSIGNAL);
    if (sent < 0) {
        if (errno != EAGAIN) return -1;
        sent = 0;
    }
    if ((size_t)sent < size) {
        c->owed_size = size - (size_t)sent;
        c->owed_start = 0;
        c->owed = malloc(c->owed_size);
        if (c->owed == NULL) return -1;
        memcpy(c->owed, bytes + sent, c->owed_size);
    }
    return 0;
}

static int give_owed(struct connection *c) {
    while (c->owed != NULL) {
        ssize_t sent = send(c->fd, c->owed + c->owed_start, c->owed_size - c->owed_start, MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN ? 0 : -1;
        c->owed_start += (size_t)sent;
        if (c->owed_start == c->owed_size) {
            free(c->owed);
            c->owed = NULL;
        }
    }
    return 0;
}

static size_t heads_ended(struct connection *c, size_t size) {
    size_t ended = 0;
    uint32_t last = c->last_bytes;
    for (size_t i = 0; i < size; i++) {
        last = last << 8 | (unsigned char)input[i];
        if (last == 0x0d0a0d0a) {
            ended++;
            last = 0;
        }
    }
    c->last_bytes = last;
    return ended;
}

/* Reads again only when all is written, as the Java servers do. */
static int serve(struct connection *c) {
    if (give_owed(c) < 0) return -1;
    while (c->owed == NULL) {
        ssize_t read = recv(c->fd, input, INPUT_SIZE, 0);
        if (read == 0) return -1;
        if (read < 0) return errno == EAGAIN ? 0 : -1;
        if (is_echo) {
            if (give(c, input, (size_t)read) < 0) return -1;
        } else {
            size_t count = heads_ended(c, (size_t)read);
            if (count > ANSWERS) return -1; /* no load of ours asks for so many at once */
            if (count > 0 && give(c, answers, count * ANSWER_SIZE) < 0) return -1;
        }
        if (read < INPUT_SIZE) return 0; /* drained: the next byte, or the end, makes a new edge */
    }
    return 0;
}

int main(void) {
    const char *port = getenv("PORT"), *mode = getenv("MODE");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)(port == NULL ? 8080 : atoi(port)));
    is_echo = mode != NULL && strcmp(mode, "echo") == 0;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    for (size_t i = 0; i < ANSWERS; i++) memcpy(answers + i * ANSWER_SIZE, ANSWER, ANSWER_SIZE);

    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) {
        perror("limit: listen");
        return 1;
    }
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event change = {.events = EPOLLIN}, ready[BATCH];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &change);
    printf("limit listening on 127.0.0.1:%s\n", port == NULL ? "8080" : port);
    fflush(stdout);
    for (;;) {
        int count = epoll_wait(poller, ready, BATCH, -1);
        for (int i = 0; i < count; i++) {
            struct connection *c = ready[i].data.ptr;
            if (c != NULL) {
                if (serve(c) < 0 || ready[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) end(c);
                continue;
            }
            int fd;
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                c = calloc(1, sizeof *c);
                if (c == NULL) {
                    close(fd);
                    continue;
                }
                c->fd = fd;
                change.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
                change.data.ptr = c;
                epoll_ctl(poller, EPOLL_CTL_ADD, fd, &change);
            }
        }
    }
}

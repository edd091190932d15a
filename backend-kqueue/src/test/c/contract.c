/* Runs the rows of the contract and says of each whether it holds; and the helpers that the rows share. */
#define _GNU_SOURCE
#include "contract.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 10, SILENCE_MILLIS = 30, ROW_SECONDS = 30, SILENCE_IDENT = 0x5117 };

static int report_fd = -1;

void fail(const char *file, int line, const char *what, long long actual) {
    char text[512];
    const char *slash = strrchr(file, '/');
    int length = snprintf(text, sizeof text, "%s:%d: %s (%lld)", slash != NULL ? slash + 1 : file, line, what, actual);
    if (length > 0 && syscall(SYS_write, report_fd, text, strlen(text)) < 0) {
        _exit(3);
    }
    _exit(1);
}

/* ---- helpers of the rows ---- */

struct kevent change_of(uint64_t ident, filter_number filter, unsigned flags, uint64_t udata) {
    struct kevent change;
    memset(&change, 0, sizeof change);
    change.ident = ident;
    change.filter = filter;
    change.flags = (__typeof__(change.flags))flags;
    change.udata = udata;
    return change;
}

int change_with(int kq, uint64_t ident, filter_number filter, unsigned flags, uint64_t udata) {
    struct kevent one = change_of(ident, filter, flags, udata);
    return kevent(kq, &one, 1, NULL, 0, &no_wait) == 0 ? 0 : errno;
}

int change(int kq, uint64_t ident, filter_number filter, unsigned flags) {
    return change_with(kq, ident, filter, flags, 0);
}

int take(int kq, struct kevent *events, int capacity) {
    int count = kevent(kq, NULL, 0, events, capacity, &no_wait);
    CHECK(count >= 0);
    return count;
}

int await(int kq, struct kevent *events, int capacity) {
    struct timespec patience = {PATIENCE_SECONDS, 0};
    int count = kevent(kq, NULL, 0, events, capacity, &patience);
    CHECK(count > 0);
    return count;
}

struct kevent await_one(int kq, uint64_t ident, filter_number filter) {
    struct kevent events[8];
    CHECK_EQUAL(await(kq, events, 8), 1);
    CHECK_EQUAL(events[0].ident, ident);
    CHECK_EQUAL(events[0].filter, filter);
    return events[0];
}

int trigger(int kq, uint64_t ident) {
    struct kevent one = change_of(ident, EVFILT_USER, 0, 0);
    one.fflags = NOTE_TRIGGER;
    return kevent(kq, &one, 1, NULL, 0, &no_wait) == 0 ? 0 : errno;
}

void silent(int kq) {
    struct kevent events[8];
    struct timespec silence = {0, SILENCE_MILLIS * 1000000L};
    CHECK_EQUAL(kevent(kq, NULL, 0, events, 8, &silence), 0);
    CHECK_EQUAL(change(kq, SILENCE_IDENT, EVFILT_USER, EV_ADD | EV_ONESHOT), 0);
    CHECK_EQUAL(trigger(kq, SILENCE_IDENT), 0);
    await_one(kq, SILENCE_IDENT, EVFILT_USER);
}

int new_queue(void) {
    int kq = kqueue();
    CHECK(kq >= 0);
    return kq;
}

static void make_non_blocking(int fd) {
    CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
}

void new_pipe(int ends[2]) {
    CHECK(pipe2(ends, O_NONBLOCK) == 0);
}

int new_tcp_socket(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CHECK(fd >= 0);
    return fd;
}

int new_listener(void) {
    int fd = new_tcp_socket();
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(fd, 16) == 0);
    return fd;
}

bool start_connect(int socket, int listener) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    return connect(socket, (struct sockaddr *)&address, length) == 0 || errno == EINPROGRESS;
}

static void await_poll(int fd, short events) {
    struct pollfd one = {.fd = fd, .events = events};
    CHECK(poll(&one, 1, PATIENCE_SECONDS * 1000) == 1);
}

void new_tcp_pair(int ends[2]) {
    int listener = new_listener();
    ends[0] = new_tcp_socket();
    CHECK(start_connect(ends[0], listener));
    await_poll(listener, POLLIN);
    ends[1] = accept(listener, NULL, NULL);
    CHECK(ends[1] >= 0);
    make_non_blocking(ends[1]);
    await_poll(ends[0], POLLOUT);
    close(listener);
}

void new_unix_pair(int ends[2]) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
}

void put(int fd, const char *text) {
    CHECK_EQUAL(write(fd, text, strlen(text)), strlen(text));
}

size_t drain(int fd) {
    char bytes[65536];
    size_t total = 0;
    ssize_t count;
    while ((count = read(fd, bytes, sizeof bytes)) > 0) {
        total += (size_t)count;
    }
    return total;
}

size_t fill(int fd) {
    static char bytes[65536];
    size_t total = 0;
    ssize_t count;
    /* Again after a pause: what the peer's buffer takes makes room in ours. */
    for (int round = 0; round < 3; round++) {
        while ((count = write(fd, bytes, sizeof bytes)) > 0) {
            total += (size_t)count;
        }
        CHECK(count < 0 && errno == EAGAIN);
        poll(NULL, 0, 10);
    }
    return total;
}

void reset_and_close(int socket) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    CHECK(setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) == 0);
    CHECK(close(socket) == 0);
}

void close_in_kernel(int fd) {
    CHECK(syscall(SYS_close, fd) == 0);
}

int open_descriptors(void) {
    DIR *directory = opendir("/proc/self/fd");
    CHECK(directory != NULL);
    int count = 0;
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    /* Neither "." nor ".." nor the directory's own. */
    return count - 3;
}

int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the run ---- */

static const struct row *const chapters[] = {change_rows, mode_rows, socket_rows, pipe_rows, user_rows, queue_rows};

static void run_in_child(const struct row *row, int report) {
    report_fd = report;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, SIG_DFL);
    alarm(ROW_SECONDS);
    row->run();
    /* Not _exit: what looks for leaks and races looks at the exit. */
    exit(0);
}

static bool holds(const struct row *row, char *reason, size_t capacity) {
    int report[2];
    if (pipe(report) != 0) {
        snprintf(reason, capacity, "no pipe: %s", strerror(errno));
        return false;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(report[0]);
        run_in_child(row, report[1]);
    }
    close(report[1]);
    ssize_t length = child < 0 ? 0 : read(report[0], reason, capacity - 1);
    reason[length > 0 ? length : 0] = '\0';
    close(report[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        snprintf(reason, capacity, "no process: %s", strerror(errno));
        return false;
    }
    if (WIFSIGNALED(status)) {
        snprintf(reason, capacity, WTERMSIG(status) == SIGALRM ? "hung" : "ended by signal %d", WTERMSIG(status));
        return false;
    }
    if (WEXITSTATUS(status) != 0 && reason[0] == '\0') {
        snprintf(reason, capacity, "ended with status %d", WEXITSTATUS(status));
    }
    return WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments) {
    int passed = 0;
    int failed = 0;
    for (size_t chapter = 0; chapter < sizeof chapters / sizeof *chapters; chapter++) {
        for (const struct row *row = chapters[chapter]; row->id != NULL; row++) {
            if (count > 1 && strcmp(arguments[1], row->id) != 0) {
                continue;
            }
            char reason[512];
            if (holds(row, reason, sizeof reason)) {
                passed++;
                printf("ok %s %s [%s]\n", row->id, row->statement, row->source);
            } else {
                failed++;
                printf("FAILED %s %s [%s] -- %s\n", row->id, row->statement, row->source, reason);
            }
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

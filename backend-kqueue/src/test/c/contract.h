/*
 * The contract test: what a program may expect of kqueue on a BSD, one row for each statement.
 *
 * A row is run in a process of its own, so that it can neither hang nor spoil the others. It has an id, a statement,
 * and a source: "doc" with the manual page that says so, or "read" with the kernel function that does so.
 */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "kq_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

struct row {
    const char *id;
    const char *statement;
    const char *source;
    void (*run)(void);
};

extern const struct row change_rows[];
extern const struct row mode_rows[];
extern const struct row socket_rows[];
extern const struct row pipe_rows[];
extern const struct row user_rows[];
extern const struct row queue_rows[];

/* Ends the row as failed. */
_Noreturn void fail(const char *file, int line, const char *what, long long actual);

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fail(__FILE__, __LINE__, #condition, errno);                                                             \
        }                                                                                                            \
    } while (0)

#define CHECK_EQUAL(actual, expected)                                                                                \
    do {                                                                                                             \
        long long actual_value = (long long)(actual);                                                                \
        if (actual_value != (long long)(expected)) {                                                                 \
            fail(__FILE__, __LINE__, #actual " == " #expected, actual_value);                                        \
        }                                                                                                            \
    } while (0)

#if THRUST_KQ_LAYOUT == 40
typedef uint32_t filter_number;
#else
typedef int16_t filter_number;
#endif

static const struct timespec no_wait = {0, 0};

struct kevent change_of(uint64_t ident, filter_number filter, unsigned flags, uint64_t udata);

/* One change without room for results: 0, or the errno. */
int change(int kq, uint64_t ident, filter_number filter, unsigned flags);
int change_with(int kq, uint64_t ident, filter_number filter, unsigned flags, uint64_t udata);

/* What is there now. */
int take(int kq, struct kevent *events, int capacity);

/* Waits with patience for the next event or events; fails the row if none comes. */
int await(int kq, struct kevent *events, int capacity);

/* Exactly this one event is there or comes, alone. */
struct kevent await_one(int kq, uint64_t ident, filter_number filter);

/* Nothing comes: proved by an event of ours that comes, alone. */
void silent(int kq);

int trigger(int kq, uint64_t ident);

/* New descriptors; the sockets and pipes block neither reader nor writer. */
int new_queue(void);
void new_pipe(int ends[2]);
void new_tcp_pair(int ends[2]);
void new_unix_pair(int ends[2]);
int new_listener(void);
int new_tcp_socket(void);

/* Starts to connect; true if it is under way or done. */
bool start_connect(int socket, int listener);
void put(int fd, const char *text);
size_t drain(int fd);
size_t fill(int fd);
void reset_and_close(int socket);

/* Closes behind the back of the fixture, as a program does that does not bind its close. */
void close_in_kernel(int fd);
int open_descriptors(void);
int64_t now_millis(void);

#endif

/*
 * Inside the fixture. Four parts, each a file:
 *
 *   kq_source.c  what a descriptor is, and whether a BSD would call it readable or writable now
 *   kq_note.c    the knotes of one queue: changes, activation, the list of the active ones
 *   kq_queue.c   the queues of the process: kqueue(), kevent(), waiting, freeing
 *   kq_calls.c   the C library's calls that a BSD kernel would notice: close, and writes to a socket
 */
#ifndef KQ_INTERNAL_H
#define KQ_INTERNAL_H

#include "kq_layout.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define KQ_EXPORT __attribute__((visibility("default")))

/*
 * The fixture exports some names of the C library (kq_calls.c), and must not call itself through them: a call of its
 * own that has such a name goes to the kernel directly.
 */
static inline int direct_close(int fd) {
    return (int)syscall(SYS_close, fd);
}

static inline bool direct_write_word(int fd, uint64_t word) {
    return syscall(SYS_write, fd, &word, sizeof word) == (long)sizeof word;
}

/* ---- kq_source.c ---- */

enum source_kind { SOURCE_TCP, SOURCE_UNIX_STREAM, SOURCE_SOCKET, SOURCE_PIPE, SOURCE_OTHER };

/* The file behind a descriptor, as it was when the descriptor was first watched. */
struct source {
    dev_t dev;
    ino_t ino;
    enum source_kind kind;
    /* A TCP socket that has been seen connected: an error on it is a reset, on another it is a refusal. */
    bool connected;
};

/* What a filter finds. */
struct readiness {
    bool ready;
    bool eof;
    uint32_t fflags;
    int64_t data;
    /* Only of the write filter: changes in these are what a BSD wakes a writer for. */
    uint64_t acked;
    int unsent;
    bool connected;
    bool peer_finished;
};

/* False if the descriptor is closed. */
bool source_of(int fd, struct source *out);

/* Whether the descriptor still names the file that it named; false if it is closed. */
bool source_is_same(int fd, const struct source *source);

bool source_is_pipe_without_reader(int fd, const struct source *source);

struct readiness source_readable(int fd, struct source *source);

struct readiness source_writable(int fd, struct source *source);

/* ---- kq_note.c ---- */

enum filter_index { FILTER_READ, FILTER_WRITE, FILTER_USER };

struct watch;

struct note {
    /* Null for a user note. */
    struct watch *watch;
    enum filter_index filter;
    bool present;
    bool active;
    bool queued;
    bool disabled;
    /* Of a user note. */
    bool triggered;
    uint64_t ident;
    uint32_t flags;
    uint64_t udata;
    /* As last asked for, and as last found. */
    uint32_t wanted_fflags;
    int64_t wanted_data;
    uint32_t fflags;
    int64_t data;
    bool eof;
#if THRUST_KQ_LAYOUT == 64
    uint64_t ext[4];
#endif
    /* The last scan that took it from the list. */
    uint64_t scan;
    struct note *next;
    struct note *previous;
    struct note *next_user;
};

/* One descriptor in one queue; it lives as long as one of its two notes does. */
struct watch {
    int fd;
    uint32_t generation;
    struct source source;
    struct note notes[2];
    /* The write filter's last finding. */
    struct readiness written;
};

struct queue {
    /* The number that the program knows: an epoll instance that holds the other three, so that it can be polled. */
    int fd;
    int read_epoll;
    int write_epoll;
    /* Readable exactly while the list of active notes is not empty. */
    int active_event;
    bool active_event_set;

    pthread_mutex_t lock;
    bool closed;
    struct watch **watches;
    size_t watch_capacity;
    uint32_t next_generation;
    struct note *users;
    struct note *first;
    struct note *last;
    uint64_t scans;

    /* Guarded by the table's lock. */
    int references;
    struct queue *next_queue;
};

/* All of these want the queue's lock held. */
int note_change(struct queue *queue, struct kevent *change);
size_t note_scan(struct queue *queue, struct kevent *events, size_t capacity);
void note_written(struct queue *queue, int fd);
void note_descriptor_closing(struct queue *queue, int fd);
void note_drop_all(struct queue *queue);

/* ---- kq_queue.c ---- */

/* A descriptor is about to be closed; it may be watched, and it may be a queue. */
void queue_descriptor_closing(int fd);

/* Bytes were written to a descriptor. */
void queue_descriptor_written(int fd);

#endif

/*
 * The queues of the process: kqueue(), kevent(), waiting, and freeing.
 *
 * A queue is four descriptors: the number that the program knows, and three of our own. The program closes only its
 * number, as on a BSD, so the other three have to be noticed as orphans:
 *
 * - by our close(), if the program calls that one (kq_calls.c): at once;
 * - else by the next kqueue(), which asks of every queue whether its number is still its own, and by the next kevent()
 *   on that number.
 *
 * "Still its own" is asked of the kernel: the number must name an epoll instance that holds this queue's event
 * descriptor. No other file can, so neither a closed number nor a reused one is mistaken for the queue.
 *
 * Who waits waits on the three inner descriptors, outside the lock, holding a reference. So a close never pulls them
 * away under a waiter, and a change by another thread wakes it.
 */
#define _GNU_SOURCE
#include "kq_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue *table;

static void close_if_open(int fd) {
    if (fd >= 0) {
        direct_close(fd);
    }
}

static void free_queue(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    note_drop_all(queue);
    pthread_mutex_unlock(&queue->lock);
    close_if_open(queue->read_epoll);
    close_if_open(queue->write_epoll);
    close_if_open(queue->active_event);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

static int hold(const struct queue *queue, int operation, int inner) {
    struct epoll_event event = {.events = EPOLLIN};
    event.data.fd = inner;
    return epoll_ctl(queue->fd, operation, inner, &event);
}

/* Changing what is held to what it is already: fails if the number is closed, or is not an epoll of ours. */
static bool owns_its_number(const struct queue *queue) {
    return hold(queue, EPOLL_CTL_MOD, queue->active_event) == 0;
}

/* With the table's lock. Ends the queue for every waiter; returns whether the caller must free it. */
static bool retire(struct queue *queue) {
    struct queue **link = &table;
    while (*link != queue) {
        link = &(*link)->next_queue;
    }
    *link = queue->next_queue;
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    /* Stays readable from now on: everybody who waits here has to see it. */
    direct_write_word(queue->active_event, 1);
    pthread_mutex_unlock(&queue->lock);
    return --queue->references == 0;
}

static void release(struct queue *queue) {
    pthread_mutex_lock(&table_lock);
    bool last = --queue->references == 0;
    pthread_mutex_unlock(&table_lock);
    if (last) {
        free_queue(queue);
    }
}

static struct queue *acquire(int fd) {
    pthread_mutex_lock(&table_lock);
    struct queue *queue = table;
    while (queue != NULL && queue->fd != fd) {
        queue = queue->next_queue;
    }
    struct queue *orphan = NULL;
    if (queue != NULL) {
        if (owns_its_number(queue)) {
            queue->references++;
        } else {
            orphan = retire(queue) ? queue : NULL;
            queue = NULL;
        }
    }
    pthread_mutex_unlock(&table_lock);
    if (orphan != NULL) {
        free_queue(orphan);
    }
    return queue;
}

static void free_list(struct queue *queue) {
    while (queue != NULL) {
        struct queue *next = queue->next_queue;
        free_queue(queue);
        queue = next;
    }
}

static void free_orphans(void) {
    struct queue *orphans = NULL;
    pthread_mutex_lock(&table_lock);
    struct queue *queue = table;
    while (queue != NULL) {
        struct queue *next = queue->next_queue;
        if (!owns_its_number(queue) && retire(queue)) {
            queue->next_queue = orphans;
            orphans = queue;
        }
        queue = next;
    }
    pthread_mutex_unlock(&table_lock);
    free_list(orphans);
}

void queue_descriptor_closing(int fd) {
    struct queue *closed = NULL;
    pthread_mutex_lock(&table_lock);
    struct queue *queue = table;
    while (queue != NULL) {
        struct queue *next = queue->next_queue;
        if (queue->fd == fd) {
            if (retire(queue)) {
                queue->next_queue = closed;
                closed = queue;
            }
        } else {
            pthread_mutex_lock(&queue->lock);
            note_descriptor_closing(queue, fd);
            pthread_mutex_unlock(&queue->lock);
        }
        queue = next;
    }
    pthread_mutex_unlock(&table_lock);
    free_list(closed);
}

void queue_descriptor_written(int fd) {
    pthread_mutex_lock(&table_lock);
    for (struct queue *queue = table; queue != NULL; queue = queue->next_queue) {
        pthread_mutex_lock(&queue->lock);
        note_written(queue, fd);
        pthread_mutex_unlock(&queue->lock);
    }
    pthread_mutex_unlock(&table_lock);
}

KQ_EXPORT int kqueue(void) {
    free_orphans();
    struct queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL) {
        errno = ENOMEM;
        return -1;
    }
    pthread_mutex_init(&queue->lock, NULL);
    queue->references = 1;
    queue->fd = epoll_create1(EPOLL_CLOEXEC);
    queue->read_epoll = epoll_create1(EPOLL_CLOEXEC);
    queue->write_epoll = epoll_create1(EPOLL_CLOEXEC);
    queue->active_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (queue->fd < 0 || queue->read_epoll < 0 || queue->write_epoll < 0 || queue->active_event < 0
        || hold(queue, EPOLL_CTL_ADD, queue->read_epoll) != 0 || hold(queue, EPOLL_CTL_ADD, queue->write_epoll) != 0
        || hold(queue, EPOLL_CTL_ADD, queue->active_event) != 0) {
        int error = errno;
        close_if_open(queue->fd);
        free_queue(queue);
        errno = error;
        return -1;
    }
    int fd = queue->fd;
    pthread_mutex_lock(&table_lock);
    queue->next_queue = table;
    table = queue;
    pthread_mutex_unlock(&table_lock);
    return fd;
}

/* ---- waiting ---- */

enum { LONGEST_SLEEP_SECONDS = 24 * 60 * 60 };

#if THRUST_KQ_LAYOUT == 32
/* The limit of itimerfix, by which older BSDs judge the timeout. */
static const int64_t longest_timeout_seconds = 100000000;
#else
static const int64_t longest_timeout_seconds = INT64_MAX;
#endif

static int64_t monotonic_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_valid(const struct timespec *timeout) {
    return timeout->tv_sec >= 0 && timeout->tv_sec <= longest_timeout_seconds && timeout->tv_nsec >= 0
           && timeout->tv_nsec < 1000000000;
}

/* When to stop waiting; INT64_MAX for never. */
static int64_t deadline_of(const struct timespec *timeout) {
    if (timeout == NULL || timeout->tv_sec > INT32_MAX) {
        return INT64_MAX;
    }
    return monotonic_nanos() + (int64_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec;
}

/* 1 if something may have happened, 0 if the deadline has passed, else -1 with errno. */
static int wait_for_activity(const struct queue *queue, int64_t deadline) {
    struct timespec rest = {.tv_sec = LONGEST_SLEEP_SECONDS};
    if (deadline != INT64_MAX) {
        int64_t nanos = deadline - monotonic_nanos();
        if (nanos <= 0) {
            return 0;
        }
        if (nanos / 1000000000 < LONGEST_SLEEP_SECONDS) {
            rest.tv_sec = nanos / 1000000000;
            rest.tv_nsec = nanos % 1000000000;
        }
    }
    struct pollfd inner[3] = {{.fd = queue->read_epoll, .events = POLLIN},
                              {.fd = queue->write_epoll, .events = POLLIN},
                              {.fd = queue->active_event, .events = POLLIN}};
    return ppoll(inner, 3, &rest, NULL) < 0 ? -1 : 1;
}

/* ---- kevent ---- */

/*
 * Applies the changes in turn. False if that ends the call: then the result is the number of entries written, or minus
 * the errno of the change that had no room for its entry. (A receipt without room ends it with a result of nothing.)
 */
static bool apply(struct queue *queue, const struct kevent *changes, size_t count, struct kevent *events,
                  size_t capacity, long *result) {
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        /* A copy: the events may be the same memory as the changes. */
        struct kevent change = changes[i];
#if THRUST_KQ_LAYOUT != 40
        if (change.filter == 0) {
            continue;
        }
#endif
        bool wants_receipt = (change.flags & EV_RECEIPT) != 0;
        int error = note_change(queue, &change);
        if (error == 0 && !wants_receipt) {
            continue;
        }
        if (written == capacity) {
            *result = -error;
            return false;
        }
        change.flags = EV_ERROR;
        change.data = error;
        events[written++] = change;
    }
    *result = (long)written;
    return written == 0 && capacity > 0;
}

static long run(struct queue *queue, const struct kevent *changes, size_t change_count, struct kevent *events,
                size_t capacity, const struct timespec *timeout) {
    pthread_mutex_lock(&queue->lock);
    long result;
    bool scans = apply(queue, changes, change_count, events, capacity, &result);
    pthread_mutex_unlock(&queue->lock);
    if (!scans) {
        return result;
    }
    if (timeout != NULL && !is_valid(timeout)) {
        return -EINVAL;
    }
    int64_t deadline = deadline_of(timeout);
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        bool closed = queue->closed;
        size_t delivered = closed ? 0 : note_scan(queue, events, capacity);
        pthread_mutex_unlock(&queue->lock);
        if (closed) {
            return -EBADF;
        }
        if (delivered > 0) {
            return (long)delivered;
        }
        int waited = wait_for_activity(queue, deadline);
        if (waited <= 0) {
            return waited == 0 ? 0 : -errno;
        }
    }
}

static int kevent_on(int fd, const struct kevent *changes, size_t change_count, struct kevent *events,
                     size_t capacity, const struct timespec *timeout) {
    struct queue *queue = acquire(fd);
    if (queue == NULL) {
        errno = EBADF;
        return -1;
    }
    int untouched = errno;
    long result = run(queue, changes, change_count, events, capacity, timeout);
    release(queue);
    errno = result < 0 ? (int)-result : untouched;
    return result < 0 ? -1 : (int)result;
}

#if THRUST_KQ_LAYOUT == 40

KQ_EXPORT int kqueue1(int flags) {
    (void)flags;
    return kqueue();
}

KQ_EXPORT int __kevent50(int kq, const struct kevent *changes, size_t nchanges, struct kevent *events, size_t nevents,
                         const struct timespec *timeout) {
    return kevent_on(kq, changes, nchanges, events, nevents, timeout);
}

#else

KQ_EXPORT int kevent(int kq, const struct kevent *changes, int nchanges, struct kevent *events, int nevents,
                     const struct timespec *timeout) {
    return kevent_on(kq, changes, nchanges > 0 ? (size_t)nchanges : 0, events, nevents > 0 ? (size_t)nevents : 0,
                     timeout);
}

#endif

/*
 * The knotes of one queue.
 *
 * A knote is active once something happened that its filter answers to, and then stands in the queue's list. A scan
 * takes each from the list, asks its filter again, and delivers it, or forgets it if the filter says that it is
 * no longer so. That is the whole of kqueue_register and kqueue_scan (FreeBSD, NetBSD: sys/kern/kern_event.c), and
 * edge, level, one-shot and dispatch differ only in what the scan does after the delivery.
 *
 * "Something happened" comes from Linux as an edge of one of two epoll instances, one for each filter, so that a
 * filter has edges of its own.
 */
#define _GNU_SOURCE
#include "kq_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

/* ---- the list of active notes ---- */

static void show_active(struct queue *queue) {
    bool wanted = queue->first != NULL;
    if (wanted == queue->active_event_set || queue->closed) {
        return;
    }
    uint64_t count;
    if (wanted ? direct_write_word(queue->active_event, 1)
               : read(queue->active_event, &count, sizeof count) == (ssize_t)sizeof count) {
        queue->active_event_set = wanted;
    }
}

static void enqueue(struct queue *queue, struct note *note) {
    note->queued = true;
    note->next = NULL;
    note->previous = queue->last;
    if (queue->last != NULL) {
        queue->last->next = note;
    } else {
        queue->first = note;
    }
    queue->last = note;
    show_active(queue);
}

static void dequeue(struct queue *queue, struct note *note) {
    if (!note->queued) {
        return;
    }
    if (note->previous != NULL) {
        note->previous->next = note->next;
    } else {
        queue->first = note->next;
    }
    if (note->next != NULL) {
        note->next->previous = note->previous;
    } else {
        queue->last = note->previous;
    }
    note->next = NULL;
    note->previous = NULL;
    note->queued = false;
    show_active(queue);
}

static void activate(struct queue *queue, struct note *note) {
    note->active = true;
    if (!note->queued && !note->disabled) {
        enqueue(queue, note);
    }
}

/* ---- watches ---- */

static struct watch *find_watch(struct queue *queue, int fd) {
    return (size_t)fd < queue->watch_capacity ? queue->watches[fd] : NULL;
}

static bool make_room(struct queue *queue, int fd) {
    if ((size_t)fd < queue->watch_capacity) {
        return true;
    }
    size_t capacity = queue->watch_capacity == 0 ? 64 : queue->watch_capacity;
    while (capacity <= (size_t)fd) {
        capacity *= 2;
    }
    struct watch **grown = realloc(queue->watches, capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    memset(grown + queue->watch_capacity, 0, (capacity - queue->watch_capacity) * sizeof *grown);
    queue->watches = grown;
    queue->watch_capacity = capacity;
    return true;
}

static int epoll_of(const struct queue *queue, enum filter_index filter) {
    return filter == FILTER_READ ? queue->read_epoll : queue->write_epoll;
}

static struct epoll_event epoll_event_of(const struct watch *watch, enum filter_index filter) {
    uint32_t edges = filter == FILTER_READ ? EPOLLIN | EPOLLRDHUP : EPOLLOUT;
    struct epoll_event event = {.events = edges | EPOLLET};
    event.data.u64 = ((uint64_t)watch->generation << 32) | (uint32_t)watch->fd;
    return event;
}

static void drop_note(struct queue *queue, struct note *note) {
    dequeue(queue, note);
    if (note->filter == FILTER_USER) {
        struct note **link = &queue->users;
        while (*link != note) {
            link = &(*link)->next_user;
        }
        *link = note->next_user;
        free(note);
        return;
    }
    struct watch *watch = note->watch;
    note->present = false;
    note->active = false;
    /* Fails harmlessly if the descriptor is closed: then the kernel has forgotten it, or its edges are stale. */
    epoll_ctl(epoll_of(queue, note->filter), EPOLL_CTL_DEL, watch->fd, NULL);
    if (!watch->notes[FILTER_READ].present && !watch->notes[FILTER_WRITE].present) {
        queue->watches[watch->fd] = NULL;
        free(watch);
    }
}

static void drop_watch(struct queue *queue, struct watch *watch) {
    int fd = watch->fd;
    for (enum filter_index filter = FILTER_READ; filter <= FILTER_WRITE; filter++) {
        watch = find_watch(queue, fd);
        if (watch != NULL && watch->notes[filter].present) {
            drop_note(queue, &watch->notes[filter]);
        }
    }
}

/*
 * Whether a watch is about a file that is no longer behind its descriptor. fstat knows sockets and pipes apart; all
 * event descriptors share one inode, so they are told apart by epoll, which knows a file that it holds.
 */
static bool is_stale(struct queue *queue, struct watch *watch) {
    if (!source_is_same(watch->fd, &watch->source)) {
        return true;
    }
    if (watch->source.kind != SOURCE_OTHER) {
        return false;
    }
    for (enum filter_index filter = FILTER_READ; filter <= FILTER_WRITE; filter++) {
        if (watch->notes[filter].present) {
            struct epoll_event event = epoll_event_of(watch, filter);
            if (epoll_ctl(epoll_of(queue, filter), EPOLL_CTL_ADD, watch->fd, &event) == 0) {
                return true;
            }
        }
    }
    return false;
}

void note_descriptor_closing(struct queue *queue, int fd) {
    struct watch *watch = find_watch(queue, fd);
    if (watch != NULL) {
        drop_watch(queue, watch);
    }
}

void note_drop_all(struct queue *queue) {
    for (size_t fd = 0; fd < queue->watch_capacity; fd++) {
        if (queue->watches[fd] != NULL) {
            drop_watch(queue, queue->watches[fd]);
        }
    }
    while (queue->users != NULL) {
        drop_note(queue, queue->users);
    }
    free(queue->watches);
    queue->watches = NULL;
    queue->watch_capacity = 0;
}

/* ---- asking a filter ---- */

static bool is_ready(struct note *note) {
    struct readiness found = {0};
    switch (note->filter) {
        case FILTER_READ:
            found = source_readable(note->watch->fd, &note->watch->source);
            break;
        case FILTER_WRITE:
            found = source_writable(note->watch->fd, &note->watch->source);
            note->watch->written = found;
            break;
        case FILTER_USER:
            return note->triggered;
    }
    note->data = found.data;
    note->fflags = found.fflags;
    note->eof = found.eof;
    return found.ready;
}

/*
 * Whether an edge of the write epoll is one that a BSD wakes a writer for: an acknowledgement, the end of connecting,
 * the end of sending. Linux also makes one when the peer has finished sending.
 */
static bool is_write_edge(struct note *note) {
    struct watch *watch = note->watch;
    struct readiness before = watch->written;
    if (!is_ready(note)) {
        return false;
    }
    struct readiness now = watch->written;
    bool changed = !before.ready || now.eof != before.eof || now.fflags != before.fflags
                   || now.connected != before.connected;
    switch (watch->source.kind) {
        case SOURCE_TCP:
            return changed || now.acked != before.acked;
        case SOURCE_UNIX_STREAM:
            return changed || now.peer_finished == before.peer_finished || now.unsent != before.unsent;
        default:
            return true;
    }
}

static void take_edges(struct queue *queue, enum filter_index filter) {
    struct epoll_event edges[64];
    int count;
    do {
        count = epoll_wait(epoll_of(queue, filter), edges, 64, 0);
        for (int i = 0; i < count; i++) {
            struct watch *watch = find_watch(queue, (int)(uint32_t)edges[i].data.u64);
            if (watch == NULL || watch->generation != (uint32_t)(edges[i].data.u64 >> 32)) {
                continue;
            }
            struct note *note = &watch->notes[filter];
            if (note->present && (filter == FILTER_WRITE ? is_write_edge(note) : is_ready(note))) {
                activate(queue, note);
            }
        }
    } while (count == 64);
}

void note_written(struct queue *queue, int fd) {
    struct watch *watch = find_watch(queue, fd);
    if (watch == NULL || watch->source.kind != SOURCE_TCP) {
        return;
    }
    struct note *note = &watch->notes[FILTER_WRITE];
    if (note->present && !note->active && source_is_same(fd, &watch->source) && is_ready(note)) {
        activate(queue, note);
    }
}

/* ---- changes ---- */

static bool filter_of(const struct kevent *change, enum filter_index *out) {
    if (change->filter == EVFILT_READ) {
        *out = FILTER_READ;
    } else if (change->filter == EVFILT_WRITE) {
        *out = FILTER_WRITE;
    } else if (change->filter == EVFILT_USER) {
        *out = FILTER_USER;
    } else {
        return false;
    }
    return true;
}

static void fill_new(struct note *note, enum filter_index filter, struct kevent *change) {
    memset(note, 0, sizeof *note);
    note->filter = filter;
    note->present = true;
    note->ident = change->ident;
    note->udata = change->udata;
    note->wanted_fflags = change->fflags;
    note->wanted_data = change->data;
#if THRUST_KQ_LAYOUT == 64
    memcpy(note->ext, change->ext, sizeof note->ext);
#endif
#if THRUST_KQ_LAYOUT == 40
    /* NetBSD keeps the actions among the flags that it delivers. */
    note->flags = change->flags;
#else
    note->flags = change->flags & ~(EV_ADD | EV_DELETE | EV_ENABLE | EV_DISABLE);
#endif
    change->fflags = 0;
    change->data = 0;
}

static int add_user(struct queue *queue, struct kevent *change, struct note **out) {
    struct note *note = malloc(sizeof *note);
    if (note == NULL) {
        return ENOMEM;
    }
    /* As on FreeBSD and NetBSD, a trigger in the change that adds the note is lost. */
    fill_new(note, FILTER_USER, change);
    note->next_user = queue->users;
    queue->users = note;
    *out = note;
    return 0;
}

static int add_watched(struct queue *queue, int fd, enum filter_index filter, struct kevent *change,
                       struct note **out) {
    if (!make_room(queue, fd)) {
        return ENOMEM;
    }
    struct watch *watch = queue->watches[fd];
    bool is_new = watch == NULL;
    if (is_new) {
        watch = calloc(1, sizeof *watch);
        if (watch == NULL) {
            return ENOMEM;
        }
        watch->fd = fd;
        watch->generation = ++queue->next_generation;
        if (!source_of(fd, &watch->source)) {
            free(watch);
            return EBADF;
        }
    }
    int error = 0;
    struct epoll_event event = epoll_event_of(watch, filter);
    if (filter == FILTER_WRITE && source_is_pipe_without_reader(fd, &watch->source)) {
        error = THRUST_KQ_LAYOUT == 40 ? EBADF : EPIPE;
    } else if (epoll_ctl(epoll_of(queue, filter), EPOLL_CTL_ADD, fd, &event) != 0) {
        /* A regular file or a directory: a BSD takes them, epoll does not. */
        error = errno == EPERM ? EINVAL : errno;
    }
    if (error != 0) {
        if (is_new) {
            free(watch);
        }
        return error;
    }
    queue->watches[fd] = watch;
    struct note *note = &watch->notes[filter];
    fill_new(note, filter, change);
    note->watch = watch;
    *out = note;
    return 0;
}

static void touch(struct note *note, const struct kevent *change) {
    note->udata = change->udata;
    if (note->filter != FILTER_USER) {
        note->wanted_fflags = change->fflags;
        note->wanted_data = change->data;
        return;
    }
    if ((change->fflags & NOTE_TRIGGER) != 0) {
        note->triggered = true;
    }
    uint32_t fflags = change->fflags & NOTE_FFLAGSMASK;
    switch (change->fflags & NOTE_FFCTRLMASK) {
        case NOTE_FFAND:
            note->wanted_fflags &= fflags;
            break;
        case NOTE_FFOR:
            note->wanted_fflags |= fflags;
            break;
        case NOTE_FFCOPY:
            note->wanted_fflags = fflags;
            break;
        default:
            break;
    }
    note->wanted_data = change->data;
    if ((change->flags & EV_CLEAR) != 0) {
        /* As on FreeBSD and NetBSD: EV_CLEAR in a later change takes back a trigger, its own included. */
        note->triggered = false;
        note->data = 0;
        note->fflags = 0;
    }
}

static struct note *find_user(struct queue *queue, uint64_t ident) {
    struct note *note = queue->users;
    while (note != NULL && note->ident != ident) {
        note = note->next_user;
    }
    return note;
}

static int find_watched(struct queue *queue, const struct kevent *change, enum filter_index filter,
                        struct note **out) {
    struct source unused;
    if (change->ident > INT_MAX || !source_of((int)change->ident, &unused)) {
        return EBADF;
    }
    int fd = (int)change->ident;
    if (fd == queue->fd) {
        return EINVAL;
    }
    struct watch *watch = find_watch(queue, fd);
    if (watch != NULL && is_stale(queue, watch)) {
        drop_watch(queue, watch);
        watch = NULL;
    }
    *out = watch != NULL && watch->notes[filter].present ? &watch->notes[filter] : NULL;
    return 0;
}

int note_change(struct queue *queue, struct kevent *change) {
    enum filter_index filter;
    struct note *note = NULL;
    int error = 0;
    if (!filter_of(change, &filter)) {
        return EINVAL;
    }
    if (filter == FILTER_USER) {
        note = find_user(queue, change->ident);
    } else {
        error = find_watched(queue, change, filter, &note);
        if (error != 0) {
            return error;
        }
    }
    if (note == NULL) {
        if ((change->flags & EV_ADD) == 0) {
            return ENOENT;
        }
        error = filter == FILTER_USER ? add_user(queue, change, &note)
                                      : add_watched(queue, (int)change->ident, filter, change, &note);
        if (error != 0) {
            return error;
        }
    } else if ((change->flags & EV_DELETE) != 0) {
        drop_note(queue, note);
        return 0;
    } else {
        touch(note, change);
    }
    if ((change->flags & EV_DISABLE) != 0) {
        note->disabled = true;
        dequeue(queue, note);
    } else if ((change->flags & EV_ENABLE) != 0) {
        note->disabled = false;
    }
    if (is_ready(note)) {
        activate(queue, note);
    }
    return 0;
}

/* ---- the scan ---- */

static void deliver(const struct note *note, struct kevent *out) {
    memset(out, 0, sizeof *out);
    out->ident = note->ident;
    out->flags = note->flags;
    out->udata = note->udata;
    switch (note->filter) {
        case FILTER_READ:
            out->filter = EVFILT_READ;
            break;
        case FILTER_WRITE:
            out->filter = EVFILT_WRITE;
            break;
        case FILTER_USER:
            out->filter = EVFILT_USER;
            break;
    }
    if (note->filter == FILTER_USER) {
        out->fflags = note->wanted_fflags;
        out->data = note->wanted_data;
    } else {
        out->fflags = note->fflags;
        out->data = note->data;
        if (note->eof) {
            out->flags |= EV_EOF;
        }
    }
#if THRUST_KQ_LAYOUT == 64
    memcpy(out->ext, note->ext, sizeof out->ext);
#endif
}

/* True if the note was delivered. It is out of the list, and may be freed when this returns. */
static bool scan_one(struct queue *queue, struct note *note, struct kevent *out) {
    if (note->watch != NULL && !source_is_same(note->watch->fd, &note->watch->source)) {
        drop_watch(queue, note->watch);
        return false;
    }
    if ((note->flags & EV_ONESHOT) != 0) {
        /* Not asked again: what was found when it became active is what is told. */
        deliver(note, out);
        drop_note(queue, note);
        return true;
    }
    if (!is_ready(note)) {
        note->active = false;
        return false;
    }
    deliver(note, out);
    if ((note->flags & (EV_CLEAR | EV_DISPATCH)) == 0) {
        enqueue(queue, note);
        return true;
    }
    if ((note->flags & EV_CLEAR) != 0) {
        note->triggered = false;
        note->data = 0;
        note->fflags = 0;
    }
    if ((note->flags & EV_DISPATCH) != 0) {
        note->disabled = true;
    }
    note->active = false;
    return true;
}

size_t note_scan(struct queue *queue, struct kevent *events, size_t capacity) {
    take_edges(queue, FILTER_READ);
    take_edges(queue, FILTER_WRITE);
    /* Those that are put back into the list, at its end, wait for the next scan. */
    uint64_t scan = ++queue->scans;
    size_t delivered = 0;
    while (delivered < capacity && queue->first != NULL && queue->first->scan != scan) {
        struct note *note = queue->first;
        note->scan = scan;
        dequeue(queue, note);
        if (scan_one(queue, note, &events[delivered])) {
            delivered++;
        }
    }
    return delivered;
}

/* Level, edge, one-shot, dispatch: what a delivery leaves behind, and what makes the next one. */
#define _GNU_SOURCE
#include "contract.h"

#include <unistd.h>

enum { MANY = 200 };

/* A pipe's reading end, watched with these flags. */
static int watched_pipe(int kq, int ends[2], unsigned flags) {
    new_pipe(ends);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, flags), 0);
    return ends[0];
}

static void level_repeats(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void level_ends_with_the_data(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    drain(fd);
    silent(kq);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void edge_is_told_once(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void edge_comes_with_each_arrival(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    put(ends[1], "abc");
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).data, 3);
    put(ends[1], "de");
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).data, 5);
    silent(kq);
}

static void arrivals_merge(void) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    put(ends[1], "abc");
    put(ends[1], "de");
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[0], EVFILT_READ).data, 5);
    silent(kq);
}

static void readiness_that_exists_is_told(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    silent(kq);
}

static void second_add_fires_again(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void edge_stays_edge(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void level_stays_level(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void delete_and_add_change_the_mode(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    struct kevent changes[2] = {change_of((uint64_t)fd, EVFILT_READ, EV_DELETE, 0),
                                change_of((uint64_t)fd, EVFILT_READ, EV_ADD | EV_CLEAR, 0)};
    CHECK_EQUAL(kevent(kq, changes, 2, NULL, 0, NULL), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void delete_takes_what_is_pending(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), 0);
    silent(kq);
}

static void one_shot_is_deleted(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_ONESHOT);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), ENOENT);
    put(ends[1], "x");
    silent(kq);
}

static void dispatch_disables(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_DISPATCH);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    put(ends[1], "x");
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), 0);
}

static void enable_tells_what_exists(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR | EV_DISPATCH);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void enable_waits_for_what_comes(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_DISPATCH);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    drain(fd);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE), 0);
    silent(kq);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void disable_is_silence(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DISABLE), 0);
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void added_disabled(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_DISABLE | EV_CLEAR);
    put(ends[1], "x");
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void second_add_does_not_enable(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_DISABLE);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD), 0);
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_ENABLE), 0);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

/* Both filters of a socket that is readable and writable. */
static int ready_in_both(int kq, int ends[2], unsigned flags) {
    new_tcp_pair(ends);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, flags), 0);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, flags), 0);
    return ends[0];
}

static void two_filters_two_events(void) {
    int kq = new_queue();
    int ends[2];
    int fd = ready_in_both(kq, ends, EV_ADD | EV_CLEAR);
    struct kevent events[4];
    CHECK_EQUAL(await(kq, events, 4), 2);
    CHECK_EQUAL(events[0].ident, fd);
    CHECK_EQUAL(events[1].ident, fd);
    CHECK(events[0].filter != events[1].filter);
    silent(kq);
}

static void room_for_one_at_a_time(void) {
    int kq = new_queue();
    int ends[2];
    ready_in_both(kq, ends, EV_ADD | EV_CLEAR);
    struct kevent first;
    struct kevent second;
    CHECK_EQUAL(await(kq, &first, 1), 1);
    CHECK_EQUAL(await(kq, &second, 1), 1);
    CHECK(first.filter != second.filter);
    silent(kq);
}

static void level_takes_turns(void) {
    int kq = new_queue();
    int ends[3][2];
    for (int i = 0; i < 3; i++) {
        watched_pipe(kq, ends[i], EV_ADD);
        put(ends[i][1], "x");
    }
    struct kevent events[6];
    for (int i = 0; i < 6; i++) {
        CHECK_EQUAL(await(kq, &events[i], 1), 1);
        CHECK(i < 3 || events[i].ident == events[i - 3].ident);
    }
    CHECK(events[0].ident != events[1].ident && events[1].ident != events[2].ident
          && events[2].ident != events[0].ident);
}

static void once_in_a_call(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD);
    put(ends[1], "x");
    struct kevent events[8];
    CHECK_EQUAL(await(kq, events, 8), 1);
    CHECK_EQUAL(events[0].ident, fd);
}

static void looked_at_again_before_delivery(void) {
    int kq = new_queue();
    int ends[2];
    int fd = watched_pipe(kq, ends, EV_ADD | EV_CLEAR);
    put(ends[1], "x");
    drain(fd);
    silent(kq);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    drain(fd);
    silent(kq);
}

static void filters_have_edges_of_their_own(void) {
    int kq = new_queue();
    int ends[2];
    int fd = ready_in_both(kq, ends, EV_ADD | EV_CLEAR);
    struct kevent events[4];
    CHECK_EQUAL(await(kq, events, 4), 2);
    put(ends[1], "y");
    await_one(kq, (uint64_t)fd, EVFILT_READ);
    silent(kq);
}

static void none_is_lost_and_none_told_twice(void) {
    int kq = new_queue();
    int ends[MANY][2];
    int told[MANY] = {0};
    for (int i = 0; i < MANY; i++) {
        new_pipe(ends[i]);
        CHECK_EQUAL(change_with(kq, (uint64_t)ends[i][0], EVFILT_READ, EV_ADD | EV_CLEAR, (uint64_t)i), 0);
    }
    for (int i = 0; i < MANY; i++) {
        put(ends[i][1], "x");
    }
    struct kevent events[7];
    int total = 0;
    int count;
    while ((count = take(kq, events, 7)) > 0) {
        for (int i = 0; i < count; i++) {
            CHECK(events[i].udata < MANY);
            told[events[i].udata]++;
        }
        total += count;
    }
    CHECK_EQUAL(total, MANY);
    for (int i = 0; i < MANY; i++) {
        CHECK_EQUAL(told[i], 1);
    }
    silent(kq);
}

const struct row mode_rows[] = {
    {"M01", "without EV_CLEAR, readiness is told again as long as it lasts",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan", level_repeats},
    {"M02", "without EV_CLEAR, a drained source is silent, and told again when data comes",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan", level_ends_with_the_data},
    {"M03", "with EV_CLEAR, unread data is told once", "doc FreeBSD kqueue(2) EV_CLEAR", edge_is_told_once},
    {"M04", "with EV_CLEAR, each arrival is told, read or not",
     "read FreeBSD sys/kern/kern_event.c knote; uipc_sockbuf.c sowakeup", edge_comes_with_each_arrival},
    {"M05", "several arrivals before a call are one event", "doc FreeBSD kqueue(2): multiple events collapse",
     arrivals_merge},
    {"M06", "readiness that exists at EV_ADD is told", "doc FreeBSD kqueue(2): the filter is run when registered",
     readiness_that_exists_is_told},
    {"M07", "a second EV_ADD with EV_CLEAR fires again while ready",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register (done_ev_add)", second_add_fires_again},
    {"M08", "EV_CLEAR is sticky: a second EV_ADD without it does not take it away",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register", edge_stays_edge},
    {"M09", "nor does a second EV_ADD with EV_CLEAR make an edge of a level",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register", level_stays_level},
    {"M10", "EV_DELETE and EV_ADD in one changelist change the mode", "read FreeBSD kqueue_register",
     delete_and_add_change_the_mode},
    {"M11", "EV_DELETE takes back what is pending", "read FreeBSD sys/kern/kern_event.c knote_drop",
     delete_takes_what_is_pending},
    {"M12", "EV_ONESHOT: told once, then gone", "doc FreeBSD kqueue(2) EV_ONESHOT", one_shot_is_deleted},
    {"M13", "EV_DISPATCH: told once, then silent but still registered", "doc FreeBSD kqueue(2) EV_DISPATCH",
     dispatch_disables},
    {"M14", "EV_ENABLE after EV_DISPATCH tells readiness that exists, with EV_CLEAR too",
     "read FreeBSD sys/kern/kern_event.c kqueue_register", enable_tells_what_exists},
    {"M15", "EV_ENABLE without readiness is silent until there is some",
     "read FreeBSD sys/kern/kern_event.c kqueue_register", enable_waits_for_what_comes},
    {"M16", "EV_DISABLE silences, EV_ENABLE ends it", "doc FreeBSD kqueue(2) EV_DISABLE", disable_is_silence},
    {"M17", "EV_ADD with EV_DISABLE registers in silence", "doc FreeBSD kqueue(2) EV_ADD", added_disabled},
    {"M18", "a second EV_ADD enables nothing, whatever the manual says; with EV_ENABLE it does",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register", second_add_does_not_enable},
    {"M19", "both filters of a descriptor are two events", "doc FreeBSD kqueue(2): ident and filter",
     two_filters_two_events},
    {"M20", "with room for one, the other filter is told by the next call, and each once",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan", room_for_one_at_a_time},
    {"M21", "with room for one, sources in level mode take turns",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan (insert at the tail)", level_takes_turns},
    {"M22", "a source in level mode is told once in a call", "read FreeBSD kqueue_scan (marker); xnu knote_suppress",
     once_in_a_call},
    {"M23", "what is not ready any more when the call looks is not told",
     "doc FreeBSD kqueue(2): the filter is also run when the user attempts to retrieve the kevent",
     looked_at_again_before_delivery},
    {"M24", "arriving data is no edge of the write filter", "read FreeBSD sys/kern/uipc_sockbuf.c sowakeup",
     filters_have_edges_of_their_own},
    {"M25", "many edges fetched in small portions: none is lost, none is told twice",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan", none_is_lost_and_none_told_twice},
    {0}};

/* What kevent does with its changelist: errors, receipts, and what a registration keeps. */
#define _GNU_SOURCE
#include "contract.h"

#include <fcntl.h>
#include <unistd.h>

/* A number that was open and is not any more; too high to be taken by the next open. */
static int closed_descriptor(void) {
    int ends[2];
    new_pipe(ends);
    int high = fcntl(ends[0], F_DUPFD, 200);
    CHECK(high >= 200);
    close(high);
    return high;
}

static int ready_pipe(void) {
    int ends[2];
    new_pipe(ends);
    put(ends[1], "x");
    return ends[0];
}

static void add_of_a_closed_descriptor(void) {
    CHECK_EQUAL(change(new_queue(), (uint64_t)closed_descriptor(), EVFILT_READ, EV_ADD), EBADF);
}

static void add_of_an_impossible_descriptor(void) {
    CHECK_EQUAL(change(new_queue(), UINT64_C(0x7fffffff), EVFILT_READ, EV_ADD), EBADF);
    CHECK_EQUAL(change(new_queue(), UINT64_C(0xffffffffffffffff), EVFILT_WRITE, EV_ADD), EBADF);
}

static void error_becomes_an_entry(void) {
    struct kevent one = change_of((uint64_t)closed_descriptor(), EVFILT_WRITE, EV_ADD | EV_CLEAR, 77);
    struct kevent result[2];
    CHECK_EQUAL(kevent(new_queue(), &one, 1, result, 2, &no_wait), 1);
    CHECK_EQUAL(result[0].flags & EV_ERROR, EV_ERROR);
    CHECK_EQUAL(result[0].data, EBADF);
    CHECK_EQUAL(result[0].ident, one.ident);
    CHECK_EQUAL(result[0].filter, EVFILT_WRITE);
    CHECK_EQUAL(result[0].udata, 77);
}

static void unknown_filter(void) {
    int kq = new_queue();
    CHECK_EQUAL(change(kq, 0, (filter_number)99, EV_ADD), EINVAL);
    CHECK_EQUAL(change(kq, 0, (filter_number)-99, EV_ADD), EINVAL);
}

static void delete_of_nothing(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), ENOENT);
    CHECK_EQUAL(change(kq, 5, EVFILT_USER, EV_DELETE), ENOENT);
}

static void enable_of_nothing(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE), ENOENT);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DISABLE), ENOENT);
}

static void delete_of_a_closed_descriptor(void) {
    CHECK_EQUAL(change(new_queue(), (uint64_t)closed_descriptor(), EVFILT_READ, EV_DELETE), EBADF);
}

static void receipt_of_success(void) {
    int fd = ready_pipe();
    struct kevent one = change_of((uint64_t)fd, EVFILT_READ, EV_ADD | EV_RECEIPT, 3);
    struct kevent result[2];
    CHECK_EQUAL(kevent(new_queue(), &one, 1, result, 2, NULL), 1);
    CHECK_EQUAL(result[0].flags & EV_ERROR, EV_ERROR);
    CHECK_EQUAL(result[0].data, 0);
    CHECK_EQUAL(result[0].ident, fd);
    CHECK_EQUAL(result[0].udata, 3);
}

static void receipts_in_order(void) {
    int fd = ready_pipe();
    struct kevent changes[3] = {change_of((uint64_t)fd, EVFILT_READ, EV_ADD | EV_RECEIPT, 1),
                                change_of((uint64_t)fd, EVFILT_WRITE, EV_DELETE | EV_RECEIPT, 2),
                                change_of(9, EVFILT_USER, EV_ADD | EV_RECEIPT, 3)};
    struct kevent results[3];
    CHECK_EQUAL(kevent(new_queue(), changes, 3, results, 3, NULL), 3);
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(results[i].udata, i + 1);
        CHECK_EQUAL(results[i].flags & EV_ERROR, EV_ERROR);
        CHECK_EQUAL(results[i].data, i == 1 ? ENOENT : 0);
    }
}

static void entries_end_the_call(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_ADD), 0);
    struct kevent one = change_of(9, EVFILT_USER, EV_DELETE, 0);
    struct kevent results[4];
    CHECK_EQUAL(kevent(kq, &one, 1, results, 4, NULL), 1);
    CHECK_EQUAL(results[0].flags & EV_ERROR, EV_ERROR);
    await_one(kq, (uint64_t)fd, EVFILT_READ);
}

static void changes_come_before_the_wait(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    struct kevent one = change_of((uint64_t)fd, EVFILT_READ, EV_ADD, 4);
    struct kevent event;
    CHECK_EQUAL(kevent(kq, &one, 1, &event, 1, NULL), 1);
    CHECK_EQUAL(event.flags & EV_ERROR, 0);
    CHECK_EQUAL(event.udata, 4);
}

static void failure_without_room_ends_the_list(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    struct kevent changes[3] = {change_of(1, EVFILT_USER, EV_ADD, 0), change_of(2, EVFILT_USER, EV_DELETE, 0),
                                change_of((uint64_t)fd, EVFILT_READ, EV_ADD, 0)};
    CHECK_EQUAL(kevent(kq, changes, 3, NULL, 0, NULL), -1);
    CHECK_EQUAL(errno, ENOENT);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_DELETE), 0);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), ENOENT);
}

static void failure_with_room_does_not(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    struct kevent changes[2] = {change_of(2, EVFILT_USER, EV_DELETE, 0),
                                change_of((uint64_t)fd, EVFILT_READ, EV_ADD, 0)};
    struct kevent results[2];
    CHECK_EQUAL(kevent(kq, changes, 2, results, 2, NULL), 1);
    CHECK_EQUAL(change(kq, (uint64_t)fd, EVFILT_READ, EV_DELETE), 0);
}

static void more_failures_than_room(void) {
    int kq = new_queue();
    struct kevent changes[2] = {change_of(2, EVFILT_USER, EV_DELETE, 0),
                                change_of((uint64_t)closed_descriptor(), EVFILT_READ, EV_ADD, 0)};
    struct kevent result;
    CHECK_EQUAL(kevent(kq, changes, 2, &result, 1, NULL), -1);
    CHECK_EQUAL(errno, EBADF);
}

static void receipt_without_room(void) {
    int kq = new_queue();
    struct kevent changes[2] = {change_of(1, EVFILT_USER, EV_ADD | EV_RECEIPT, 0),
                                change_of(2, EVFILT_USER, EV_ADD, 0)};
    CHECK_EQUAL(kevent(kq, changes, 2, NULL, 0, NULL), 0);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_DELETE), 0);
    CHECK_EQUAL(change(kq, 2, EVFILT_USER, EV_DELETE), ENOENT);
}

static void same_memory(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    struct kevent array[3] = {change_of((uint64_t)fd, EVFILT_READ, EV_ADD | EV_RECEIPT, 1),
                              change_of(8, EVFILT_USER, EV_ADD, 2),
                              change_of(9, EVFILT_USER, EV_DELETE | EV_RECEIPT, 3)};
    CHECK_EQUAL(kevent(kq, array, 3, array, 3, NULL), 2);
    CHECK_EQUAL(array[0].udata, 1);
    CHECK_EQUAL(array[0].data, 0);
    CHECK_EQUAL(array[1].udata, 3);
    CHECK_EQUAL(array[1].data, ENOENT);
    array[0] = change_of(8, EVFILT_USER, EV_DELETE, 0);
    CHECK_EQUAL(kevent(kq, array, 1, array, 1, NULL), 1);
    CHECK_EQUAL(array[0].ident, fd);
    CHECK_EQUAL(array[0].flags & EV_ERROR, 0);
}

static void no_room_means_no_wait(void) {
    int kq = new_queue();
    struct kevent one = change_of(1, EVFILT_USER, EV_ADD, 0);
    CHECK_EQUAL(kevent(kq, &one, 1, NULL, 0, NULL), 0);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_DELETE), 0);
}

static void filter_number_zero(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change(kq, (uint64_t)fd, 0, EV_ADD), 0);
    struct kevent events[2];
    CHECK_EQUAL(take(kq, events, 2), THRUST_KQ_LAYOUT == 40 ? 1 : 0);
}

static void event_carries_the_registration(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    uint64_t udata = UINT64_C(0xfedcba9876543210);
    CHECK_EQUAL(change_with(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_ENABLE | EV_CLEAR, udata), 0);
    struct kevent event = await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK(event.udata == udata);
    CHECK_EQUAL(event.flags & (EV_CLEAR | EV_ERROR | EV_EOF), EV_CLEAR);
    CHECK_EQUAL(event.flags & EV_ADD, THRUST_KQ_LAYOUT == 40 ? EV_ADD : 0);
}

static void second_add_replaces_udata(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change_with(kq, (uint64_t)fd, EVFILT_READ, EV_ADD, 1), 0);
    CHECK_EQUAL(change_with(kq, (uint64_t)fd, EVFILT_READ, EV_ADD, 2), 0);
    CHECK_EQUAL(await_one(kq, (uint64_t)fd, EVFILT_READ).udata, 2);
}

static void enable_replaces_udata(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change_with(kq, (uint64_t)fd, EVFILT_READ, EV_ADD | EV_DISABLE, 1), 0);
    CHECK_EQUAL(change_with(kq, (uint64_t)fd, EVFILT_READ, EV_ENABLE, 0), 0);
    CHECK_EQUAL(await_one(kq, (uint64_t)fd, EVFILT_READ).udata, 0);
}

static void filters_are_registered_apart(void) {
    int kq = new_queue();
    int ends[2];
    new_unix_pair(ends);
    put(ends[1], "x");
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_ADD), 0);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, EV_ADD), 0);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_DELETE), 0);
    await_one(kq, (uint64_t)ends[0], EVFILT_WRITE);
    CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_DELETE), ENOENT);
}

static void not_a_queue(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_ADD), 0);
    CHECK_EQUAL(change(fd, 1, EVFILT_USER, EV_ADD), EBADF);
    CHECK_EQUAL(change(-1, 1, EVFILT_USER, EV_ADD), EBADF);
}

static void not_itself(void) {
    int kq = new_queue();
    CHECK_EQUAL(change(kq, (uint64_t)kq, EVFILT_READ, EV_ADD), EINVAL);
}

#if THRUST_KQ_LAYOUT == 64
static void ext_passes_through(void) {
    int kq = new_queue();
    int fd = ready_pipe();
    struct kevent one = change_of((uint64_t)fd, EVFILT_READ, EV_ADD, 0);
    one.ext[2] = 22;
    one.ext[3] = 33;
    CHECK_EQUAL(kevent(kq, &one, 1, NULL, 0, NULL), 0);
    struct kevent event = await_one(kq, (uint64_t)fd, EVFILT_READ);
    CHECK_EQUAL(event.ext[2], 22);
    CHECK_EQUAL(event.ext[3], 33);
}
#endif

const struct row change_rows[] = {
    {"C01", "EV_ADD of a closed descriptor fails with EBADF", "doc FreeBSD kqueue(2) ERRORS",
     add_of_a_closed_descriptor},
    {"C02", "EV_ADD of a number that can be no descriptor fails with EBADF",
     "read NetBSD sys/kern/kern_event.c kqueue_register", add_of_an_impossible_descriptor},
    {"C03", "with room, a failed change becomes an entry: EV_ERROR, data the errno, the change's ident, filter, udata",
     "doc FreeBSD kqueue(2) RETURN VALUES", error_becomes_an_entry},
    {"C04", "a filter that does not exist fails with EINVAL", "doc FreeBSD kqueue(2) ERRORS", unknown_filter},
    {"C05", "EV_DELETE of what is not registered fails with ENOENT", "doc FreeBSD kqueue(2) ERRORS",
     delete_of_nothing},
    {"C06", "EV_ENABLE and EV_DISABLE of what is not registered fail with ENOENT",
     "read FreeBSD sys/kern/kern_event.c kqueue_register", enable_of_nothing},
    {"C07", "EV_DELETE of a closed descriptor fails with EBADF: the descriptor is looked up first (macOS: ENOENT)",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register; xnu kevent_register", delete_of_a_closed_descriptor},
    {"C08", "EV_RECEIPT makes an EV_ERROR entry with data 0 of a success, and the call does not wait",
     "doc FreeBSD kqueue(2) EV_RECEIPT", receipt_of_success},
    {"C09", "with EV_RECEIPT each change has its entry, in the order of the changes",
     "read NetBSD sys/kern/kern_event.c kevent1", receipts_in_order},
    {"C10", "a call that made entries returns only those; events wait for the next call",
     "read FreeBSD sys/kern/kern_event.c kern_kevent (nerrors)", entries_end_the_call},
    {"C11", "the changes are applied before the events are looked for", "doc FreeBSD kqueue(2) kevent",
     changes_come_before_the_wait},
    {"C12", "without room a failed change fails the call: those before it stay, those after it are not applied",
     "read FreeBSD sys/kern/kern_event.c kern_kevent", failure_without_room_ends_the_list},
    {"C13", "with room the changes after a failed one are applied", "read FreeBSD sys/kern/kern_event.c kern_kevent",
     failure_with_room_does_not},
    {"C14", "more failures than room: the call fails with the errno of the first that had none",
     "read FreeBSD sys/kern/kern_event.c kern_kevent", more_failures_than_room},
    {"C15", "a receipt without room ends the call with 0, and the changes after it are lost",
     "read FreeBSD kern_kevent, NetBSD kevent1 (goto done)", receipt_without_room},
    {"C16", "changes and events may be the same memory", "doc FreeBSD kqueue(2) kevent", same_memory},
    {"C17", "nevents 0 returns at once, whatever the timeout", "doc FreeBSD kqueue(2) kevent", no_room_means_no_wait},
    {"C18", "filter number 0 is skipped in silence, on NetBSD it is EVFILT_READ",
     "read FreeBSD sys/kern/kern_event.c kern_kevent; NetBSD sys/sys/event.h", filter_number_zero},
    {"C19", "an event carries udata and the flags of the registration, less the actions (NetBSD keeps them)",
     "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register", event_carries_the_registration},
    {"C20", "a second EV_ADD replaces udata", "doc FreeBSD kqueue(2) EV_ADD", second_add_replaces_udata},
    {"C21", "EV_ENABLE alone replaces udata too", "read FreeBSD, NetBSD kqueue_register; xnu kevent_register",
     enable_replaces_udata},
    {"C22", "the filters of a descriptor are registered and deleted apart", "doc FreeBSD kqueue(2): ident and filter",
     filters_are_registered_apart},
    {"C23", "kevent on what is no kqueue fails with EBADF", "doc FreeBSD kqueue(2) ERRORS", not_a_queue},
    {"C24", "a kqueue cannot watch itself: EINVAL", "read FreeBSD sys/kern/kern_event.c kqueue_register", not_itself},
#if THRUST_KQ_LAYOUT == 64
    {"C25", "ext[2] and ext[3] come back unchanged", "doc FreeBSD kqueue(2) ext", ext_passes_through},
#endif
    {0}};

/* EVFILT_USER, the wake-up. */
#define _GNU_SOURCE
#include "contract.h"

#include <unistd.h>

static int queue_with_user(unsigned flags) {
    int kq = new_queue();
    CHECK_EQUAL(change_with(kq, 7, EVFILT_USER, EV_ADD | flags, 70), 0);
    return kq;
}

static int trigger_with(int kq, unsigned flags, uint32_t fflags, int64_t data, uint64_t udata) {
    struct kevent one = change_of(7, EVFILT_USER, flags, udata);
    one.fflags = fflags;
    one.data = data;
    return kevent(kq, &one, 1, NULL, 0, NULL) == 0 ? 0 : errno;
}

static void silent_until_triggered(void) {
    int kq = queue_with_user(EV_CLEAR);
    silent(kq);
    CHECK_EQUAL(trigger(kq, 7), 0);
    await_one(kq, 7, EVFILT_USER);
    silent(kq);
    CHECK_EQUAL(trigger(kq, 7), 0);
    await_one(kq, 7, EVFILT_USER);
}

static void triggers_merge(void) {
    int kq = queue_with_user(EV_CLEAR);
    for (int i = 0; i < 5; i++) {
        CHECK_EQUAL(trigger(kq, 7), 0);
    }
    await_one(kq, 7, EVFILT_USER);
    silent(kq);
}

static void level_stays_triggered(void) {
    int kq = queue_with_user(0);
    CHECK_EQUAL(trigger(kq, 7), 0);
    await_one(kq, 7, EVFILT_USER);
    await_one(kq, 7, EVFILT_USER);
}

static void trigger_of_nothing(void) {
    CHECK_EQUAL(trigger(new_queue(), 7), ENOENT);
}

static void clear_takes_its_own_trigger_back(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger_with(kq, EV_CLEAR, NOTE_TRIGGER, 0, 70), 0);
    silent(kq);
    CHECK_EQUAL(trigger(kq, 7), 0);
    CHECK_EQUAL(change(kq, 7, EVFILT_USER, EV_ADD | EV_CLEAR), 0);
    silent(kq);
}

static void trigger_at_add_is_lost(void) {
    int kq = new_queue();
    CHECK_EQUAL(trigger_with(kq, EV_ADD | EV_CLEAR, NOTE_TRIGGER, 0, 0), 0);
    silent(kq);
}

static void trigger_by_a_second_add(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger_with(kq, EV_ADD, NOTE_TRIGGER, 0, 70), 0);
    await_one(kq, 7, EVFILT_USER);
}

static void flags_are_combined(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_FFCOPY | 0x0f, 0, 70), 0);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_FFAND | 0x3c, 0, 70), 0);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_FFOR | NOTE_TRIGGER | 0x40, 0, 70), 0);
    CHECK_EQUAL(await_one(kq, 7, EVFILT_USER).fflags, 0x4c);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_FFNOP | NOTE_TRIGGER | 0x80, 0, 70), 0);
    CHECK_EQUAL(await_one(kq, 7, EVFILT_USER).fflags, 0x4c);
}

static void data_is_the_last(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_TRIGGER, 5, 70), 0);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_TRIGGER, 6, 70), 0);
    CHECK_EQUAL(await_one(kq, 7, EVFILT_USER).data, 6);
}

static void trigger_replaces_udata(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger_with(kq, 0, NOTE_TRIGGER, 0, 71), 0);
    CHECK_EQUAL(await_one(kq, 7, EVFILT_USER).udata, 71);
}

static void idents_are_not_descriptors(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    put(ends[1], "x");
    uint64_t ident = (uint64_t)ends[0];
    CHECK_EQUAL(change(kq, ident, EVFILT_USER, EV_ADD | EV_CLEAR), 0);
    CHECK_EQUAL(change(kq, ident, EVFILT_READ, EV_ADD | EV_CLEAR), 0);
    await_one(kq, ident, EVFILT_READ);
    CHECK_EQUAL(trigger(kq, ident), 0);
    await_one(kq, ident, EVFILT_USER);
    close(ends[0]);
    CHECK_EQUAL(trigger(kq, ident), 0);
    await_one(kq, ident, EVFILT_USER);
    CHECK_EQUAL(change(kq, UINT64_C(0xfffffffffffffff0), EVFILT_USER, EV_ADD), 0);
}

static void delete_takes_the_trigger_back(void) {
    int kq = queue_with_user(EV_CLEAR);
    CHECK_EQUAL(trigger(kq, 7), 0);
    CHECK_EQUAL(change(kq, 7, EVFILT_USER, EV_DELETE), 0);
    silent(kq);
}

static void one_shot_user(void) {
    int kq = queue_with_user(EV_ONESHOT);
    CHECK_EQUAL(trigger(kq, 7), 0);
    await_one(kq, 7, EVFILT_USER);
    CHECK_EQUAL(trigger(kq, 7), ENOENT);
}

static void dispatched_user(void) {
    int kq = queue_with_user(EV_CLEAR | EV_DISPATCH);
    CHECK_EQUAL(trigger(kq, 7), 0);
    await_one(kq, 7, EVFILT_USER);
    CHECK_EQUAL(trigger(kq, 7), 0);
    silent(kq);
    CHECK_EQUAL(change(kq, 7, EVFILT_USER, EV_ENABLE), 0);
    await_one(kq, 7, EVFILT_USER);
}

const struct row user_rows[] = {
    {"U01", "NOTE_TRIGGER makes it fire, with EV_CLEAR once for each trigger", "doc FreeBSD kqueue(2) EVFILT_USER",
     silent_until_triggered},
    {"U02", "triggers that nobody has fetched merge", "read FreeBSD sys/kern/kern_event.c filt_usertouch",
     triggers_merge},
    {"U03", "without EV_CLEAR it stays triggered", "read FreeBSD sys/kern/kern_event.c filt_usertouch",
     level_stays_triggered},
    {"U04", "a trigger of what is not registered fails with ENOENT", "read FreeBSD kqueue_register",
     trigger_of_nothing},
    {"U05", "EV_CLEAR in a later change takes a trigger back, its own too (not on macOS)",
     "read FreeBSD, NetBSD sys/kern/kern_event.c filt_usertouch; xnu filt_usertouch",
     clear_takes_its_own_trigger_back},
    {"U06", "a trigger in the change that registers is lost (not on macOS)",
     "read FreeBSD, NetBSD sys/kern/kern_event.c filt_userattach; xnu filt_userattach", trigger_at_add_is_lost},
    {"U07", "a trigger may carry EV_ADD", "read FreeBSD sys/kern/kern_event.c filt_usertouch",
     trigger_by_a_second_add},
    {"U08", "fflags are combined by NOTE_FFCOPY, NOTE_FFAND, NOTE_FFOR", "doc FreeBSD kqueue(2) EVFILT_USER",
     flags_are_combined},
    {"U09", "data is that of the last change", "read FreeBSD sys/kern/kern_event.c filt_usertouch",
     data_is_the_last},
    {"U10", "a trigger replaces udata", "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_register",
     trigger_replaces_udata},
    {"U11", "its idents are no descriptors, and any number will do", "doc FreeBSD kqueue(2) EVFILT_USER",
     idents_are_not_descriptors},
    {"U12", "EV_DELETE takes a trigger back", "read FreeBSD sys/kern/kern_event.c knote_drop",
     delete_takes_the_trigger_back},
    {"U13", "EV_ONESHOT: the first trigger deletes it", "doc FreeBSD kqueue(2) EV_ONESHOT", one_shot_user},
    {"U14", "EV_DISPATCH: a trigger while disabled is told at EV_ENABLE",
     "read FreeBSD sys/kern/kern_event.c kqueue_register", dispatched_user},
    {0}};

/* Pipes. */
#define _GNU_SOURCE
#include "contract.h"

#include <limits.h>
#include <unistd.h>

static void add(int kq, int fd, filter_number filter, unsigned flags) {
    CHECK_EQUAL(change(kq, (uint64_t)fd, filter, EV_ADD | flags), 0);
}

static void readable_with_its_bytes(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    silent(kq);
    put(ends[1], "four");
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.data, 4);
    CHECK_EQUAL(event.flags & EV_EOF, 0);
}

static void writable_with_space(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[1], EVFILT_WRITE, 0);
    CHECK(await_one(kq, (uint64_t)ends[1], EVFILT_WRITE).data >= PIPE_BUF);
    fill(ends[1]);
    silent(kq);
    drain(ends[0]);
    await_one(kq, (uint64_t)ends[1], EVFILT_WRITE);
}

static void writer_gone_leaves_the_rest(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    put(ends[1], "rest");
    await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    close(ends[1]);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.data, 4);
    silent(kq);
}

static void writer_gone_before(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    close(ends[1]);
    add(kq, ends[0], EVFILT_READ, 0);
    struct kevent event = await_one(kq, (uint64_t)ends[0], EVFILT_READ);
    CHECK_EQUAL(event.flags & EV_EOF, EV_EOF);
    CHECK_EQUAL(event.data, 0);
    CHECK_EQUAL(event.fflags, 0);
}

static void reader_gone_while_registered(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[1], EVFILT_WRITE, EV_CLEAR);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[1], EVFILT_WRITE).flags & EV_EOF, 0);
    close(ends[0]);
    CHECK_EQUAL(await_one(kq, (uint64_t)ends[1], EVFILT_WRITE).flags & EV_EOF, EV_EOF);
}

static void reader_gone_before(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    close(ends[0]);
    CHECK_EQUAL(change(kq, (uint64_t)ends[1], EVFILT_WRITE, EV_ADD), THRUST_KQ_LAYOUT == 40 ? EBADF : EPIPE);
    CHECK_EQUAL(change(kq, (uint64_t)ends[1], EVFILT_WRITE, EV_DELETE), ENOENT);
}

static void read_filter_of_the_writing_end(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[1], EVFILT_READ, 0);
    put(ends[1], "x");
    silent(kq);
}

const struct row pipe_rows[] = {
    {"P01", "data of the reading end is the number of bytes", "doc FreeBSD kqueue(2) EVFILT_READ: fifos, pipes",
     readable_with_its_bytes},
    {"P02", "the writing end is ready while PIPE_BUF bytes have room",
     "read FreeBSD sys/kern/sys_pipe.c filt_pipewrite", writable_with_space},
    {"P03", "the writer's close is EV_EOF of the reading end, with the bytes that are left",
     "read FreeBSD sys/kern/sys_pipe.c filt_piperead", writer_gone_leaves_the_rest},
    {"P04", "it is so if the writer had closed before", "read FreeBSD sys/kern/sys_pipe.c filt_piperead",
     writer_gone_before},
    {"P05", "the reader's close is EV_EOF of the writing end", "doc FreeBSD kqueue(2) EVFILT_WRITE",
     reader_gone_while_registered},
    {"P06", "EV_ADD of a writing end whose reader had closed fails: EPIPE, on NetBSD EBADF",
     "read FreeBSD, NetBSD sys/kern/sys_pipe.c pipe_kqfilter", reader_gone_before},
    {"P07", "the read filter of the writing end never fires", "read FreeBSD sys/kern/sys_pipe.c pipe_kqfilter",
     read_filter_of_the_writing_end},
    {0}};

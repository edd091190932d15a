/* The queue itself: waiting, threads, signals, and what the closing of descriptors does. */
#define _GNU_SOURCE
#include "contract.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { ROUNDS = 2000, TRIGGERS = 3000 };

static void add(int kq, int fd, filter_number filter, unsigned flags) {
    CHECK_EQUAL(change(kq, (uint64_t)fd, filter, EV_ADD | flags), 0);
}

static int wait_with(int kq, int64_t seconds, int64_t nanos) {
    struct timespec timeout = {seconds, nanos};
    struct kevent event;
    int count = kevent(kq, NULL, 0, &event, 1, &timeout);
    return count >= 0 ? count : -errno;
}

/* ---- timeouts ---- */

static void zero_timeout(void) {
    CHECK_EQUAL(wait_with(new_queue(), 0, 0), 0);
}

static void timeout_is_waited_for(void) {
    int kq = new_queue();
    int64_t start = now_millis();
    CHECK_EQUAL(wait_with(kq, 0, 60000000), 0);
    CHECK(now_millis() - start >= 59);
}

static void bad_timeouts(void) {
    int kq = new_queue();
    CHECK_EQUAL(wait_with(kq, -1, 0), -EINVAL);
    CHECK_EQUAL(wait_with(kq, 0, -1), -EINVAL);
    CHECK_EQUAL(wait_with(kq, 0, 1000000000), -EINVAL);
}

static void bad_timeout_after_the_changes(void) {
    int kq = new_queue();
    struct timespec bad = {-1, 0};
    struct kevent one = change_of(1, EVFILT_USER, EV_ADD, 0);
    struct kevent event;
    CHECK_EQUAL(kevent(kq, &one, 1, &event, 1, &bad), -1);
    CHECK_EQUAL(errno, EINVAL);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_DELETE), 0);
    CHECK_EQUAL(kevent(kq, NULL, 0, NULL, 0, &bad), 0);
}

#if THRUST_KQ_LAYOUT == 32
static void too_long_timeout(void) {
    CHECK_EQUAL(wait_with(new_queue(), 100000001, 0), -EINVAL);
}
#endif

/* ---- other threads ---- */

struct helper {
    int kq;
    int fd;
    void (*act)(struct helper *);
};

static void *run_helper(void *argument) {
    struct helper *helper = argument;
    /* Likely, not surely, after the other thread has begun to wait: the row holds either way. */
    poll(NULL, 0, 20);
    helper->act(helper);
    return NULL;
}

static pthread_t start(struct helper *helper) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run_helper, helper) == 0);
    return thread;
}

static void act_trigger(struct helper *helper) {
    CHECK_EQUAL(trigger(helper->kq, 1), 0);
}

static void act_add(struct helper *helper) {
    add(helper->kq, helper->fd, EVFILT_READ, 0);
}

static void act_close(struct helper *helper) {
    CHECK(close(helper->kq) == 0);
}

static void longest_timeout_waits(void) {
    int kq = new_queue();
    add(kq, 1, EVFILT_USER, EV_CLEAR);
    struct helper helper = {.kq = kq, .act = act_trigger};
    pthread_t thread = start(&helper);
    CHECK_EQUAL(wait_with(kq, THRUST_KQ_LAYOUT == 32 ? 100000000 : INT64_MAX, 999999999), 1);
    pthread_join(thread, NULL);
}

static void wakes_by_trigger(void) {
    int kq = new_queue();
    add(kq, 1, EVFILT_USER, EV_CLEAR);
    struct helper helper = {.kq = kq, .act = act_trigger};
    pthread_t thread = start(&helper);
    struct kevent event;
    CHECK_EQUAL(kevent(kq, NULL, 0, &event, 1, NULL), 1);
    pthread_join(thread, NULL);
}

static void wakes_by_add(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    put(ends[1], "x");
    struct helper helper = {.kq = kq, .fd = ends[0], .act = act_add};
    pthread_t thread = start(&helper);
    struct kevent event;
    CHECK_EQUAL(kevent(kq, NULL, 0, &event, 1, NULL), 1);
    CHECK_EQUAL(event.ident, ends[0]);
    pthread_join(thread, NULL);
}

static void close_ends_a_wait(void) {
    int kq = new_queue();
    struct helper helper = {.kq = kq, .act = act_close};
    pthread_t thread = start(&helper);
    struct kevent event;
    CHECK_EQUAL(kevent(kq, NULL, 0, &event, 1, NULL), -1);
    CHECK_EQUAL(errno, EBADF);
    pthread_join(thread, NULL);
}

struct stress {
    int kq;
    atomic_int fetched;
};

static void *fetch(void *argument) {
    struct stress *stress = argument;
    for (;;) {
        struct kevent event;
        CHECK_EQUAL(await(stress->kq, &event, 1), 1);
        if (event.ident == 2) {
            return NULL;
        }
        atomic_fetch_add(&stress->fetched, 1);
    }
}

static void one_event_for_one_waiter(void) {
    struct stress stress = {.kq = new_queue()};
    add(stress.kq, 1, EVFILT_USER, EV_CLEAR);
    /* Not EV_CLEAR: once triggered it ends every waiter. */
    add(stress.kq, 2, EVFILT_USER, 0);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        CHECK(pthread_create(&threads[i], NULL, fetch, &stress) == 0);
    }
    for (int i = 1; i <= TRIGGERS; i++) {
        CHECK_EQUAL(trigger(stress.kq, 1), 0);
        int64_t limit = now_millis() + 10000;
        while (atomic_load(&stress.fetched) < i) {
            CHECK(now_millis() < limit);
            sched_yield();
        }
        CHECK_EQUAL(atomic_load(&stress.fetched), i);
    }
    CHECK_EQUAL(trigger(stress.kq, 2), 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_EQUAL(atomic_load(&stress.fetched), TRIGGERS);
}

static void *churn(void *argument) {
    int kq = *(int *)argument;
    int ends[2];
    new_tcp_pair(ends);
    for (int i = 0; i < 200; i++) {
        add(kq, ends[0], EVFILT_READ, EV_CLEAR);
        add(kq, ends[0], EVFILT_WRITE, EV_CLEAR);
        put(ends[1], "x");
        put(ends[0], "y");
        CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_WRITE, EV_DELETE), 0);
        CHECK_EQUAL(change(kq, (uint64_t)ends[0], EVFILT_READ, EV_DELETE), 0);
    }
    close(ends[0]);
    close(ends[1]);
    return NULL;
}

static void changes_during_a_wait(void) {
    int kq = new_queue();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, churn, &kq) == 0);
    }
    add(kq, 1, EVFILT_USER, EV_CLEAR);
    for (int i = 0; i < 500; i++) {
        struct kevent events[4];
        struct timespec brief = {0, 100000};
        int count = kevent(kq, NULL, 0, events, 4, &brief);
        CHECK(count >= 0);
        for (int k = 0; k < count; k++) {
            CHECK_EQUAL(events[k].flags & EV_ERROR, 0);
        }
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    silent(kq);
}

/* ---- signals ---- */

static void on_signal(int signal) {
    (void)signal;
}

static void signal_ends_a_wait(void) {
    int kq = new_queue();
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    /* Again and again, should the first come before the wait. */
    struct itimerspec when = {{0, 20000000}, {0, 20000000}};
    CHECK(timer_settime(timer, 0, &when, NULL) == 0);
    CHECK_EQUAL(wait_with(kq, 20, 0), -EINTR);
    CHECK(timer_delete(timer) == 0);
}

/* ---- the queue as a descriptor ---- */

static bool is_readable(int fd) {
    struct pollfd one = {.fd = fd, .events = POLLIN};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLIN) != 0;
}

static void queue_can_be_polled(void) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    add(kq, 1, EVFILT_USER, EV_CLEAR);
    struct kevent events[4];
    CHECK(!is_readable(kq));
    CHECK_EQUAL(trigger(kq, 1), 0);
    CHECK(is_readable(kq));
    await_one(kq, 1, EVFILT_USER);
    CHECK(!is_readable(kq));
    put(ends[1], "x");
    CHECK(is_readable(kq));
    CHECK_EQUAL(take(kq, events, 4), 1);
    CHECK(!is_readable(kq));
}

static void queue_stays_readable_with_the_rest(void) {
    int kq = new_queue();
    for (int i = 0; i < 3; i++) {
        int ends[2];
        new_pipe(ends);
        put(ends[1], "x");
        add(kq, ends[0], EVFILT_READ, EV_CLEAR);
    }
    struct kevent event;
    for (int i = 0; i < 3; i++) {
        CHECK(is_readable(kq));
        CHECK_EQUAL(take(kq, &event, 1), 1);
    }
    CHECK(!is_readable(kq));
}

static void queue_watches_a_queue(void) {
    int outer = new_queue();
    int inner = new_queue();
    add(inner, 1, EVFILT_USER, EV_CLEAR);
    add(outer, inner, EVFILT_READ, 0);
    silent(outer);
    CHECK_EQUAL(trigger(inner, 1), 0);
    await_one(outer, (uint64_t)inner, EVFILT_READ);
    await_one(inner, 1, EVFILT_USER);
    silent(outer);
}

/* ---- closing what is watched ---- */

typedef void closing(int fd);

static void close_by_library(int fd) {
    CHECK(close(fd) == 0);
}

static void close_forgets_what_is_pending(closing *close_it) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    put(ends[1], "x");
    add(kq, ends[0], EVFILT_READ, 0);
    add(kq, ends[0], EVFILT_WRITE, EV_ONESHOT);
    close_it(ends[0]);
    silent(kq);
}

static void close_forgets(void) {
    close_forgets_what_is_pending(close_by_library);
}

static void close_in_kernel_forgets(void) {
    close_forgets_what_is_pending(close_in_kernel);
}

static void number_names_a_new_file(closing *close_it) {
    int kq = new_queue();
    int first[2];
    int second[2];
    new_tcp_pair(first);
    put(first[1], "x");
    new_tcp_pair(second);
    add(kq, first[0], EVFILT_READ, 0);
    add(kq, first[0], EVFILT_WRITE, EV_DISABLE);
    close_it(first[0]);
    int reused = dup2(second[0], first[0]);
    CHECK_EQUAL(reused, first[0]);
    put(second[1], "yy");
    silent(kq);
    CHECK_EQUAL(change(kq, (uint64_t)reused, EVFILT_READ, EV_ENABLE), ENOENT);
    CHECK_EQUAL(change(kq, (uint64_t)reused, EVFILT_WRITE, EV_DELETE), ENOENT);
    CHECK_EQUAL(change_with(kq, (uint64_t)reused, EVFILT_READ, EV_ADD | EV_CLEAR, 9), 0);
    struct kevent event = await_one(kq, (uint64_t)reused, EVFILT_READ);
    CHECK_EQUAL(event.data, 2);
    CHECK_EQUAL(event.udata, 9);
    silent(kq);
}

static void reused_number(void) {
    number_names_a_new_file(close_by_library);
}

static void reused_number_in_kernel(void) {
    number_names_a_new_file(close_in_kernel);
}

static void file_stays_open(closing *close_it) {
    int kq = new_queue();
    int ends[2];
    new_tcp_pair(ends);
    add(kq, ends[0], EVFILT_READ, 0);
    int other = dup(ends[0]);
    CHECK(other >= 0);
    close_it(ends[0]);
    put(ends[1], "x");
    silent(kq);
    add(kq, other, EVFILT_READ, 0);
    await_one(kq, (uint64_t)other, EVFILT_READ);
}

static void close_of_one_of_two_numbers(void) {
    file_stays_open(close_by_library);
}

static void close_in_kernel_of_one_of_two_numbers(void) {
    file_stays_open(close_in_kernel);
}

static void edges_of_the_old_file(void) {
    int kq = new_queue();
    int first[2];
    int second[2];
    new_tcp_pair(first);
    new_tcp_pair(second);
    add(kq, first[0], EVFILT_READ, EV_CLEAR);
    CHECK(dup(first[0]) >= 0);
    close_in_kernel(first[0]);
    CHECK_EQUAL(dup2(second[0], first[0]), first[0]);
    put(second[1], "x");
    add(kq, first[0], EVFILT_READ, EV_CLEAR);
    await_one(kq, (uint64_t)first[0], EVFILT_READ);
    put(first[1], "of the old file");
    silent(kq);
}

static void reused_number_of_the_same_inode(void) {
    int kq = new_queue();
    int first = eventfd(1, EFD_NONBLOCK);
    int second = eventfd(0, EFD_NONBLOCK);
    add(kq, first, EVFILT_READ, EV_CLEAR);
    await_one(kq, (uint64_t)first, EVFILT_READ);
    close_in_kernel(first);
    CHECK_EQUAL(dup2(second, first), first);
    CHECK_EQUAL(change(kq, (uint64_t)first, EVFILT_READ, EV_DELETE), ENOENT);
    add(kq, first, EVFILT_READ, EV_CLEAR);
    silent(kq);
    uint64_t word = 1;
    CHECK_EQUAL(write(second, &word, sizeof word), (ssize_t)sizeof word);
    await_one(kq, (uint64_t)first, EVFILT_READ);
}

/* ---- closing the queue ---- */

static void closed_queue(closing *close_it) {
    int kq = new_queue();
    int ends[2];
    new_pipe(ends);
    add(kq, ends[0], EVFILT_READ, 0);
    close_it(kq);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_ADD), EBADF);
    int second[2];
    new_pipe(second);
    CHECK_EQUAL(change(kq, 1, EVFILT_USER, EV_ADD), EBADF);
    int other = new_queue();
    add(other, ends[0], EVFILT_READ, 0);
    put(ends[1], "x");
    await_one(other, (uint64_t)ends[0], EVFILT_READ);
}

static void close_ends_a_queue(void) {
    closed_queue(close_by_library);
}

static void close_in_kernel_ends_a_queue(void) {
    closed_queue(close_in_kernel);
}

static void nothing_stays_behind(void) {
    int before = open_descriptors();
    int ends[2];
    for (int i = 0; i < ROUNDS; i++) {
        int kq = new_queue();
        new_pipe(ends);
        add(kq, ends[0], EVFILT_READ, 0);
        close(ends[0]);
        close(ends[1]);
        close(kq);
    }
    CHECK_EQUAL(open_descriptors(), before);
}

static void nothing_heaps_up(void) {
    int before = open_descriptors();
    for (int i = 0; i < ROUNDS; i++) {
        close_in_kernel(new_queue());
        CHECK(i % 100 != 0 || open_descriptors() <= before + 3);
    }
    int last = new_queue();
    CHECK_EQUAL(open_descriptors(), before + 4);
    CHECK(close(last) == 0);
    CHECK_EQUAL(open_descriptors(), before);
}

const struct row queue_rows[] = {
    {"Q01", "a timeout of zero does not wait", "doc FreeBSD kqueue(2) kevent", zero_timeout},
    {"Q02", "a timeout is waited for, no less", "doc FreeBSD kqueue(2) kevent", timeout_is_waited_for},
    {"Q03", "a negative timeout, and nanoseconds outside a second, fail with EINVAL", "doc FreeBSD kqueue(2) ERRORS",
     bad_timeouts},
    {"Q04", "the timeout is looked at after the changes, and not at all if nevents is 0 (macOS: before them)",
     "read FreeBSD, NetBSD kqueue_scan; xnu kevent_legacy_internal", bad_timeout_after_the_changes},
#if THRUST_KQ_LAYOUT == 32
    {"Q05", "a timeout of more than 100,000,000 seconds fails with EINVAL (older BSDs)",
     "read OpenBSD 6 sys/kern/kern_event.c kqueue_scan; sys/kern/kern_time.c itimerfix", too_long_timeout},
#endif
    {"Q06", "the longest timeout that is allowed waits", "read FreeBSD, NetBSD sys/kern/kern_event.c kqueue_scan",
     longest_timeout_waits},
    {"Q07", "no timeout waits for ever; a trigger by another thread ends it", "doc FreeBSD kqueue(2) EVFILT_USER",
     wakes_by_trigger},
    {"Q08", "a ready source that another thread registers ends a wait", "read FreeBSD knote_enqueue, kqueue_wakeup",
     wakes_by_add},
    {"Q09", "of several waiters one gets an event, and each event is got",
     "read FreeBSD sys/kern/kern_event.c kqueue_scan", one_event_for_one_waiter},
    {"Q10", "sources come and go during a wait", "read FreeBSD sys/kern/kern_event.c kqueue_register",
     changes_during_a_wait},
    {"Q11", "a signal ends a wait with EINTR, with SA_RESTART too",
     "doc FreeBSD kqueue(2) ERRORS; read kqueue_scan (ERESTART)", signal_ends_a_wait},
    {"Q12", "the queue is a descriptor that can be polled: readable while events wait",
     "read FreeBSD sys/kern/kern_event.c kqueue_poll", queue_can_be_polled},
    {"Q13", "it stays readable until the last event is fetched", "read FreeBSD sys/kern/kern_event.c kqueue_poll",
     queue_stays_readable_with_the_rest},
    {"Q14", "a queue can be watched by another", "doc FreeBSD kqueue(2) EVFILT_READ", queue_watches_a_queue},
    {"Q15", "a close forgets what is registered and pending on the descriptor",
     "doc FreeBSD kqueue(2): close removes any kevents that reference the descriptor", close_forgets},
    {"Q16", "so does a close that the fixture does not see", "doc FreeBSD kqueue(2)", close_in_kernel_forgets},
    {"Q17", "a reused number is a new file: no registration, no event of the old one",
     "read FreeBSD sys/kern/kern_event.c knote_fdclose", reused_number},
    {"Q18", "so it is after a close that the fixture does not see",
     "read FreeBSD sys/kern/kern_event.c knote_fdclose", reused_number_in_kernel},
    {"Q19", "a close forgets though the file stays open under another number",
     "read FreeBSD, NetBSD sys/kern/kern_event.c knote_fdclose", close_of_one_of_two_numbers},
    {"Q20", "so does a close that the fixture does not see",
     "read FreeBSD, NetBSD sys/kern/kern_event.c knote_fdclose", close_in_kernel_of_one_of_two_numbers},
    {"Q21", "a reused number is a new file even if both share an inode",
     "read FreeBSD sys/kern/kern_event.c knote_fdclose", reused_number_of_the_same_inode},
    {"Q22", "a closed queue is gone: EBADF, also when its number was reused",
     "doc FreeBSD kqueue(2) ERRORS", close_ends_a_queue},
    {"Q23", "so it is after a close that the fixture does not see", "doc FreeBSD kqueue(2) ERRORS",
     close_in_kernel_ends_a_queue},
    {"Q24", "the close of a queue ends a wait in it with EBADF (FreeBSD: the wait goes on)",
     "read xnu kqfile_begin_processing (KQ_DRAIN); NetBSD kqueue_restart", close_ends_a_wait},
    {"Q25", "queues that come and go leave no descriptor", "doc close(2)", nothing_stays_behind},
    {"Q26", "those closed unseen do not heap up: the next kqueue() frees them", "the fixture's own promise",
     nothing_heaps_up},
    {"Q27", "what happens to a file that was behind a number is no event of the new one",
     "read FreeBSD sys/kern/kern_event.c knote_fdclose", edges_of_the_old_file},
    {0}};

/*
 * The limit that wake-ups of pollers are compared with: a thread waits in epoll_wait for an eventfd, another one writes to it.
 * Arguments: the number of wake-ups, and how many nanoseconds the second thread spins before each. Prints percentiles of the
 * time from before the write to after the wait, in nanoseconds, a line each: the name, a blank, the number.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static int event, queue;
static long wakes;
static uint64_t *taken;
static _Atomic uint64_t sent;
static _Atomic long returns;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *wait_for_all(void *unused) {
    (void)unused;
    for (long i = 0; i < wakes; i++) {
        struct epoll_event found;
        while (epoll_wait(queue, &found, 1, -1) != 1)
            ;
        uint64_t end = now(), count;
        if (read(event, &count, sizeof count) != sizeof count) exit(1);
        taken[i] = end - atomic_load(&sent);
        atomic_store(&returns, i + 1);
    }
    return NULL;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    if (argc != 3 || (wakes = atol(argv[1])) < 1) return 2;
    uint64_t spin = (uint64_t)atol(argv[2]), one = 1;
    taken = calloc((size_t)wakes, sizeof *taken);
    event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    queue = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event interest = {.events = EPOLLIN | EPOLLET};
    if (!taken || event < 0 || queue < 0 || epoll_ctl(queue, EPOLL_CTL_ADD, event, &interest)) return 1;
    pthread_t waiter;
    if (pthread_create(&waiter, NULL, wait_for_all, NULL)) return 1;
    for (long i = 0; i < wakes; i++) {
        for (uint64_t start = now(); now() - start < spin;)
            ;
        atomic_store(&sent, now());
        if (write(event, &one, sizeof one) != sizeof one) return 1;
        while (atomic_load(&returns) == i)
            ;
    }
    pthread_join(waiter, NULL);
    qsort(taken, (size_t)wakes, sizeof *taken, by_value);
    printf("min %lu\np50 %lu\np90 %lu\np99 %lu\nmax %lu\n", taken[0], taken[wakes / 2], taken[wakes * 9 / 10],
           taken[wakes * 99 / 100], taken[wakes - 1]);
    return 0;
}

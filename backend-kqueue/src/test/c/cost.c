/*
 * What a kevent that changes nothing and waits for nothing costs a C program: prints the nanoseconds that a processor
 * works for one call.
 *
 *   cost CALLS THREADS
 *
 * With two threads one does nothing: a process of several threads, as each JVM is, pays more for each use of a descriptor,
 * since Linux counts the uses then.
 *
 * benchmarks/kevent.sh builds it and sets the same call from Java against it.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kq_layout.h"

#define EVENTS 64

static double cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *idle(void *unused) {
    pause();
    return unused;
}

int main(int argc, char **argv) {
    long calls = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    long threads = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (calls < 1 || threads < 1 || threads > 2) {
        fprintf(stderr, "usage: %s CALLS THREADS, of which there are 1 or 2\n", argv[0]);
        return 2;
    }
    pthread_t thread;
    if (threads == 2 && pthread_create(&thread, NULL, idle, NULL) != 0) {
        fprintf(stderr, "no second thread\n");
        return 1;
    }
    int kq = kqueue();
    if (kq < 0) {
        perror("kqueue");
        return 1;
    }
    static struct kevent events[EVENTS];
    const struct timespec no_wait = {0, 0};
    double begin = 0;
    /* The first tenth warms up. */
    for (long i = -calls / 10; i < calls; i++) {
        if (i == 0) {
            begin = cpu_ns();
        }
        if (kevent(kq, NULL, 0, events, EVENTS, &no_wait) != 0) {
            perror("kevent");
            return 1;
        }
    }
    printf("%.2f\n", (cpu_ns() - begin) / (double)calls);
    return 0;
}

/*
 * What a program sees of kqueue on a BSD: the struct, the numbers and the entry points, in the layout that
 * THRUST_KQ_LAYOUT names. Shared by the fixture, which implements them, and by the contract test.
 *
 *   32  FreeBSD up to 11, macOS, OpenBSD, DragonFly    (filter numbers of FreeBSD)
 *   64  FreeBSD from 12
 *   40  NetBSD up to 10
 */
#ifndef KQ_LAYOUT_H
#define KQ_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if THRUST_KQ_LAYOUT == 32 || THRUST_KQ_LAYOUT == 64

struct kevent {
    uint64_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    int64_t data;
    uint64_t udata;
#if THRUST_KQ_LAYOUT == 64
    uint64_t ext[4];
#endif
};

typedef int kq_count;

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-11)

#elif THRUST_KQ_LAYOUT == 40

struct kevent {
    uint64_t ident;
    uint32_t filter;
    uint32_t flags;
    uint32_t fflags;
    int64_t data;
    uint64_t udata;
};

typedef size_t kq_count;

#define EVFILT_READ 0u
#define EVFILT_WRITE 1u
#define EVFILT_USER 8u

#else
#error "THRUST_KQ_LAYOUT must be 32, 40 or 64"
#endif

_Static_assert(sizeof(struct kevent) == THRUST_KQ_LAYOUT, "size of struct kevent");
_Static_assert(offsetof(struct kevent, filter) == 8, "offset of filter");
_Static_assert(offsetof(struct kevent, flags) == (THRUST_KQ_LAYOUT == 40 ? 12 : 10), "offset of flags");
_Static_assert(offsetof(struct kevent, fflags) == (THRUST_KQ_LAYOUT == 40 ? 16 : 12), "offset of fflags");
_Static_assert(offsetof(struct kevent, data) == (THRUST_KQ_LAYOUT == 40 ? 24 : 16), "offset of data");
_Static_assert(offsetof(struct kevent, udata) == (THRUST_KQ_LAYOUT == 40 ? 32 : 24), "offset of udata");
_Static_assert(sizeof(struct timespec) == 16, "timespec is two 64-bit words");

#define EV_ADD 0x0001u
#define EV_DELETE 0x0002u
#define EV_ENABLE 0x0004u
#define EV_DISABLE 0x0008u
#define EV_ONESHOT 0x0010u
#define EV_CLEAR 0x0020u
#define EV_RECEIPT 0x0040u
#define EV_DISPATCH 0x0080u
#define EV_ERROR 0x4000u
#define EV_EOF 0x8000u

#define NOTE_FFNOP 0x00000000u
#define NOTE_FFAND 0x40000000u
#define NOTE_FFOR 0x80000000u
#define NOTE_FFCOPY 0xc0000000u
#define NOTE_FFCTRLMASK 0xc0000000u
#define NOTE_FFLAGSMASK 0x00ffffffu
#define NOTE_TRIGGER 0x01000000u

int kqueue(void);

#if THRUST_KQ_LAYOUT == 40
int kqueue1(int flags);
int __kevent50(int kq, const struct kevent *changes, size_t nchanges, struct kevent *events, size_t nevents,
               const struct timespec *timeout);
#define kevent(kq, changes, nchanges, events, nevents, timeout)                                                      \
    __kevent50((kq), (changes), (nchanges), (events), (nevents), (timeout))
#else
int kevent(int kq, const struct kevent *changes, int nchanges, struct kevent *events, int nevents,
           const struct timespec *timeout);
#endif

#endif

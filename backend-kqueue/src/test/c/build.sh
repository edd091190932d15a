#!/bin/sh
# Builds the fixture and its contract test, once for each layout of struct kevent:
#
#   build.sh OUTDIR        libthrustkq{32,40,64}.so and contract{32,40,64} in OUTDIR
#
# CC names the compiler (gcc), CFLAGS adds to its options (-fsanitize=address, for example).
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 OUTDIR" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)

cc=${CC:-gcc}
flags="-std=c11 -O2 -g -Wall -Wextra -Werror -pthread ${CFLAGS:-}"

for layout in 32 40 64; do
    # shellcheck disable=SC2086 # the flags are several words
    "$cc" $flags -DTHRUST_KQ_LAYOUT=$layout -fPIC -shared -fvisibility=hidden \
        "$here"/kq_source.c "$here"/kq_note.c "$here"/kq_queue.c "$here"/kq_calls.c \
        -o "$out/libthrustkq$layout.so"
    # shellcheck disable=SC2086
    "$cc" $flags -DTHRUST_KQ_LAYOUT=$layout \
        "$here"/contract.c "$here"/contract_changes.c "$here"/contract_modes.c "$here"/contract_sockets.c \
        "$here"/contract_pipes.c "$here"/contract_user.c "$here"/contract_queue.c \
        -o "$out/contract$layout" -L"$out" "-lthrustkq$layout" -Wl,-rpath,'$ORIGIN'
done

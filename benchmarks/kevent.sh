#!/usr/bin/env bash
# What a kevent from Java costs, as a ratio to the same call from C over the same test library, on Linux with gcc.
#
#   benchmarks/kevent.sh [LAYOUT] [ROUNDS]    LAYOUT is 32, 40 or 64 (32); ROUNDS is the number of paired rounds (41)
set -euo pipefail
cd "$(dirname "$0")/.."

readonly layout=${1:-32} rounds=${2:-41}
readonly jar=benchmarks/target/thrust-benchmarks.jar out=benchmarks/target/kevent c=backend-kqueue/src/test/c
case $layout in
    32) name=freebsd11 ;;
    40) name=netbsd40 ;;
    64) name=freebsd12 ;;
    *)
        echo "the layout is $layout, but must be 32, 40 or 64" >&2
        exit 2
        ;;
esac
if [[ ! -f $jar ]]; then
    echo "there is no $jar: mvn -B package -DskipTests" >&2
    exit 2
fi
sh "$c/build.sh" "$out"
"${CC:-gcc}" -std=c11 -O2 -pthread -Wall -Wextra -Werror "-DTHRUST_KQ_LAYOUT=$layout" "$c/cost.c" -o "$out/cost$layout" \
    -L"$out" "-lthrustkq$layout" -Wl,-rpath,'$ORIGIN'
# On one processor, the same for both: they run in turn anyhow.
pin=()
if command -v taskset >/dev/null; then pin=(taskset -c "$(($(nproc) - 1))"); fi
exec ${pin[@]+"${pin[@]}"} "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:+UseSerialGC \
    "-Dthrust.kqueue.library=$out/libthrustkq$layout.so" "-Dthrust.kqueue.layout=$name" \
    -cp "$jar" io.thrust.kqueue.KeventRatio "$out/cost$layout" "$rounds"

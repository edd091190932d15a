package io.thrust.kqueue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sources that one poller told the kernel of, by token. A token is an index and a generation, and never 0: the event of
 * a registration that is past finds nothing, whatever took its place, and however late it comes.
 */
final class SourceTable {
    private @Nullable KqueueSource[] sources = new KqueueSource[16];
    private int[] generations = new int[16];
    /** Of a free place: the next free one. */
    private int[] next = new int[16];

    private int firstFree = -1;
    private int used;

    /** Gives the source a place and a token. */
    void add(KqueueSource source) {
        int index = firstFree;
        if (index >= 0) {
            firstFree = next[index];
        } else {
            index = used++;
            if (index == sources.length) {
                int length = index * 2;
                sources = Arrays.copyOf(sources, length);
                generations = Arrays.copyOf(generations, length);
                next = Arrays.copyOf(next, length);
            }
        }
        sources[index] = source;
        source.token = (long) generations[index] << 32 | (index + 1);
    }

    /** Frees the source's place; its token is void from now on. */
    void remove(KqueueSource source) {
        int index = (int) source.token - 1;
        sources[index] = null;
        generations[index]++;
        next[index] = firstFree;
        firstFree = index;
    }

    @Nullable KqueueSource get(long token) {
        int index = (int) token - 1;
        return index >= 0 && index < used && generations[index] == (int) (token >>> 32) ? sources[index] : null;
    }
}

package io.thrust.kqueue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sources in no order; the caller remembers where each stands. Allocates only to grow. */
final class SourceList {
    private @Nullable KqueueSource[] sources = new KqueueSource[8];
    private int size;

    int size() {
        return size;
    }

    KqueueSource get(int index) {
        KqueueSource source = sources[index];
        if (source == null) {
            throw new IndexOutOfBoundsException("index " + index + " of " + size);
        }
        return source;
    }

    /** Returns where it stands now. */
    int add(KqueueSource source) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, size * 2);
        }
        sources[size] = source;
        return size++;
    }

    /** Takes one out, puts the last in its place, and returns that one, or null if it was the last itself. */
    @Nullable KqueueSource remove(int index) {
        KqueueSource last = sources[--size];
        sources[size] = null;
        if (index == size) {
            return null;
        }
        sources[index] = last;
        return last;
    }
}

package io.thrust.nio;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sources whose keys are to be told what is armed. A source is in one list at the most, and knows which. */
final class ChangeList {
    private @Nullable NioSource[] sources = new NioSource[16];
    private int count;

    /** Adds a source that is in no list. */
    void add(NioSource source) {
        if (count == sources.length) {
            sources = Arrays.copyOf(sources, count * 2);
        }
        source.changes = this;
        source.changeIndex = count;
        sources[count++] = source;
    }

    /** Removes a source of this list; the last one takes its place. */
    void remove(NioSource source) {
        NioSource last = sources[--count];
        sources[count] = null;
        if (last != null && last != source) {
            last.changeIndex = source.changeIndex;
            sources[source.changeIndex] = last;
        }
        source.changes = null;
    }

    /** Removes the last one, or returns null. */
    @Nullable NioSource poll() {
        if (count == 0) {
            return null;
        }
        NioSource last = sources[--count];
        sources[count] = null;
        if (last != null) {
            last.changes = null;
        }
        return last;
    }
}

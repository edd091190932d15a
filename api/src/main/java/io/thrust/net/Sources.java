package io.thrust.net;

import java.io.Closeable;

/** Closing on the way out of a failure. */
final class Sources {
    private Sources() {}

    static void closeAfter(Throwable failure, Closeable source) {
        try {
            source.close();
        } catch (Throwable t) {
            if (t != failure) {
                failure.addSuppressed(t);
            }
        }
    }
}

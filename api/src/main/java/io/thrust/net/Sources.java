package io.thrust.net;

import java.io.Closeable;
import java.io.IOException;

/** Closing on the way out of a failure. */
final class Sources {
    private Sources() {}

    static void closeAfter(Throwable failure, Closeable source) {
        try {
            source.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}

package io.thrust.kqueue;

/** What ends a wait from another thread. Its events carry the token 0. */
interface WakeSignal {
    /** What it is registered by. */
    long ident();

    int filter();

    /** The flags it is registered with. */
    int flags();

    /**
     * Makes a wait that is under way, or the next one, return; by any thread, several at once.
     *
     * @param noWait a timeout of zero
     */
    void send(NativeMemory noWait);

    /** Its event was fetched; by the owner. */
    void received();

    /** Releases it, when nobody sends any more. */
    void close();
}

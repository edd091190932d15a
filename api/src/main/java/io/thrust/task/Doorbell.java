package io.thrust.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Wakes the loop's thread out of its park, and only if it is parked: however many threads ring, one of them makes the
 * call. The loop says that it is about to park, and then looks once more at what the others write before they ring.
 */
final class Doorbell {
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(Doorbell.class, "parked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Parker parker;
    private volatile boolean parked;

    Doorbell(Parker parker) {
        this.parker = parker;
    }

    /** From any thread, after having written what the loop is to see. */
    void ring() {
        if (parked && (boolean) PARKED.compareAndSet(this, true, false)) {
            parker.unpark();
        }
    }

    /** By the loop's thread, before it looks for the last time whether it may wait. */
    void listen() {
        parked = true;
    }

    /** By the loop's thread, when it is back. */
    void ignore() {
        parked = false;
    }
}

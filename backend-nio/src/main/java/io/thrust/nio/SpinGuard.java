package io.thrust.nio;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches a selector for two faults: that it returns early and empty again and again, which would use a processor for
 * nothing, and that it throws. It answers when the selector is to be replaced, which is done a few times only; where
 * that did not help it slows the caller down.
 */
final class SpinGuard {
    /** Early empty returns in one stretch, after which the selector is replaced. */
    static final int LIMIT = 512;
    /** Replacements in the life of a poller. */
    static final int MAX_REBUILDS = 8;

    private static final long PAUSE_NANOS = 1_000_000;

    private final Object poller;
    private int earlyReturns;
    /** Whether the present stretch has had its replacement. */
    private boolean rebuilt;

    private int rebuilds;
    private int failures;
    /** A wake-up or an interrupt has ended a select, and may yet end another one. */
    private boolean emptyReturnExpected;

    private boolean logged;

    SpinGuard(Object poller) {
        this.poller = poller;
    }

    /** A select returned, with so many keys. */
    void succeeded(int fetched) {
        failures = 0;
        if (fetched > 0) {
            waited();
        }
    }

    /** A select did what it should: the stretch ends. */
    void waited() {
        earlyReturns = 0;
        rebuilt = false;
    }

    /** A wake-up or an interrupt came: an empty return is no fault, nor is one more, which the signal may cause late. */
    void expectEmptyReturn() {
        emptyReturnExpected = true;
    }

    /** A select returned early and empty; answers whether to replace the selector. */
    boolean returnedEarly() {
        if (emptyReturnExpected) {
            emptyReturnExpected = false;
            return false;
        }
        if (earlyReturns < LIMIT) {
            earlyReturns++;
        }
        if (earlyReturns < LIMIT) {
            return false;
        }
        if (rebuilt || rebuilds == MAX_REBUILDS) {
            LockSupport.parkNanos(PAUSE_NANOS);
            return false;
        }
        rebuilt = true;
        rebuilds++;
        earlyReturns = 0;
        log(
                "the selector of " + poller + " returned " + LIMIT
                        + " times in a row early and without a ready key; it is replaced",
                null);
        return true;
    }

    /** A select failed; answers whether to replace the selector, or throws if neither that nor repeating helped. */
    boolean failed(IOException failure) throws IOException {
        failures++;
        if (failures == 1) {
            log("the selector of " + poller + " failed; it is asked again, and replaced if it fails again", failure);
            return false;
        }
        if (failures == 2) {
            return true;
        }
        failures = 0;
        throw NioErrors.map("poll with " + poller, failure);
    }

    void logFailedRebuild(IOException failure) {
        log("the selector of " + poller + " could not be replaced properly", failure);
    }

    /** Once in a poller's life: a fault that lasts must not fill the log. */
    private void log(String message, @Nullable Throwable cause) {
        if (!logged) {
            logged = true;
            try {
                System.getLogger("io.thrust.nio").log(Level.WARNING, message, cause);
            } catch (Throwable t) {
                // A log that fails, as one that may open no file, ends no poll.
                System.err.println("io.thrust.nio: " + message + ": " + cause + "; it could not be logged: " + t);
            }
        }
    }
}

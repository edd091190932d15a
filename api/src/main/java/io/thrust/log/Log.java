package io.thrust.log;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/**
 * The {@link System.Logger} of a name, which ends no loop and keeps nobody from being woken, closed or cancelled: it never
 * throws, whatever the logger does (one that may open no file, say) and whatever is thrown by the {@code toString} of what
 * the message speaks of. What cannot be logged goes to {@link System#err}.
 */
public final class Log {
    private final String name;

    public Log(String name) {
        this.name = name;
    }

    /** Logs an error. */
    public void error(Supplier<String> what, Throwable thrown) {
        log(Level.ERROR, what, thrown);
    }

    /** Logs a warning. */
    public void warning(Supplier<String> what, Throwable thrown) {
        log(Level.WARNING, what, thrown);
    }

    private void log(Level level, Supplier<String> what, Throwable thrown) {
        try {
            // Looked up here: the system may fail to make a logger, too.
            System.getLogger(name).log(level, what.get(), thrown);
        } catch (Throwable t) {
            printInstead(what, thrown, t);
        }
    }

    private void printInstead(Supplier<String> what, Throwable thrown, Throwable why) {
        try {
            System.err.println(name + ": " + text(what) + ": " + text(thrown::toString) + "; it could not be logged: "
                    + text(why::toString));
        } catch (Throwable t) {
            // There is nobody left to tell.
        }
    }

    private static String text(Supplier<String> supplier) {
        try {
            return supplier.get();
        } catch (Throwable t) {
            return "(no text: " + t.getClass().getName() + ")";
        }
    }
}

package io.thrust.poll;

import java.lang.ref.SoftReference;
import java.lang.reflect.InvocationTargetException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What foreign code throws while providers are discovered: what must pass, what is remembered, how it is worded. */
final class Failures {
    private static final int MAX_DEPTH = 100;

    /**
     * The first failure of each provider class. It lives in the class itself, so that it pins no class loader; and it is
     * soft, as a stack trace keeps the classes of all its frames, the caller's included.
     */
    private static final ClassValue<AtomicReference<@Nullable SoftReference<Throwable>>> FIRST = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable SoftReference<Throwable>> computeValue(Class<?> type) {
            return new AtomicReference<>();
        }
    };

    private Failures() {}

    /** Throws what must not become a line in a list: it tells of the virtual machine, not of a provider. */
    static void rethrowIfFatal(Throwable thrown) {
        Throwable t = thrown;
        for (int depth = 0; t != null && depth < MAX_DEPTH; depth++) {
            boolean fatal = t instanceof VirtualMachineError && !(t instanceof StackOverflowError);
            // By name: the class is deprecated for removal, and some JDK to come will not have it.
            boolean death = t.getClass().getName().equals("java.lang.ThreadDeath");
            if (fatal || death) {
                throw (Error) t;
            }
            boolean wrapper = t instanceof InvocationTargetException || t instanceof ServiceConfigurationError;
            t = wrapper ? t.getCause() : null;
        }
    }

    /**
     * The failure to report for this class. The virtual machine says only once why it could not initialise a class, and
     * {@link NoClassDefFoundError} from then on; in its place the first failure is reported.
     */
    static Throwable lasting(Class<?> type, Throwable thrown) {
        AtomicReference<@Nullable SoftReference<Throwable>> memory = FIRST.get(type);
        SoftReference<Throwable> remembered = memory.get();
        Throwable first = remembered == null ? null : remembered.get();
        if (first == null) {
            memory.compareAndSet(remembered, new SoftReference<>(thrown));
            return thrown;
        }
        return thrown instanceof NoClassDefFoundError ? first : thrown;
    }

    /** The innermost cause. */
    static Throwable root(Throwable thrown) {
        Throwable t = thrown;
        for (int depth = 0; t.getCause() != null && depth < MAX_DEPTH; depth++) {
            t = t.getCause();
        }
        return t;
    }

    /** Class and message of the innermost cause. */
    static String describe(Throwable thrown) {
        Throwable root = root(thrown);
        String message = root.getMessage();
        String type = root.getClass().getName();
        return message == null || message.isBlank() ? type : type + ": " + message.strip();
    }
}

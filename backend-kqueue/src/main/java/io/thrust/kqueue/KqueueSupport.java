package io.thrust.kqueue;

import io.thrust.poll.Availability;
import org.jspecify.annotations.Nullable;

/**
 * Whether kqueue works here, and if it does, what to reach it with.
 *
 * @param kernel present if and only if available
 */
record KqueueSupport(Availability availability, @Nullable Kernel kernel) {
    static final String LIBRARY = "thrust.kqueue.library";
    static final String LAYOUT = "thrust.kqueue.layout";

    /** The answer for this JVM and its system properties, found out once. */
    static KqueueSupport ofThisJvm() {
        return Holder.RESULT;
    }

    private static final class Holder {
        static final KqueueSupport RESULT = find(
                System.getProperty("os.name", ""),
                System.getProperty("os.version", ""),
                System.getProperty("os.arch", ""),
                System.getProperty(LIBRARY),
                System.getProperty(LAYOUT));
    }

    private static KqueueSupport not(String reason, @Nullable Throwable cause) {
        return new KqueueSupport(Availability.unavailable(reason, cause), null);
    }

    static KqueueSupport of(Kernel kernel) {
        return new KqueueSupport(Availability.available(), kernel);
    }

    /**
     * The search, apart from the machine it runs on. Nothing native is loaded unless everything else fits.
     *
     * @param library where to look functions up before the C library, or null
     * @param layoutName the layout's name, or null for that of the system
     */
    static KqueueSupport find(
            String osName, String osVersion, String osArch, @Nullable String library, @Nullable String layoutName) {
        OperatingSystem os = OperatingSystem.of(osName);
        if (os == null) {
            return not("kqueue is an interface of macOS and the BSDs, and this is " + osName, null);
        }
        if (os == OperatingSystem.LINUX && library == null) {
            return not(
                    "kqueue is an interface of macOS and the BSDs; on Linux it needs a library that provides it, such as"
                            + " libkqueue (package libkqueue0 of Debian and Ubuntu): name it with -D" + LIBRARY
                            + "=PATH, for example /usr/lib/x86_64-linux-gnu/libkqueue.so.0",
                    null);
        }
        if (!KeventLayout.suits(osArch)) {
            return not("the layouts of struct kevent are known for 64-bit machines, and this is " + osArch, null);
        }
        KeventLayout layout;
        try {
            layout = layoutName == null ? KeventLayout.of(os, osVersion) : KeventLayout.named(layoutName);
        } catch (IllegalArgumentException e) {
            return not(String.valueOf(e.getMessage()), null);
        }
        try {
            Numbers numbers = new Numbers(os, osArch);
            NativeLibrary.ensureLoaded();
            return KqueueProbe.probe(JnrSyscalls.load(library, os, layout), layout, numbers);
        } catch (AbstractMethodError e) {
            // So answers jnr-ffi for a function that it did not find.
            return not(
                    (library == null ? "the C library" : library) + " has no function kqueue, or none called "
                            + layout.function + ", which layout " + layout.layoutName
                            + " needs; choose another one with -D"
                            + LAYOUT + "=NAME",
                    e);
        } catch (LinkageError | RuntimeException e) {
            return not(reason(library, layout, e), e);
        }
    }

    /** One sentence; the root cause, since what is above it blames something else as a rule. */
    private static String reason(@Nullable String library, KeventLayout layout, Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        String firstLine = message.lines().findFirst().orElse("");
        String what = root.getClass().getSimpleName() + ": " + firstLine;
        if (root instanceof ClassNotFoundException || root instanceof NoClassDefFoundError) {
            return "a class that the backend needs is missing (" + what
                    + "); add com.github.jnr:jnr-ffi and jnr-constants";
        }
        // All that jffi says when it found no library of its own that it may load, one that another class loader has
        // included.
        String remedy = firstLine.contains("could not locate stub library")
                ? "; add com.github.jnr:jffi with the classifier native, of which each class loader unpacks a copy"
                : "";
        return "the native calls for layout " + layout.layoutName + (library == null ? "" : " over " + library)
                + " cannot be used (" + what + ")" + remedy;
    }

    /** Apart, so that jffi is not initialised before it was decided to. */
    private static final class NativeLibrary {
        /** Asks jffi itself: what jnr-ffi says of it leaves the cause out. */
        static void ensureLoaded() {
            com.kenai.jffi.Library.getDefault();
        }
    }
}

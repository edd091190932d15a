package io.thrust.epoll;

import io.netty.channel.epoll.Epoll;
import io.netty.util.Version;
import io.thrust.poll.Availability;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether epoll works here, asked once. Nothing of Netty is initialised on another system than Linux. */
final class EpollAvailability {
    private static final String ARTIFACT = "io.netty:netty-transport-native-epoll";
    private static final int MOST_CAUSES = 8;

    private EpollAvailability() {}

    static Availability get() {
        return Holder.RESULT;
    }

    private static final class Holder {
        static final Availability RESULT = check(
                System.getProperty("os.name", ""),
                System.getProperty("os.arch", ""),
                EpollAvailability.class.getClassLoader());
    }

    /** The check, apart from the machine it runs on. */
    static Availability check(String osName, String osArch, @Nullable ClassLoader loader) {
        if (!osName.toLowerCase(Locale.ROOT).startsWith("linux")) {
            return Availability.unavailable("epoll is an interface of Linux, and this is " + osName, null);
        }
        try {
            // Netty 4.1 has the class Epoll too, but not this one.
            Class.forName("io.netty.channel.epoll.EpollIoHandler", false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return Availability.unavailable(
                    "Netty 4.2 is missing; add io.netty:netty-transport-classes-epoll:4.2.x and " + ARTIFACT + ":4.2.x:"
                            + classifier(osArch),
                    e);
        }
        try {
            Throwable cause = Loaded.cause();
            return cause == null
                    ? Availability.available()
                    : Availability.unavailable(reason(osArch, loader, cause), cause);
        } catch (LinkageError e) {
            return Availability.unavailable("Netty's epoll classes cannot be initialised: " + e, e);
        }
    }

    /** One sentence for why Netty could not load its library. */
    static String reason(String osArch, @Nullable ClassLoader loader, Throwable cause) {
        String classifier = classifier(osArch);
        Throwable taken = takenByAnotherLoader(cause, 0);
        if (taken != null) {
            return "Netty's native library belongs to another class loader of this JVM, and one file can belong to one"
                    + " only: " + taken.getMessage() + "; share Netty in a common class loader, or add " + ARTIFACT
                    + ":" + nettyVersion(loader) + ":" + classifier + ", of which each loader unpacks a copy";
        }
        String library =
                "META-INF/native/libnetty_transport_native_epoll_" + classifier.substring("linux-".length()) + ".so";
        if (!(cause instanceof UnsupportedOperationException) && !exists(loader, library)) {
            return "Netty's native library for " + classifier + " is missing; add " + ARTIFACT + ":"
                    + nettyVersion(loader) + ":" + classifier;
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "Netty's native library cannot be used: " + root;
    }

    /** Netty tries several places, and keeps what it was told at each of them as suppressed. */
    private static @Nullable Throwable takenByAnotherLoader(@Nullable Throwable thrown, int depth) {
        if (thrown == null || depth > MOST_CAUSES) {
            return null;
        }
        if (thrown instanceof UnsatisfiedLinkError
                && String.valueOf(thrown.getMessage()).contains("already loaded in another classloader")) {
            return thrown;
        }
        Throwable found = takenByAnotherLoader(thrown.getCause(), depth + 1);
        for (Throwable suppressed : thrown.getSuppressed()) {
            found = found == null ? takenByAnotherLoader(suppressed, depth + 1) : found;
        }
        return found;
    }

    private static boolean exists(@Nullable ClassLoader loader, String resource) {
        return (loader == null ? ClassLoader.getSystemResource(resource) : loader.getResource(resource)) != null;
    }

    private static String nettyVersion(@Nullable ClassLoader loader) {
        Version version = Version.identify(loader).get("netty-transport-classes-epoll");
        return version == null ? "4.2.x" : version.artifactVersion();
    }

    private static String classifier(String osArch) {
        String arch = osArch.toLowerCase(Locale.ROOT);
        return switch (arch) {
            case "amd64", "x86_64", "x64" -> "linux-x86_64";
            case "aarch64", "arm64" -> "linux-aarch_64";
            default -> "linux-" + arch;
        };
    }

    /** Apart, so that {@link Epoll} is not initialised before it was decided to. */
    private static final class Loaded {
        static @Nullable Throwable cause() {
            return Epoll.unavailabilityCause();
        }
    }
}

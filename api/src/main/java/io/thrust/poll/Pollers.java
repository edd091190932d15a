package io.thrust.poll;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the installed {@linkplain PollerProvider poller providers} and chooses one, at run time.
 *
 * <p>The system property {@code thrust.poller} names the provider to use, for example {@code
 * -Dthrust.poller=epoll}; case and surrounding blanks do not matter. Unset or blank means the best available: the one
 * with the highest {@link PollerProvider#priority}, among equals the first by name. A name is an order, not a wish: if
 * that provider is missing or does not work here, the choice fails and says why. Nothing is substituted. An order that
 * is kept asks no other provider whether it is available, so that none loads its native code in vain.
 *
 * <p>Providers are services, found on the class path and on the module path through the class loader of {@link
 * PollerProvider}; so the outcome does not depend on the calling thread. Only where that loader knows of no provider
 * at all is the thread's context class loader asked as well. An application server that keeps backends in another class
 * loader names it. A broken provider never hides another one: it becomes an entry in the list, with its cause.
 *
 * <p>Each call looks anew. All methods may be called from any thread. A {@link VirtualMachineError} other than a stack
 * overflow is passed on whoever throws it.
 */
public final class Pollers {
    /** The system property {@systemProperty thrust.poller}, which names the provider to use. */
    @SuppressWarnings("InvalidInlineTag") // Error Prone does not know the JDK's own tag
    public static final String PROPERTY = "thrust.poller";

    private static final Predicate<String> ALL = name -> true;

    private Pollers() {}

    /**
     * The provider that the system property {@value #PROPERTY} names or, if it is unset or blank, the best available.
     *
     * @throws PollerSelectionException if that one is missing, not available or not unique, or none is available
     */
    public static PollerProvider select() {
        return Selection.choose(Request.byProperty(), Discovery::everywhere);
    }

    /**
     * The provider of this name or, if it is null or blank, the best available; the system property is not read.
     *
     * @throws PollerSelectionException if that one is missing, not available or not unique, or none is available
     */
    public static PollerProvider select(@Nullable String name) {
        return Selection.choose(Request.byName(name), Discovery::everywhere);
    }

    /**
     * The same as {@link #select(String)} among the providers that {@code loader} and its ancestors see; no other loader
     * is asked. To follow the system property, pass {@code System.getProperty(Pollers.PROPERTY)} as the name.
     *
     * @throws PollerSelectionException if that one is missing, not available or not unique, or none is available
     */
    public static PollerProvider select(@Nullable String name, ClassLoader loader) {
        Objects.requireNonNull(loader, "loader");
        return Selection.choose(Request.byName(name), wanted -> Discovery.in(loader, wanted));
    }

    /**
     * Everything that is installed, broken entries included: first the providers, best first (by priority, then name),
     * then what could not even be created.
     */
    public static List<DiscoveredProvider> discover() {
        return Discovery.everywhere(ALL);
    }

    /** The same as {@link #discover()}, through this class loader and its ancestors alone. */
    public static List<DiscoveredProvider> discover(ClassLoader loader) {
        return Discovery.in(Objects.requireNonNull(loader, "loader"), ALL);
    }

    /**
     * A text of several lines for a person: which provider {@link #select()} chooses, and what speaks against each of the
     * others. Where {@link #select()} fails, the text says why; this method does not fail.
     */
    public static String explain() {
        return new Selection(Request.byProperty(), Discovery.everywhere(ALL)).explain();
    }

    /** The same as {@link #explain()}, through this class loader and its ancestors alone. */
    public static String explain(ClassLoader loader) {
        return new Selection(Request.byProperty(), Discovery.in(Objects.requireNonNull(loader, "loader"), ALL))
                .explain();
    }
}

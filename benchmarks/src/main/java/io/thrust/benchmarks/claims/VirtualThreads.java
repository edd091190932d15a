package io.thrust.benchmarks.claims;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/** Virtual threads, which this code is too old to name. */
final class VirtualThreads {
    /** The first JDK that has them. */
    static final int NEED_JDK = 21;

    private VirtualThreads() {}

    static boolean exist() {
        return Runtime.version().feature() >= NEED_JDK;
    }

    static ThreadFactory factory() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> virtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object builder = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(virtual))
                    .invoke();
            return (ThreadFactory) lookup.findVirtual(virtual, "factory", MethodType.methodType(ThreadFactory.class))
                    .invoke(builder);
        } catch (Throwable t) {
            throw new IllegalStateException("there are no virtual threads before JDK " + NEED_JDK, t);
        }
    }
}

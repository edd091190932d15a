package io.thrust.runtime;

import io.thrust.poll.Poller;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A poller that counts how often its polls return. */
final class CountingPoller {
    private CountingPoller() {}

    static Poller over(Poller poller, AtomicInteger polls) {
        return (Poller) Proxy.newProxyInstance(
                CountingPoller.class.getClassLoader(), new Class<?>[] {Poller.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(poller, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("poll")) {
                            polls.incrementAndGet();
                        }
                    }
                });
    }
}

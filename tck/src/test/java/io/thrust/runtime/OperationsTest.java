package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thrust.Timers;
import io.thrust.poll.PollerProvider;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Async} keeps, asked of each row of {@link Operations}: cancelled before its first poll, after its first,
 * after its second and so on, and at its end. It begins nothing before it is polled; it passes a cancellation on once to each
 * that it is made of and that has not ended; it closes what nobody gets; it keeps no waker, timer, socket or descriptor; it
 * refuses to be polled afterwards.
 */
@OnEveryBackend
class OperationsTest extends LoopTest {
    /** The most polls of one that is cancelled then. */
    private static final int POLLS = 6;

    private static final class Listening implements Waker {
        @Override
        public void wake() {}
    }

    /** Each waker that was handed to a poll of an operation that was cancelled, and the operation, which lives on. */
    private record Kept(String operation, Async<?> async, WeakReference<Waker> waker) {}

    private final List<Kept> wakers = new ArrayList<>();

    OperationsTest(PollerProvider provider) {
        super(provider);
    }

    @Test
    void everyFactoryHasARow() throws Exception {
        Set<String> rows =
                Operations.all().stream().map(Operations.Row::factory).collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows)
                .as("the rows of Operations, where each public method or constructor that makes an Async needs one")
                .isEqualTo(factories());
    }

    @Test
    void everyOperationCanBeCancelledAtEveryPollAndLeavesNothing() throws Exception {
        loop.blockOn(Timers.sleep(Duration.ofMillis(1))); // what is opened once is open
        int descriptors = descriptors();
        for (Operations.Row row : Operations.all()) {
            boolean ended = false;
            for (int polls = 0; polls <= POLLS && !ended; polls++) {
                int after = polls;
                boolean[] end = {false};
                assertThatCode(() -> end[0] = run(row, after))
                        .as("%s, cancelled after %d polls", row, polls)
                        .doesNotThrowAnyException();
                ended = end[0];
            }
        }
        assertNoWakerIsKept();
        long start = System.nanoTime();
        while (descriptors() > descriptors && System.nanoTime() - start < PATIENCE) {
            loop.turn(1_000_000);
        }
        assertThat(descriptors()).isLessThanOrEqualTo(descriptors);
    }

    /** Polls an operation so many times, then cancels it; whether it had ended before. */
    private boolean run(Operations.Row row, int polls) throws Exception {
        try (Scene scene = new Scene(this)) {
            Async<?> async = row.maker().make(scene);
            scene.assertNothingBegan();
            int sources = loop.reactor().registrationCount();
            List<WeakReference<Waker>> handed = new ArrayList<>();
            boolean[] ended = {false};
            int[] polled = {0};
            loop.blockOn(Async.loop(() -> {
                assertThatThrownBy(async::result).isInstanceOf(IllegalStateException.class);
                if (polled[0] < polls) {
                    ended[0] = pollOnce(async, handed);
                    if (!ended[0]) {
                        scene.step(++polled[0]);
                        // The next poll comes after a turn of the reactor.
                        return Timers.sleep(Duration.ZERO).map(none -> true);
                    }
                    assertEnded(async, scene);
                } else {
                    async.cancel();
                    assertCancelled(async);
                    // Fewer if it takes its source with it.
                    assertThat(loop.reactor().registrationCount()).as("sources").isLessThanOrEqualTo(sources);
                    handed.forEach(waker -> wakers.add(new Kept(row + " after " + polls, async, waker)));
                }
                assertThat(loop.reactor().timers().size()).as("timers").isZero();
                scene.runQueue();
                return Async.ready(false);
            }));
            scene.assertNothingLeft();
            return ended[0];
        }
    }

    /** Whether it ended; with a waker of this poll alone. */
    private static boolean pollOnce(Async<?> async, List<WeakReference<Waker>> handed) {
        Waker waker = new Listening();
        handed.add(new WeakReference<>(waker));
        try {
            return async.poll(waker);
        } catch (IOException e) {
            // The failure that the row is there for.
            return true;
        } catch (Exception e) {
            throw new AssertionError("a failure that no row is there for", e);
        }
    }

    private static void assertEnded(Async<?> async, Scene scene) {
        assertThatThrownBy(() -> async.poll(new Listening())).isInstanceOf(IllegalStateException.class);
        Object result;
        try {
            result = async.result();
        } catch (IllegalStateException e) {
            // It failed.
            async.cancel();
            assertThatThrownBy(async::result).isInstanceOf(IllegalStateException.class);
            return;
        }
        async.cancel();
        assertThat((Object) async.result()).isEqualTo(scene.take(result));
    }

    private static void assertCancelled(Async<?> async) {
        assertThatThrownBy(() -> async.poll(new Listening())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(async::result).isInstanceOf(IllegalStateException.class);
        async.cancel();
    }

    private void assertNoWakerIsKept() {
        assertThat(wakers).isNotEmpty();
        long start = System.nanoTime();
        do {
            System.gc();
        } while (wakers.stream().anyMatch(kept -> kept.waker.get() != null) && System.nanoTime() - start < PATIENCE);
        assertThat(wakers.stream()
                        .filter(kept -> kept.waker.get() != null)
                        .map(kept -> kept.operation + " (" + kept.async + ")"))
                .as("operations that keep a waker though they were cancelled")
                .isEmpty();
    }

    // ---- the factories that there are

    private static Set<String> factories() throws Exception {
        URI location =
                Async.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(location);
        if (Files.isDirectory(path)) {
            return factories(path);
        }
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
            return factories(jar.getPath("/"));
        }
    }

    private static Set<String> factories(Path root) throws IOException, ClassNotFoundException {
        List<String> names;
        try (Stream<Path> files = Files.walk(root)) {
            names = files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replaceAll("[/\\\\]", "."))
                    .toList();
        }
        assertThat(names).hasSizeGreaterThan(50);
        Set<String> factories = new TreeSet<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Async.class.getClassLoader());
            if (!Modifier.isPublic(type.getModifiers())) {
                continue;
            }
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && !method.isSynthetic()
                        && !Modifier.isAbstract(method.getModifiers()) // for users to implement
                        && Async.class.isAssignableFrom(method.getReturnType())) {
                    factories.add(type.getSimpleName() + "." + method.getName() + parameters(method));
                }
            }
            if (Async.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                for (Constructor<?> constructor : type.getConstructors()) {
                    factories.add("new " + type.getSimpleName() + parameters(constructor));
                }
            }
        }
        return factories;
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(",", "(", ")"));
    }
}

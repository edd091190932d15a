package io.thrust.runtime;

import io.thrust.DeadlineTimer;
import io.thrust.Timers;
import io.thrust.net.ServeOptions;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.poll.ConnectOptions;
import io.thrust.sync.Channel;
import io.thrust.sync.Mailbox;
import io.thrust.sync.Notify;
import io.thrust.sync.OneShot;
import io.thrust.sync.Semaphore;
import io.thrust.task.Async;
import io.thrust.task.Countdown;
import io.thrust.task.WakeLatency;
import io.thrust.task.YieldOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Every operation and every combinator, for {@link OperationsTest}. A new one needs a row: its factory as the test spells
 * it, and how one is made in a {@link Scene}. A factory may have several rows, for instance one that waits and one that
 * ends.
 */
final class Operations {
    private static final Duration LONG = Duration.ofHours(1);

    private Operations() {}

    /** Makes a computation, outside of tasks. */
    @FunctionalInterface
    interface Maker {
        Async<?> make(Scene scene) throws Exception;
    }

    /**
     * One row.
     *
     * @param factory the method as {@code Class.method(Parameter,Parameter)}, or the constructor as {@code new Class(...)}
     */
    record Row(String factory, Maker maker) {
        @Override
        public String toString() {
            return factory;
        }
    }

    private static Row row(String factory, Maker maker) {
        return new Row(factory, maker);
    }

    static List<Row> all() {
        return List.of(
                row("Async.ready(Object)", scene -> Async.ready(1)),
                row("Async.failed(Exception)", scene -> Async.failed(new IOException("failed"))),
                row("Async.lazy(Supplier)", scene -> Async.lazy(scene::child)),
                row("Async.loop(Supplier)", scene -> {
                    int[] steps = {0};
                    return Async.loop(() -> scene.child(1).map(result -> {
                        scene.take(result);
                        return ++steps[0] < 3;
                    }));
                }),
                row("Async.repeat(long,Supplier)", scene -> Async.repeat(3, () -> scene.child(1))),
                row("Async.map(Function)", scene -> scene.child().map(scene::take)),
                row(
                        "Async.then(Function)",
                        scene -> scene.child().then(result -> {
                            scene.take(result);
                            return scene.child();
                        })),
                row("Async.recover(Function)", scene -> scene.failing().recover(e -> scene.child())),
                row("Async.recover(Function)", scene -> scene.child().recover(e -> scene.child())),
                row(
                        "Async.recover(Class,Function)",
                        scene -> scene.failing().recover(IOException.class, e -> scene.child())),
                row(
                        "Async.recover(Class,Function)",
                        scene -> scene.failing().recover(IllegalStateException.class, e -> scene.child())),
                row("Async.closing(AutoCloseable)", scene -> scene.child().closing(scene.resource())),
                row("Async.closing(AutoCloseable)", scene -> scene.failing().closing(scene.resource())),
                row("Async.doFinally(Runnable)", scene -> scene.child().doFinally(scene.resource()::close)),
                row("Async.doFinally(Runnable)", scene -> scene.failing().doFinally(scene.resource()::close)),
                row(
                        "Async.join(Async,Async,BiFunction)",
                        scene -> Async.join(scene.child(1), scene.child(3), (a, b) -> scene.take(List.of(a, b)))),
                row(
                        "Async.joinAll(Collection)",
                        scene -> Async.joinAll(List.of(scene.child(3), scene.child(0), scene.child(1)))),
                row(
                        "Async.joinAll(Collection)",
                        scene -> Async.joinAll(List.of(scene.child(3), scene.child(0), scene.failing()))),
                row("Async.race(Async,Async)", scene -> Async.race(scene.child(5), scene.child(2))),
                row(
                        "Async.race(Collection)",
                        scene -> Async.race(List.of(scene.child(5), scene.child(2), scene.child(2)))),
                row("Async.race(Collection)", scene -> Async.race(List.of(scene.child(5), scene.failing()))),
                row("Async.from(CompletionStage)", scene -> {
                    CompletableFuture<Scene.Resource> future = new CompletableFuture<>();
                    scene.after(3, () -> future.complete(scene.resource()));
                    return Async.from(future);
                }),
                row("Async.from(CompletionStage)", scene -> {
                    CompletableFuture<Scene.Resource> future = new CompletableFuture<>();
                    scene.after(1, () -> future.completeExceptionally(new IOException("failed")));
                    return Async.from(future);
                }),
                row("Async.offload(Executor,Callable)", scene -> {
                    scene.after(2, scene::runQueue);
                    return Async.offload(scene.queue(), scene::resource);
                }),
                row(
                        "Async.offload(Executor,Callable)",
                        scene -> Async.offload(Runnable::run, () -> {
                            throw new IOException("failed");
                        })),
                row("new Countdown(int)", scene -> new Countdown(2)),
                row("new YieldOnce()", scene -> new YieldOnce()),
                row("new WakeLatency()", scene -> new WakeLatency()),
                row("Task.join()", scene -> scene.loop.spawn(scene.child(3)).join()),
                row("Task.join()", scene -> scene.loop.spawn(new Countdown(50)).join()),
                row("Timers.sleep(Duration)", scene -> Timers.sleep(LONG)),
                row("Timers.sleep(Duration)", scene -> Timers.sleep(Duration.ZERO)),
                row("Timers.sleepUntil(long)", scene -> Timers.sleepUntil(scene.loop.nanoTime() + LONG.toNanos())),
                row("Timers.timeout(Duration,Async)", scene -> Timers.timeout(LONG, scene.child())),
                row("Timers.timeout(Duration,Async)", scene -> Timers.timeout(Duration.ZERO, scene.child(5))),
                row("Timers.timeout(Duration,Async)", scene -> Timers.timeout(LONG, scene.failing())),
                row("Interval.tick()", scene -> Timers.interval(LONG).tick()),
                row(
                        "Interval.tick()",
                        scene -> Timers.interval(Duration.ofNanos(1)).tick()),
                row(
                        "DeadlineTimer.expired()",
                        scene -> Async.lazy(() -> Timers.timer(LONG).expired())),
                row(
                        "DeadlineTimer.expired()",
                        scene -> Async.lazy(() -> {
                            DeadlineTimer timer = Timers.timer(LONG);
                            scene.after(2, () -> timer.reset(Duration.ZERO));
                            return timer.expired();
                        })),
                row("Channel.receive()", scene -> new Channel<Integer>(1).receive()),
                row("Channel.receive()", scene -> {
                    Channel<Integer> channel = new Channel<>(1);
                    scene.after(2, () -> channel.trySend(1));
                    return channel.receive();
                }),
                row("Channel.receive()", scene -> {
                    Channel<Integer> channel = new Channel<>(1);
                    scene.after(1, channel::close);
                    return channel.receive();
                }),
                row("Channel.send(Object)", scene -> new Channel<Integer>(1).send(1)),
                row("Channel.send(Object)", scene -> fullChannel().send(2)),
                row("Channel.send(Object)", scene -> {
                    Channel<Integer> channel = fullChannel();
                    scene.after(2, channel::tryReceive);
                    return channel.send(2);
                }),
                row("OneShot.receive()", scene -> {
                    OneShot<Integer> oneShot = new OneShot<>();
                    scene.after(2, () -> oneShot.send(1));
                    return oneShot.receive();
                }),
                row("OneShot.receive()", scene -> {
                    OneShot<Integer> oneShot = new OneShot<>();
                    scene.after(1, () -> oneShot.fail(new IOException("failed")));
                    return oneShot.receive();
                }),
                row("Semaphore.acquire()", scene -> new Semaphore(1).acquire()),
                row("Semaphore.acquire(int)", scene -> {
                    Semaphore semaphore = new Semaphore(1);
                    scene.after(2, () -> semaphore.add(1));
                    return semaphore.acquire(2);
                }),
                row("Notify.notified()", scene -> {
                    Notify notify = new Notify();
                    scene.after(2, notify::notifyOne);
                    return notify.notified();
                }),
                row("Mailbox.receive()", scene -> {
                    Mailbox<Integer> mailbox = new Mailbox<>(1);
                    scene.after(2, () -> mailbox.trySend(1));
                    return mailbox.receive();
                }),
                row("EventLoop.scope(Function)", scene -> scene.loop.scope(scope -> scene.child())),
                row(
                        "EventLoop.scope(Function)",
                        scene -> scene.loop.scope(scope -> {
                            scope.spawn(new Countdown(50));
                            return scene.child(1);
                        })),
                row("EventLoop.scope(Function)", scene -> scene.loop.scope(scope -> scene.failing())),
                row(
                        "LocalExecutor.scope(Function)",
                        scene -> scene.loop.executor().scope(scope -> scene.child())),
                row(
                        "TcpListener.serve(ConnectionHandler)",
                        scene -> scene.listenerWithAConnection().serve(stream -> new Countdown(2).closing(stream))),
                row("TcpListener.serve(ConnectionHandler,ServeOptions)", scene -> {
                    TcpListener listener = scene.listener();
                    scene.after(2, () -> close(listener));
                    return listener.serve(stream -> new Countdown(2).closing(stream), ServeOptions.DEFAULT);
                }),
                row("TcpListener.accept()", scene -> scene.listener().accept()),
                row(
                        "TcpListener.accept()",
                        scene -> scene.listenerWithAConnection().accept()),
                row("TcpStream.connect(InetSocketAddress)", scene -> TcpStream.connect(scene.address())),
                row(
                        "TcpStream.connect(InetSocketAddress,ConnectOptions)",
                        scene -> TcpStream.connect(scene.address(), ConnectOptions.DEFAULT)),
                row("TcpStream.read(ByteBuffer)", scene -> scene.stream().read(ByteBuffer.allocate(8))),
                row(
                        "TcpStream.read(ByteBuffer)",
                        scene -> scene.streamWithInput().read(ByteBuffer.allocate(8))),
                row("TcpStream.write(ByteBuffer)", scene -> scene.fullStream().write(Scene.zeros())),
                row("TcpStream.write(ByteBuffer)", scene -> scene.stream().write(LoopTest.bytes("text"))),
                row(
                        "TcpStream.writeAll(ByteBuffer)",
                        scene -> scene.fullStream().writeAll(Scene.zeros())),
                row("TcpStream.write(ByteBuffer[])", scene -> scene.fullStream().write(Scene.manyZeros())),
                row("TcpStream.writeAll(ByteBuffer[])", scene -> scene.stream().writeAll(Scene.manyZeros())));
    }

    private static Channel<Integer> fullChannel() {
        Channel<Integer> channel = new Channel<>(1);
        channel.trySend(1);
        return channel;
    }

    private static void close(TcpListener listener) {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

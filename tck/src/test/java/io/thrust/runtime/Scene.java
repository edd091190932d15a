package io.thrust.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.EventLoop;
import io.thrust.net.TcpListener;
import io.thrust.net.TcpStream;
import io.thrust.task.Async;
import io.thrust.task.Waker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What the operation of one row of {@link Operations} is made of, watched: computations inside of it, results that must be
 * closed or handed over, connections, and what happens between its polls.
 */
final class Scene implements AutoCloseable {
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20);

    final EventLoop loop;
    private final LoopTest test;
    private final List<Child> children = new ArrayList<>();
    private final List<Resource> resources = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<Integer, Runnable> steps = new HashMap<>();
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();

    Scene(LoopTest test) {
        this.test = test;
        this.loop = test.loop;
    }

    // ---- computations inside of the operation

    /** A result, or what else has to be closed once. */
    static final class Resource implements AutoCloseable {
        private int closes;
        private boolean taken;

        @Override
        public void close() {
            closes++;
        }
    }

    /** Pending a number of times, waking itself, then ready or failed; sees to it that it is used as an Async must be. */
    private final class Child implements Async<Resource> {
        private final boolean fails;
        private int left;
        private int polls;
        private boolean ended;
        private int cancels;
        private Resource result;

        Child(int left, boolean fails) {
            this.left = left;
            this.fails = fails;
        }

        @Override
        public boolean poll(Waker waker) throws IOException {
            assertThat(ended).as("polled after its end").isFalse();
            assertThat(cancels).as("polled after it was cancelled").isZero();
            polls++;
            if (left-- > 0) {
                waker.wake();
                return PENDING;
            }
            ended = true;
            if (fails) {
                throw new IOException("a child failed");
            }
            result = resource();
            return READY;
        }

        @Override
        public Resource result() {
            return result;
        }

        @Override
        public void cancel() {
            cancels++;
        }
    }

    /** A computation that ends with a resource at its third poll. */
    Async<Resource> child() {
        return child(2);
    }

    Async<Resource> child(int pending) {
        return add(new Child(pending, false));
    }

    /** A computation that fails at its second poll. */
    Async<Resource> failing() {
        return add(new Child(1, true));
    }

    private Async<Resource> add(Child child) {
        children.add(child);
        return child;
    }

    /** Something that has to be closed once, unless it is {@linkplain #take taken}. */
    Resource resource() {
        Resource resource = new Resource();
        resources.add(resource);
        return resource;
    }

    /** Says that this was handed over, to the test or to a function of an operation: whoever has it closes it. */
    <T> T take(T result) {
        if (result instanceof Resource resource) {
            resource.taken = true;
        } else if (result instanceof Collection<?> results) {
            results.forEach(this::take);
        } else if (result instanceof TcpStream stream) {
            opened.add(stream);
        }
        return result;
    }

    // ---- what happens between polls

    /** Does this after so many polls, if the operation was not cancelled by then. */
    void after(int polls, Runnable action) {
        steps.put(polls, action);
    }

    void step(int polls) {
        steps.getOrDefault(polls, () -> {}).run();
    }

    /** An executor that calls when it is told to. */
    Executor queue() {
        return queue::add;
    }

    void runQueue() {
        Runnable call;
        while ((call = queue.poll()) != null) {
            call.run();
        }
    }

    // ---- connections

    private <T extends AutoCloseable> T open(T resource) {
        opened.add(resource);
        return resource;
    }

    TcpListener listener() throws IOException {
        return open(test.listen());
    }

    InetSocketAddress address() throws IOException {
        return listener().localAddress();
    }

    /** A listener for whom a connection waits. */
    TcpListener listenerWithAConnection() throws IOException {
        TcpListener listener = listener();
        open(loop.<TcpStream>blockOn(TcpStream.connect(listener.localAddress())));
        return listener;
    }

    /** A stream on which nothing comes. */
    TcpStream stream() throws IOException {
        LoopTest.Pair pair = test.pair();
        open(pair.server());
        return open(pair.client());
    }

    /** A stream on which something has come. */
    TcpStream streamWithInput() throws IOException {
        LoopTest.Pair pair = test.pair();
        open(pair.client());
        loop.blockOn(pair.client().writeAll(LoopTest.bytes("input")));
        return open(pair.server());
    }

    /** A stream whose send buffer is full. */
    TcpStream fullStream() throws IOException {
        TcpStream stream = stream();
        Waker nobody = () -> {};
        while (stream.pollWrite(zeros(), nobody) != TcpStream.PENDING) {
            // goes on
        }
        stream.cancelWrite(nobody);
        return stream;
    }

    static ByteBuffer zeros() {
        return ZEROS.duplicate();
    }

    static ByteBuffer[] manyZeros() {
        ByteBuffer[] buffers = new ByteBuffer[32];
        java.util.Arrays.setAll(buffers, i -> zeros());
        return buffers;
    }

    // ---- checks

    void assertNothingBegan() {
        assertThat(children).allSatisfy(child -> assertThat(child.polls).isZero());
    }

    /** When the operation has ended or was cancelled, and all tasks have ended. */
    void assertNothingLeft() {
        assertThat(children)
                .allSatisfy(child -> assertThat(child.cancels)
                        .as("cancellations of a child that %s", child.ended ? "had ended" : "had not ended")
                        .isEqualTo(child.ended ? 0 : 1));
        assertThat(resources)
                .allSatisfy(resource -> assertThat(resource.closes)
                        .as("how often something was closed that was %s", resource.taken ? "taken" : "taken by nobody")
                        .isEqualTo(resource.taken ? 0 : 1));
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }
}

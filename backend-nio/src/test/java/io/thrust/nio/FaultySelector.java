package io.thrust.nio;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A selector that works as the JDK's, counts what it is asked, and can be told to misbehave. */
final class FaultySelector extends AbstractSelector {
    private final Selector real;
    final List<Long> timeouts = new ArrayList<>();
    /** Returns nothing at once, this many times; negative for ever. */
    volatile int emptyReturns;
    /** Throws, this many times. */
    volatile int failures;

    /** Each second of its empty returns is that of an interrupt of the caller; the next is the same signal come late. */
    boolean emptyReturnsAreInterrupts;

    Runnable afterEmptyReturns = () -> {};

    volatile int blockingSelects;
    volatile int selects;

    FaultySelector() throws IOException {
        super(SelectorProvider.provider());
        real = SelectorProvider.provider().openSelector();
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        try {
            return channel.register(real, ops, attachment);
        } catch (ClosedChannelException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        blockingSelects++;
        timeouts.add(timeout);
        return misbehaves() ? 0 : real.select(action, timeout);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return misbehaves() ? 0 : real.selectNow(action);
    }

    private boolean misbehaves() throws IOException {
        selects++;
        if (failures > 0) {
            failures--;
            throw new IOException("the selector is broken");
        }
        if (emptyReturns > 0) {
            if (emptyReturnsAreInterrupts && emptyReturns % 2 == 0) {
                Thread.currentThread().interrupt();
            }
            if (--emptyReturns == 0) {
                afterEmptyReturns.run();
            }
            return true;
        }
        return emptyReturns < 0;
    }

    @Override
    public Selector wakeup() {
        real.wakeup();
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return real.keys();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return real.selectedKeys();
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelector() throws IOException {
        real.close();
    }
}

package io.thrust.tck.memory;

import io.thrust.poll.AlreadyRegisteredException;
import io.thrust.poll.ForeignSourceException;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.NotRegisteredException;
import io.thrust.poll.Poller;
import io.thrust.poll.PollerClosedException;
import io.thrust.poll.PollerOwnershipException;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.ReadyEvents;
import io.thrust.poll.Source;
import io.thrust.poll.SourceClosedException;
import io.thrust.poll.UnsupportedModeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * A poller in memory, written from the contract alone and without the base classes of the SPI. All of it is guarded by the
 * lock of the network.
 */
final class MemoryPoller implements Poller {
    private static int count;

    private final MemoryNet net;
    private final Condition changed;
    private final MemoryBatch batch;
    private final List<Registration> registrations = new ArrayList<>();
    private final String name;
    private @Nullable Thread owner;
    private boolean open = true;
    private boolean polling;
    private int wakeups;
    private long wakeupsSeen;
    private int first;
    private long pollNumber;
    /** For the fault that leaves an internal signal behind. */
    private boolean internalSignal;

    MemoryPoller(MemoryNet net, int capacity) {
        this.net = net;
        this.batch = new MemoryBatch(capacity);
        this.changed = net.lock.newCondition();
        net.lock.lock();
        try {
            name = "memory poller #" + ++count;
            net.pollers.add(this);
            if (net.has(Fault.THE_OPENER_OWNS)) {
                owner = Thread.currentThread();
            }
        } finally {
            net.lock.unlock();
        }
    }

    void signal() {
        changed.signalAll();
    }

    // ---- guards

    void checkOwner() {
        Thread current = Thread.currentThread();
        if (owner == null) {
            owner = current;
        } else if (owner != current && !net.has(Fault.OWNER_IS_NOT_CHECKED)) {
            throw new PollerOwnershipException(this + " belongs to thread \"" + owner.getName()
                    + "\" and was used by thread \"" + current.getName() + "\"");
        }
    }

    private void checkUsable() {
        if (!open) {
            if (net.has(Fault.CLOSED_POLLER_THROWS_ANYTHING)) {
                throw new NullPointerException("selector");
            }
            throw new PollerClosedException(this + " is closed");
        }
        checkOwner();
    }

    private MemorySource own(Source source) {
        Objects.requireNonNull(source, "source");
        if (source instanceof MemorySource own && own.net == net || net.has(Fault.FOREIGN_SOURCES_ARE_CAST)) {
            return (MemorySource) source;
        }
        throw new ForeignSourceException(
                source + " was made by provider \"" + source.provider().name() + "\", but " + this
                        + " watches sources of provider \"" + net.provider.name() + "\" only");
    }

    private Registration registered(Source source) {
        Registration present = own(source).registration;
        if (present == null || present.poller != this) {
            throw new NotRegisteredException(source + " is not registered with " + this);
        }
        return present;
    }

    private Mode check(MemorySource source, Interest interest, Mode mode) {
        if (!net.provider.modes().contains(mode)) {
            if (net.has(Fault.UNDECLARED_MODE_FALLS_BACK)) {
                return Mode.LEVEL;
            }
            throw new UnsupportedModeException(
                    net.provider.name() + " has no mode " + mode + ", but " + net.provider.modes());
        }
        if (!source.directions().includes(interest)) {
            throw new IllegalArgumentException(source + " cannot be watched for " + interest);
        }
        return mode;
    }

    // ---- registrations

    @Override
    public void register(Source source, long key, Interest interest, Mode mode) throws IOException {
        net.lock.lock();
        try {
            checkUsable();
            MemorySource own = own(source);
            Mode taken = check(own, interest, mode);
            Registration present = own.registration;
            if (present != null && !(present.poller != this && net.has(Fault.TWO_POLLERS_MAY_WATCH))) {
                if (net.has(Fault.SECOND_REGISTER_OVERWRITES)) {
                    modify(source, key, interest, mode);
                    return;
                }
                if (net.has(Fault.REFUSED_REGISTER_TAKES_THE_KEY)) {
                    present.key = key;
                }
                throw new AlreadyRegisteredException(own + " is registered with " + present.poller + " already");
            }
            if (!own.isOpen() && !net.has(Fault.CLOSED_SOURCES_REGISTER)) {
                throw new SourceClosedException(own + " is closed");
            }
            add(own, key, interest, taken);
        } finally {
            net.lock.unlock();
        }
    }

    private void add(MemorySource own, long key, Interest interest, Mode mode) {
        if (net.has(Fault.KEYS_ARE_THE_IDENTITY)) {
            registrations.removeIf(other -> other.key == key);
        }
        Registration added = new Registration(this, own, key, interest, mode);
        if (net.has(Fault.PRESENT_READINESS_IS_NO_EDGE) && mode == Mode.EDGE) {
            added.readArmed = false;
        }
        own.registration = added;
        registrations.add(added);
    }

    @Override
    public void modify(Source source, long key, Interest interest, Mode mode) throws IOException {
        net.lock.lock();
        try {
            checkUsable();
            if (net.has(Fault.MODIFY_REGISTERS) && own(source).registration == null) {
                add(own(source), key, interest, mode);
                return;
            }
            Registration present = registered(source);
            if (net.has(Fault.REFUSED_MODIFY_TAKES_THE_KEY)) {
                present.key = key;
            }
            Mode taken = check(present.source, interest, mode);
            if (net.has(Fault.MODIFY_WITH_EQUAL_VALUES_IS_SKIPPED)
                    && present.interest == interest
                    && present.mode == taken) {
                present.key = key;
                return;
            }
            present.formerKey = present.key;
            present.key = key;
            present.interest = net.has(Fault.MODIFY_ADDS_TO_THE_INTEREST) ? present.interest.union(interest) : interest;
            if (!net.has(Fault.MODE_OF_THE_FIRST_REGISTRATION_STAYS)) {
                present.mode = taken;
            }
            present.arm();
            if (net.has(Fault.ARMING_AGAIN_IGNORES_WHAT_WAITS) && taken == Mode.ONE_SHOT) {
                present.readArmed = !present.source.isReadable();
            }
            if (!net.has(Fault.MODIFY_DOES_NOT_BLANK)) {
                blank(present);
            }
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public void rearm(Source source, Interest directions) {
        net.lock.lock();
        try {
            checkUsable();
            Registration present = registered(source);
            if (!present.interest.includes(directions) && !net.has(Fault.REARM_IS_NOT_CHECKED)) {
                throw new IllegalArgumentException("cannot rearm " + directions + " of " + source);
            }
            if (present.mode == Mode.ONE_SHOT && !net.has(Fault.REARM_IS_NOT_CHECKED)) {
                throw new IllegalStateException(source + " is registered in mode ONE_SHOT");
            }
            if (present.mode == Mode.EDGE) {
                present.rearm(directions);
            }
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public void deregister(Source source) throws IOException {
        net.lock.lock();
        try {
            checkUsable();
            if (net.has(Fault.SECOND_DEREGISTER_PASSES) && own(source).registration == null) {
                return;
            }
            Registration present = registered(source);
            if (net.has(Fault.DEREGISTER_FAILS_AFTER_A_HANGUP) && present.source.isHungUp()) {
                throw new IOException("no such file or directory");
            }
            remove(present.source, present, !net.has(Fault.DEREGISTER_DOES_NOT_BLANK));
        } finally {
            net.lock.unlock();
        }
    }

    void remove(MemorySource source, Registration present, boolean blank) {
        source.registration = null;
        if (net.has(Fault.DEREGISTER_LEAVES_WRITING) && present.interest.includesWrite()) {
            present.interest = Interest.WRITE;
        } else {
            registrations.remove(present);
        }
        if (blank) {
            blank(present);
        }
        if (net.has(Fault.FLUSH_SWALLOWS_EDGES)) {
            for (Registration other : registrations) {
                other.reported(other.readDue(), other.writeDue());
            }
        }
        internalSignal |= net.has(Fault.CHANGES_END_THE_NEXT_POLL);
    }

    private void blank(Registration present) {
        if (present.pollNumber == pollNumber && present.slot < batch.size()) {
            batch.blank(present.slot);
        }
    }

    // ---- polling

    @Override
    public int poll(long timeoutNanos) throws IOException {
        net.lock.lock();
        boolean interrupted = false;
        try {
            checkUsable();
            if (timeoutNanos < 0 && timeoutNanos != FOREVER && !net.has(Fault.ANY_NEGATIVE_WAITS_FOREVER)) {
                throw new IllegalArgumentException("timeout is " + timeoutNanos + " ns");
            }
            polling = true;
            pollNumber++;
            if (!net.has(Fault.BATCH_IS_NOT_CLEARED) || batch.isFull()) {
                batch.clear();
            }
            if (net.has(Fault.WAKEUP_IS_CLEARED_AT_THE_NEXT_POLL) && wakeupsSeen > 0) {
                wakeups = 0;
            }
            net.putOff.forEach(Runnable::run);
            net.putOff.clear();
            boolean forever = timeoutNanos < 0
                    || (net.has(Fault.SHORT_TIMEOUT_WAITS_FOREVER) && timeoutNanos > 0 && timeoutNanos < 1_000_000);
            long start = System.nanoTime();
            long allowed = allowed(timeoutNanos);
            int before = batch.size();
            while (true) {
                if (timeoutNanos != 0 || !net.has(Fault.ZERO_TIMEOUT_DOES_NOT_FETCH)) {
                    fetch();
                }
                if (batch.size() > before || wakeups > 0 || internalSignal || !open) {
                    break;
                }
                long left = forever ? Long.MAX_VALUE : allowed - (System.nanoTime() - start);
                if (left <= 0) {
                    break;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (net.has(Fault.INTERRUPT_ENDS_A_POLL)) {
                        break;
                    }
                    if (net.has(Fault.INTERRUPT_STARTS_THE_TIMEOUT_ANEW)) {
                        start = System.nanoTime();
                    }
                    if (net.has(Fault.INTERRUPTED_POLL_SPINS)) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
            return leave();
        } finally {
            polling = false;
            net.lock.unlock();
            if (interrupted && !net.has(Fault.INTERRUPT_IS_SWALLOWED)) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private long allowed(long timeoutNanos) {
        if (net.has(Fault.TIMEOUT_IS_CUT_TO_MILLIS)) {
            return timeoutNanos / 1_000_000 * 1_000_000;
        }
        if (net.has(Fault.TIMEOUT_OVERFLOWS_AN_INT)) {
            return (int) (timeoutNanos / 1_000_000) * 1_000_000L;
        }
        return timeoutNanos;
    }

    private int leave() {
        internalSignal = false;
        registrations.forEach(Registration::polled);
        if (!open) {
            batch.clear();
            return 0;
        }
        if (wakeups > 0) {
            if (net.has(Fault.WAKEUP_DROPS_WHAT_WAS_FETCHED)) {
                batch.clear();
            }
            if (net.has(Fault.WAKEUP_IS_AN_EVENT) && !batch.isFull()) {
                batch.add(0, true, false, false);
            }
            if (net.has(Fault.WAKEUPS_ARE_COUNTED)) {
                wakeups--;
            } else if (net.has(Fault.WAKEUP_IS_CLEARED_AT_THE_NEXT_POLL)) {
                wakeupsSeen = wakeups;
            } else if (!net.has(Fault.WAKEUP_ENDS_TWO_POLLS) || wakeups > 1) {
                wakeups = 0;
            } else {
                wakeups = 2;
            }
        } else {
            wakeupsSeen = 0;
        }
        return batch.size();
    }

    private void fetch() {
        int size = registrations.size();
        int start = size == 0 || net.has(Fault.SCAN_STARTS_AT_THE_FRONT) ? 0 : first % size;
        for (int i = 0; i < size; i++) {
            int index = (start + i) % size;
            Registration each = registrations.get(index);
            boolean reading = each.readDue();
            boolean writing = each.writeDue();
            if (each.source.isHungUp() && net.has(Fault.NONE_REPORTS_HANGUPS) && each.interest == Interest.NONE) {
                reading = each.readArmed;
            }
            if (!reading && !writing) {
                continue;
            }
            boolean dropped = i >= 512 && net.has(Fault.DROPS_EVENTS_ABOVE_512);
            if (batch.isFull() && !net.has(Fault.FULL_BATCH_LOSES_EDGES)) {
                first = index;
                return;
            }
            each.reported(reading, writing);
            if (!batch.isFull() && !dropped && !(each.key == -1 && net.has(Fault.ONE_KEY_IS_RESERVED))) {
                add(each, reading, writing);
            }
            if (each.mode == Mode.ONE_SHOT && net.has(Fault.ONE_SHOT_UNREGISTERS)) {
                each.source.registration = null;
            }
        }
    }

    private void add(Registration each, boolean reading, boolean writing) {
        boolean hangup = each.source.isHungUp() && !net.has(Fault.HANGUP_IS_NOT_TOLD);
        long key = each.key;
        if (net.has(Fault.OLD_KEY_ON_READING) && reading && !writing) {
            key = each.formerKey;
        } else if (net.has(Fault.KEYS_HAVE_32_BITS)) {
            key = (int) each.key;
        }
        if (net.has(Fault.READING_IS_REPORTED_AS_WRITING_TOO)) {
            writing = true;
        }
        if (net.has(Fault.ONE_ENTRY_PER_DIRECTION) && reading && writing && batch.size() + 2 <= batch.capacity()) {
            batch.add(key, true, false, hangup);
            writing = true;
            reading = false;
        }
        each.slot = batch.add(key, reading, writing, hangup);
        each.pollNumber = pollNumber;
    }

    @Override
    public ReadyEvents events() {
        return batch;
    }

    // ---- from any thread

    @Override
    public PollerProvider provider() {
        return net.provider;
    }

    @Override
    public void wakeup() {
        net.lock.lock();
        try {
            if (!open) {
                if (net.has(Fault.WAKEUP_AFTER_CLOSE_THROWS)) {
                    throw new IllegalStateException("bad file descriptor");
                }
                return;
            }
            if (net.has(Fault.LOSES_A_WAKEUP_IN_A_HUNDRED) && net.everyNth(100)) {
                return;
            }
            if (net.has(Fault.WAKEUP_WITHOUT_A_POLL_IS_LOST) && !polling) {
                return;
            }
            if (net.has(Fault.WAKEUP_WAKES_EVERY_POLLER)) {
                for (MemoryPoller each : net.pollers) {
                    each.wakeups++;
                    each.signal();
                }
                return;
            }
            wakeups++;
            if (!net.has(Fault.WAKEUP_DURING_A_POLL_IS_LATE) || !polling) {
                signal();
            }
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        net.lock.lock();
        try {
            if (!open) {
                if (net.has(Fault.SECOND_CLOSE_THROWS)) {
                    throw new IOException("bad file descriptor");
                }
                return;
            }
            open = false;
            net.pollers.remove(this);
            for (Registration each : registrations) {
                if (each.source.registration == each && !net.has(Fault.CLOSE_LEAVES_SOURCES_REGISTERED)) {
                    each.source.registration = null;
                }
            }
            if (net.has(Fault.CLOSE_CLOSES_THE_SOURCES)) {
                for (Registration each : registrations) {
                    each.source.close();
                }
            }
            registrations.clear();
            if (!net.has(Fault.CLOSE_DOES_NOT_WAKE)) {
                signal();
            }
        } finally {
            net.lock.unlock();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

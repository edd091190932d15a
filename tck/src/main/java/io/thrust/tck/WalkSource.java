package io.thrust.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thrust.poll.InputSource;
import io.thrust.poll.Interest;
import io.thrust.poll.Mode;
import io.thrust.poll.OutputSource;
import io.thrust.poll.StreamSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a random walk knows of one source: what waits to be read, and which report is due, allowed, or wrong. */
final class WalkSource {
    /** Reports that one happening may cause at most: data, an acknowledgement, an end and an error. */
    private static final int REPORTS_PER_HAPPENING = 4;

    final InputSource input;
    private final OutputSource peer;
    private final Fixture fixture;
    private final String name;

    boolean registered;
    long key;
    Interest interest = Interest.NONE;
    Mode mode = Mode.EDGE;

    private int written;
    private int read;
    private boolean peerEnded;
    private boolean broken;
    private boolean endRead;

    /** Edge: the next readiness must be reported. One-shot: no report since the last modify. */
    private boolean armed;

    private boolean foundWouldBlock;
    private boolean readDue;
    private boolean writeDue;
    /** Edge: how many reports may still come. */
    private int allowance;

    WalkSource(Fixture fixture, String name, InputSource input, OutputSource peer) {
        this.fixture = fixture;
        this.name = name;
        this.input = input;
        this.peer = peer;
    }

    boolean isStream() {
        return input instanceof StreamSource;
    }

    boolean ended() {
        return endRead || broken;
    }

    private boolean readable() {
        return written > read || peerEnded || broken;
    }

    // ---- what happens to it

    void registeredAs(long newKey, Interest newInterest, Mode newMode) {
        registered = true;
        key = newKey;
        interest = newInterest;
        mode = newMode;
        armed = true;
        foundWouldBlock = false;
        allowance = REPORTS_PER_HAPPENING;
        readDue = interest.includesRead() && readable();
        writeDue = interest.includesWrite();
    }

    void rearmed() {
        allowance = REPORTS_PER_HAPPENING;
        if (foundWouldBlock && mode == Mode.EDGE && interest.includesRead()) {
            armed = true;
            // It may have arrived in between.
            readDue |= readable();
        }
        foundWouldBlock = false;
    }

    private void arrived() {
        allowance = REPORTS_PER_HAPPENING;
        if (registered && interest.includesRead() && (armed || mode == Mode.LEVEL)) {
            readDue = true;
        }
    }

    void peerWrites(int count) throws IOException {
        if (peerEnded || broken) {
            return;
        }
        if (written - read > 2000) {
            return;
        }
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) ((written + i) % 251);
        }
        fixture.write(peer, bytes);
        written += count;
        arrived();
    }

    void peerEnds() throws IOException {
        if (!peerEnded && !broken) {
            if (peer instanceof StreamSource stream) {
                stream.shutdownOutput();
            } else {
                peer.close();
            }
            peerEnded = true;
            arrived();
        }
    }

    void peerResets() throws IOException {
        if (peer instanceof StreamSource stream && !broken) {
            Fixture.reset(stream);
            broken = true;
            arrived();
        }
    }

    void readSome(int most) throws IOException {
        if (broken) {
            return;
        }
        int count = Math.min(most, written - read);
        if (count > 0) {
            verify(fixture.read(input, count));
        }
        consumed();
    }

    /** Reads until it would block or ends. */
    void drain() throws IOException {
        if (broken) {
            return;
        }
        verify(fixture.read(input, written - read));
        if (peerEnded) {
            fixture.readEnd(input);
            endRead = true;
        } else {
            assertEquals(
                    InputSource.WOULD_BLOCK, input.read(ByteBuffer.allocate(1)), () -> "a read of drained " + this);
            foundWouldBlock = true;
            if (mode == Mode.EDGE) {
                armed = false;
            }
        }
        consumed();
    }

    private void verify(byte[] bytes) {
        for (byte b : bytes) {
            assertEquals((byte) (read % 251), b, () -> "byte " + read + " of " + this);
            read++;
        }
        allowance = REPORTS_PER_HAPPENING;
    }

    private void consumed() {
        readDue &= readable();
    }

    void closeBoth() throws IOException {
        input.close();
        peer.close();
    }

    // ---- what a poll says of it

    /** In mode LEVEL everything that is ready is due again. */
    void expectLevel() {
        if (registered && mode == Mode.LEVEL) {
            readDue = interest.includesRead() && readable();
            writeDue = interest.includesWrite();
        }
    }

    boolean isDue() {
        return registered && (readDue || writeDue);
    }

    void take(Event event) {
        assertTrue(
                interest.includes(Interest.of(event.readable(), event.writable())),
                () -> event + " goes beyond interest " + interest + " of " + this);
        if (mode != Mode.EDGE) {
            assertTrue(!event.readable() || readable(), () -> event + " came though nothing is to read: " + this);
        }
        if (mode == Mode.ONE_SHOT) {
            assertTrue(armed, () -> event + " is the second report in mode ONE_SHOT of " + this);
            armed = false;
            readDue = false;
            writeDue = false;
        } else if (mode == Mode.EDGE) {
            assertTrue(allowance > 0, () -> event + " came though nothing happened to " + this);
            allowance--;
            if (event.readable()) {
                armed = false;
                readDue = false;
            }
            if (event.writable()) {
                writeDue = false;
            }
        } else {
            readDue &= !event.readable();
            writeDue &= !event.writable();
        }
    }

    String state() {
        return "registered for " + interest + " in mode " + mode + ", " + (written - read) + " bytes to read"
                + (peerEnded ? ", the peer ended" : "") + (broken ? ", reset" : "")
                + (readDue ? ", reading is due" : "") + (writeDue ? ", writing is due" : "");
    }

    @Override
    public String toString() {
        return name;
    }
}

package io.thrust.examples;

import java.nio.ByteBuffer;

/** Where packets to the addresses of a prefix go. Immutable; its usual answer is formatted once, by whoever makes it. */
final class Route {
    private final Prefix prefix;
    private final String body;
    private final byte[] answer;

    /**
     * Creates one.
     *
     * @param nextHop an IPv4 address
     * @param version the number of the update that made it, 0 for none
     */
    Route(Prefix prefix, int nextHop, long version) {
        this.prefix = prefix;
        body = prefix + " via " + Prefix.format(nextHop) + " version " + version + "\n";
        answer = Characters.ascii(Answers.format(200, body, false, false));
    }

    Prefix prefix() {
        return prefix;
    }

    /** Appends the answer to a GET on a connection that persists. */
    void putAnswer(ByteBuffer dst) {
        dst.put(answer);
    }

    /** What the answer says. */
    @Override
    public String toString() {
        return body;
    }
}

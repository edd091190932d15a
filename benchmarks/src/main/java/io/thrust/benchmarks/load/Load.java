package io.thrust.benchmarks.load;

/**
 * A kind of load.
 *
 * @param kind {@code http}: requests on connections that persist; {@code pipe}: 16 requests at once; {@code churn}: a
 *     connection for each request; {@code echo}: 64 bytes there and back; {@code idle}: requests on {@value
 *     #ACTIVE_BESIDE_IDLE} connections, beside those that do nothing
 * @param connections how many at the same time
 */
record Load(String kind, int connections) {
    /** Requests at once of the kind {@code pipe}. */
    static final int DEPTH = 16;

    /** Connections of the kind {@code idle} that are not. */
    static final int ACTIVE_BESIDE_IDLE = 64;

    /** Requests at once. */
    int depth() {
        return kind.equals("pipe") ? DEPTH : 1;
    }

    int active() {
        return kind.equals("idle") ? ACTIVE_BESIDE_IDLE : connections;
    }

    int idle() {
        return kind.equals("idle") ? connections : 0;
    }

    /** What the server's environment says. */
    String mode() {
        return kind.equals("echo") ? "echo" : "http";
    }

    static Load parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 2 || !parts[0].matches("http|pipe|churn|echo|idle") || !parts[1].matches("[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException(
                    "\"" + text
                            + "\" is no load; give KIND:CONNECTIONS, the kind being http, pipe, churn, echo or idle, such as http:64");
        }
        return new Load(parts[0], Integer.parseInt(parts[1]));
    }

    @Override
    public String toString() {
        return kind + ", " + connections + " connections";
    }
}

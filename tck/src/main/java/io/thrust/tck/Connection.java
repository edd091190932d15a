package io.thrust.tck;

import io.thrust.poll.StreamSource;

/** The two ends of an established connection. */
record Connection(StreamSource client, StreamSource server) {}

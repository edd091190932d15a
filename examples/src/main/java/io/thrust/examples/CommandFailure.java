package io.thrust.examples;

/** A command cannot do its work; the message is for the person who started it. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }
}

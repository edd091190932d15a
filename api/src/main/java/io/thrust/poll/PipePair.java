package io.thrust.poll;

/**
 * The two ends of a pipe. What is written to {@code writer} is read from {@code reader}; closing the writer is the
 * reader's end of stream, and a write after the reader was closed throws {@link BrokenPipeException}.
 */
public record PipePair(InputSource reader, OutputSource writer) {}

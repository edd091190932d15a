package io.thrust.tck;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.function.Function;

/**
 * How long the kit waits, and how hard it tries.
 *
 * @param patience how long an event that must come is waited for; generous, spent only on failure
 * @param silence how long nothing may come where nothing must; short, spent on every such check
 * @param limit after which a rule that has not ended counts as hanging
 * @param effort multiplies the repetitions of the rules that look for races
 * @param seed of everything random
 * @param walkSteps the steps of one random walk
 * @param walks how many random walks
 */
public record Environment(
        Duration patience, Duration silence, Duration limit, double effort, long seed, int walkSteps, int walks) {

    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);
    public static final Duration DEFAULT_SILENCE = Duration.ofMillis(50);
    private static final String AT_LEAST_ONE = "a number of at least 1";

    /**
     * The environment that system properties describe.
     *
     * <ul>
     *   <li>{@systemProperty thrust.tck.patience}: an ISO duration, by default PT10S
     *   <li>{@systemProperty thrust.tck.silence}: an ISO duration, by default PT0.05S
     *   <li>{@systemProperty thrust.tck.scale}: multiplies both, by default 1
     *   <li>{@systemProperty thrust.tck.effort}: multiplies repetitions, by default 1
     *   <li>{@systemProperty thrust.tck.seed}: by default taken from the clock; printed when a walk fails
     *   <li>{@systemProperty thrust.tck.walk}: steps of one random walk, by default 1500
     *   <li>{@systemProperty thrust.tck.walks}: number of random walks, by default 4
     * </ul>
     *
     * @throws IllegalArgumentException if one of them cannot be read; the message names it
     */
    public static Environment ofSystemProperties() {
        double scale = factor("thrust.tck.scale");
        Duration patience = scaled(duration("thrust.tck.patience", DEFAULT_PATIENCE), scale);
        Duration silence = scaled(duration("thrust.tck.silence", DEFAULT_SILENCE), scale);
        return new Environment(
                patience,
                silence,
                limitFor(patience),
                factor("thrust.tck.effort"),
                property(
                        "thrust.tck.seed",
                        "a number, for example 0x1234",
                        System.nanoTime() & 0xFFFFFFFL,
                        Long::decode),
                property("thrust.tck.walk", AT_LEAST_ONE, 1500, Environment::positive),
                property("thrust.tck.walks", AT_LEAST_ONE, 4, Environment::positive));
    }

    /** A value that is not what it should be is told by its name: a run that goes on without it would mislead. */
    private static <T> T property(String name, String what, T otherwise, Function<String, T> parser) {
        String value = System.getProperty(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "the system property " + name + " is \"" + value + "\", but must be " + what, e);
        }
    }

    private static double factor(String name) {
        return property(name, "a number above 0, for example 2", 1.0, text -> {
            double factor = Double.parseDouble(text);
            if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(text);
            }
            return factor;
        });
    }

    private static int positive(String text) {
        int number = Integer.decode(text);
        if (number < 1) {
            throw new IllegalArgumentException(text);
        }
        return number;
    }

    private static Duration duration(String name, Duration otherwise) {
        return property(name, "a positive ISO duration, for example PT10S", otherwise, text -> {
            Duration duration = Duration.parse(text);
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(text);
            }
            return duration;
        });
    }

    private static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    private static Duration limitFor(Duration patience) {
        Duration six = patience.multipliedBy(6);
        Duration minute = Duration.ofMinutes(1);
        return six.compareTo(minute) < 0 ? minute : six;
    }

    /** A copy with another patience, and the limit that goes with it. */
    public Environment withPatience(Duration other) {
        return new Environment(other, silence, limitFor(other), effort, seed, walkSteps, walks);
    }

    /** A copy with another silence. */
    public Environment withSilence(Duration other) {
        return new Environment(patience, other, limit, effort, seed, walkSteps, walks);
    }

    /** A copy with another limit. */
    public Environment withLimit(Duration other) {
        return new Environment(patience, silence, other, effort, seed, walkSteps, walks);
    }

    /** A copy with another effort. */
    public Environment withEffort(double other) {
        return new Environment(patience, silence, limit, other, seed, walkSteps, walks);
    }

    /** A copy with another seed. */
    public Environment withSeed(long other) {
        return new Environment(patience, silence, limit, effort, other, walkSteps, walks);
    }

    /** A copy with other random walks. */
    public Environment withWalk(int steps, int number) {
        return new Environment(patience, silence, limit, effort, seed, steps, number);
    }

    long patienceNanos() {
        return patience.toNanos();
    }

    long silenceNanos() {
        return silence.toNanos();
    }

    /** A number of repetitions, multiplied by the effort, at least 1. */
    int rounds(int usual) {
        return (int) Math.max(1, usual * effort);
    }
}

package io.thrust.examples;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Numbers that an option may have. */
final class OptionRange {
    private OptionRange() {}

    /**
     * Returns the value if it lies within the range; else the usage is wrong, and the message names it.
     *
     * @param spec that of the command, or null outside of a command line
     * @param what is counted, in the plural
     */
    static int check(@Nullable CommandSpec spec, String option, int value, int least, int most, String what) {
        if (value < least || value > most) {
            throw wrong(
                    spec, option, Integer.toString(value), "a number of " + what + " from " + least + " to " + most);
        }
        return value;
    }

    static RuntimeException wrong(@Nullable CommandSpec spec, String option, String value, String allowed) {
        String message = "Invalid value for option '" + option + "': " + value + "; give " + allowed;
        return spec == null
                ? new IllegalArgumentException(message)
                : new ParameterException(spec.commandLine(), message);
    }
}

package io.thrust.tck;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The command line. */
record Options(
        Action action,
        String poller,
        Set<String> rules,
        Set<String> waived,
        Environment environment,
        @Nullable Path report) {

    static final String USAGE = """
            usage: java -jar thrust-tck-all.jar --poller NAME | --all | --list  [options]
                   java -cp thrust-tck.jar:mine.jar io.thrust.tck.Main --poller NAME [options]

              --poller NAME     run the rules over the poller of this name
              --all             run them over each poller that is available
              --list            list the rules, and the pollers that were found
              --help            print this
              --rule N.M        run (or list) this rule only; may be given several times, or N for a chapter
              --waive N.M       list this SHOULD rule as skipped if it fails
              --patience PT10S  how long to wait for what must come
              --silence PT0.05S how long to watch that nothing comes
              --seed 0x1234     of everything random
              --walk STEPS      steps of each random walk (1500)
              --walks NUMBER    number of random walks (4)
              --report DIR      write index.html and one JUnit XML file per poller

            System properties (java -D...) do the same for those who run the kit under JUnit: thrust.tck.patience,
            thrust.tck.silence, thrust.tck.seed, thrust.tck.walk, thrust.tck.walks; and thrust.tck.scale multiplies
            patience and silence, thrust.tck.effort the repetitions.

            exit status: 0 passed, 1 a rule failed, 2 usage, or the report cannot be written, 3 the poller is not there
            or not available""";

    private static final Set<String> WITHOUT_VALUE = Set.of("--all", "--list", "--help", "-h");
    private static final Set<String> WITH_VALUE = Set.of(
            "--poller", "--rule", "--waive", "--patience", "--silence", "--seed", "--walk", "--walks", "--report");

    /** What to do. */
    enum Action {
        POLLER,
        ALL,
        LIST,
        HELP
    }

    static Options parse(String... args) {
        Action action = null;
        String poller = "";
        Set<String> rules = new LinkedHashSet<>();
        Set<String> waived = new LinkedHashSet<>();
        Environment environment = Environment.ofSystemProperties();
        Path report = null;
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            String value = "";
            int equals = option.indexOf('=');
            if (equals > 0) {
                value = option.substring(equals + 1);
                option = option.substring(0, equals);
                if (WITHOUT_VALUE.contains(option)) {
                    throw new IllegalArgumentException("option " + option + " takes no value");
                }
            } else if (WITH_VALUE.contains(option)) {
                if (i + 1 == args.length || args[i + 1].startsWith("--")) {
                    throw new IllegalArgumentException("option " + option + " needs a value");
                }
                value = args[++i];
            }
            switch (option) {
                case "--poller" -> {
                    action = only(action, Action.POLLER);
                    poller = value;
                }
                case "--all" -> action = only(action, Action.ALL);
                case "--list" -> action = only(action, Action.LIST);
                case "--help", "-h" -> action = Action.HELP;
                case "--rule" -> addRules(rules, value);
                case "--waive" -> waived.add(waivable(value));
                case "--patience" -> environment = environment.withPatience(duration(option, value));
                case "--silence" -> environment = environment.withSilence(duration(option, value));
                case "--seed" -> environment = environment.withSeed(number(option, value));
                case "--walk" -> environment = environment.withWalk((int) positive(option, value), environment.walks());
                case "--walks" ->
                    environment = environment.withWalk(environment.walkSteps(), (int) positive(option, value));
                case "--report" -> report = Path.of(value);
                default -> throw new IllegalArgumentException("there is no option " + option);
            }
        }
        if (action == null) {
            throw new IllegalArgumentException("say --poller NAME, --all or --list");
        }
        return new Options(action, poller, rules, waived, environment, report);
    }

    private static Action only(@Nullable Action before, Action now) {
        if (before == Action.HELP) {
            return before;
        }
        if (before != null) {
            throw new IllegalArgumentException("say only one of --poller NAME, --all and --list");
        }
        return now;
    }

    private static void addRules(Set<String> rules, String value) {
        boolean found = false;
        for (RuleText rule : Specification.ofThisKit().rules()) {
            if (rule.id().equals(value) || value.equals(String.valueOf(rule.chapter()))) {
                rules.add(rule.id());
                found = true;
            }
        }
        if (!found) {
            throw new IllegalArgumentException("there is no rule or chapter " + value + "; --list shows all");
        }
    }

    private static String waivable(String value) {
        RuleText rule = Specification.ofThisKit().rule(value);
        if (rule.level() != Level.SHOULD) {
            throw new IllegalArgumentException(
                    "rule " + value + " is a " + rule.level() + "; only a SHOULD can be waived");
        }
        return value;
    }

    private static Duration duration(String option, String value) {
        try {
            Duration duration = Duration.parse(value);
            if (!duration.isNegative() && !duration.isZero()) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // Told below, with an example.
        }
        throw new IllegalArgumentException(
                option + " is \"" + value + "\", but must be a positive ISO duration, for example PT10S");
    }

    private static long number(String option, String value) {
        try {
            return Long.decode(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " is \"" + value + "\", but must be a number", e);
        }
    }

    private static long positive(String option, String value) {
        long number = number(option, value);
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(option + " is " + value + ", but must be at least 1");
        }
        return number;
    }
}

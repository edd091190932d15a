package io.thrust.tck;

/** A rule was broken; the message has what happened, the rule's sentence and its hints. */
public final class RuleFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String id;
    private final String happened;

    RuleFailure(RuleText rule, Throwable cause) {
        super(describe(cause) + "\n" + rule.explain(), cause);
        this.id = rule.id();
        this.happened = describe(cause);
        setStackTrace(cause.getStackTrace());
    }

    /** The rule's number. */
    public String ruleId() {
        return id;
    }

    /** What happened, without the rule. */
    String happened() {
        return happened;
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        if (!(cause instanceof AssertionError) || message == null) {
            return cause.toString();
        }
        // What was a condition for the kit is told in words before this.
        return message.replace(" ==> expected: <true> but was: <false>", "")
                .replace(" ==> expected: <false> but was: <true>", "");
    }
}

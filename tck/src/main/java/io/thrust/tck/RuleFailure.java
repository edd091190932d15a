package io.thrust.tck;

/** A rule was broken; the message has what happened, the rule's sentence and its hints. */
public final class RuleFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String id;

    RuleFailure(RuleText rule, Throwable cause) {
        super(describe(cause) + "\n" + rule.explain(), cause);
        this.id = rule.id();
        setStackTrace(cause.getStackTrace());
    }

    /** The rule's number. */
    public String ruleId() {
        return id;
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof AssertionError && message != null ? message : cause.toString();
    }
}

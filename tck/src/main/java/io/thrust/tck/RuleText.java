package io.thrust.tck;

import java.util.List;

/**
 * What {@code SPEC.md} says of one rule.
 *
 * @param id the number, chapter first
 * @param level the level
 * @param sentence the rule in one sentence
 * @param why why it is a rule
 * @param hints what to check when it fails
 */
public record RuleText(String id, Level level, String sentence, String why, List<String> hints) {

    public RuleText {
        hints = List.copyOf(hints);
    }

    /** The number of the chapter. */
    public int chapter() {
        return Integer.parseInt(id.substring(0, id.indexOf('.')));
    }

    /** The rule as a person reads it after a failure. */
    String explain() {
        StringBuilder text =
                new StringBuilder("rule ").append(id).append(' ').append(level).append(": ");
        text.append(sentence).append("\n  why: ").append(why).append("\n  if this fails, check:");
        for (String hint : hints) {
            text.append("\n    - ").append(hint);
        }
        return text.toString();
    }
}

package io.thrust.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules, read from {@code SPEC.md}, the only place where their sentences are written. A chapter starts with {@code ##
 * N. Title}, a rule with {@code ### N.M LEVEL}; then come its sentence, a line {@code Why: ...} and, after a line {@code If
 * this fails, check:}, a list.
 */
public final class Specification {
    private static final Pattern CHAPTER = Pattern.compile("## (\\d+)\\. (.+)");
    private static final Pattern RULE = Pattern.compile("### (\\d+\\.\\d+) (MUST|SHOULD|MAY)");
    private static final String CHECK = "If this fails, check:";
    private static final Specification OF_THIS_KIT = load();

    private final Map<String, RuleText> rules = new LinkedHashMap<>();
    private final Map<Integer, String> chapters = new LinkedHashMap<>();

    private Specification(String text) {
        Draft draft = null;
        for (String line : text.lines().map(String::strip).toList()) {
            Matcher chapter = CHAPTER.matcher(line);
            Matcher rule = RULE.matcher(line);
            boolean isRule = rule.matches();
            if (isRule || line.startsWith("## ")) {
                add(draft);
                draft = isRule ? new Draft(rule.group(1), Level.valueOf(rule.group(2))) : null;
                if (chapter.matches()) {
                    chapters.put(Integer.parseInt(chapter.group(1)), chapter.group(2));
                }
            } else if (draft != null && !line.isEmpty()) {
                draft.take(line);
            }
        }
        add(draft);
    }

    private void add(@Nullable Draft draft) {
        if (draft != null) {
            RuleText rule = draft.finish();
            if (rules.putIfAbsent(rule.id(), rule) != null) {
                throw new IllegalStateException("SPEC.md has two rules " + rule.id());
            }
        }
    }

    /** The rules of this version of the kit. */
    public static Specification ofThisKit() {
        return OF_THIS_KIT;
    }

    static Specification parse(String text) {
        return new Specification(text);
    }

    private static Specification load() {
        try (InputStream in = Specification.class.getResourceAsStream("SPEC.md")) {
            if (in == null) {
                throw new IllegalStateException("SPEC.md is missing beside " + Specification.class);
            }
            return new Specification(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rules in the order of the document. */
    public Collection<RuleText> rules() {
        return rules.values();
    }

    /** The titles of the chapters by number. */
    public Map<Integer, String> chapters() {
        return Map.copyOf(chapters);
    }

    /**
     * The rule with this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public RuleText rule(String id) {
        RuleText rule = rules.get(id);
        if (rule == null) {
            throw new IllegalArgumentException("there is no rule " + id + " in SPEC.md; --list shows all");
        }
        return rule;
    }

    boolean has(String id) {
        return rules.containsKey(id);
    }

    private static final class Draft {
        private final String id;
        private final Level level;
        private final StringBuilder sentence = new StringBuilder();
        private final StringBuilder why = new StringBuilder();
        private final List<String> hints = new ArrayList<>();
        private boolean inHints;

        Draft(String id, Level level) {
            this.id = id;
            this.level = level;
        }

        void take(String line) {
            if (line.equals(CHECK)) {
                inHints = true;
            } else if (inHints && line.startsWith("- ")) {
                hints.add(line.substring(2));
            } else if (inHints && !hints.isEmpty()) {
                hints.set(hints.size() - 1, hints.get(hints.size() - 1) + " " + line);
            } else if (line.startsWith("Why: ")) {
                why.append(line.substring(5));
            } else {
                StringBuilder target = why.length() > 0 ? why : sentence;
                target.append(target.length() == 0 ? "" : " ").append(line);
            }
        }

        RuleText finish() {
            if (sentence.length() == 0 || why.length() == 0 || hints.isEmpty()) {
                throw new IllegalStateException("rule " + id + " of SPEC.md lacks its sentence, its why or its hints");
            }
            return new RuleText(id, level, sentence.toString(), why.toString(), hints);
        }
    }
}

package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Java in the README and in the guide is that of compiled sources. */
class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("(<!-- (\\S+)#(\\S+) -->\n)?```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void javaBlocksAreQuotedFromCompiledSources() throws IOException {
        assertThat(quoted("README.md")).contains("loop", "server", "client");
        assertThat(quoted("docs/guide.md")).contains("loops", "timeout", "offload");
    }

    /** The names of the parts that the document quotes. */
    private static List<String> quoted(String document) throws IOException {
        Matcher block = JAVA.matcher(Files.readString(ROOT.resolve(document)));
        List<String> quoted = new ArrayList<>();
        while (block.find()) {
            assertThat(block.group(1)).as("the source of:\n" + block.group(4)).isNotNull();
            assertThat(block.group(4)).isEqualTo(part(ROOT.resolve(block.group(2)), block.group(3)));
            quoted.add(block.group(3));
        }
        return quoted;
    }

    /** What stands between the comments [name] and [/name], less its indentation. */
    private static String part(Path source, String name) throws IOException {
        List<String> lines = Files.readAllLines(source);
        List<String> stripped = lines.stream().map(String::strip).toList();
        int start = stripped.indexOf("// [" + name + "]");
        int end = stripped.indexOf("// [/" + name + "]");
        assertThat(start).as("[" + name + "] in " + source).isNotNegative().isLessThan(end);
        return String.join("\n", lines.subList(start + 1, end)).stripIndent() + "\n";
    }
}

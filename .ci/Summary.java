import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Sums the surefire reports below the given directories and prints "N passed, N failed, N skipped" as its last line;
 * the failed and skipped tests are named before it. The exit code is 1 if a test failed or if none ran.
 *
 * <p>Run: {@code java .ci/Summary.java DIRECTORY...}
 */
final class Summary {
    private int passed;
    private int failed;
    private int skipped;

    public static void main(String[] directories) throws Exception {
        Summary summary = new Summary();
        for (String directory : directories) {
            for (Path report : reports(Path.of(directory).toAbsolutePath())) {
                summary.add(report);
            }
        }
        System.out.printf("%d passed, %d failed, %d skipped%n", summary.passed, summary.failed, summary.skipped);
        System.exit(summary.failed > 0 || summary.passed == 0 ? 1 : 0);
    }

    private static List<Path> reports(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(
                            file -> file.getParent().endsWith("surefire-reports")
                                    && file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        }
    }

    private void add(Path report) {
        NodeList cases;
        try {
            File file = report.toFile();
            cases = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file)
                    .getElementsByTagName("testcase");
        } catch (Exception e) {
            // A test JVM that died leaves half a report.
            System.out.println("FAILED  " + report + ": cannot be read: " + e.getMessage());
            failed++;
            return;
        }
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            String name = test.getAttribute("classname") + "." + test.getAttribute("name");
            if (has(test, "failure") || has(test, "error")) {
                System.out.println("FAILED  " + name);
                failed++;
            } else if (has(test, "skipped")) {
                System.out.println("skipped " + name);
                skipped++;
            } else {
                passed++;
            }
        }
    }

    private static boolean has(Element test, String child) {
        return test.getElementsByTagName(child).getLength() > 0;
    }
}

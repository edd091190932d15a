package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/** The fixture keeps the contract of kqueue: each row of its contract test, in each layout. */
class FixtureContractTest {
    @TestFactory
    List<DynamicNode> layout32() throws IOException, InterruptedException {
        return rows(32);
    }

    @TestFactory
    List<DynamicNode> layout40() throws IOException, InterruptedException {
        return rows(40);
    }

    @TestFactory
    List<DynamicNode> layout64() throws IOException, InterruptedException {
        return rows(64);
    }

    private static List<DynamicNode> rows(int layout) throws IOException, InterruptedException {
        Path contract;
        try {
            contract = Fixture.contract(layout);
        } catch (TestAbortedException skipped) {
            // A test factory that is skipped itself is in no report: a test says it for the rows.
            return List.of(DynamicTest.dynamicTest("the contract in the layout of " + layout + " bytes", () -> {
                throw skipped;
            }));
        }
        Fixture.Output output = Fixture.run(contract);
        List<DynamicNode> tests = new ArrayList<>();
        for (String line : output.text().lines().toList()) {
            if (line.startsWith("ok ")) {
                tests.add(DynamicTest.dynamicTest(line.substring("ok ".length()), () -> {}));
            } else if (line.startsWith("FAILED ")) {
                tests.add(DynamicTest.dynamicTest(line.substring("FAILED ".length()), () -> fail(line)));
            }
        }
        tests.add(DynamicTest.dynamicTest("the contract test of " + layout + " bytes ran to its end", () -> {
            long failed = output.text()
                    .lines()
                    .filter(line -> line.startsWith("FAILED "))
                    .count();
            long passed =
                    output.text().lines().filter(line -> line.startsWith("ok ")).count();
            assertThat(output.text()).endsWith(passed + " passed, " + failed + " failed\n");
            assertThat(passed + failed).isGreaterThan(100);
            assertThat(output.status()).isEqualTo(failed == 0 ? 0 : 1);
        }));
        return tests;
    }
}

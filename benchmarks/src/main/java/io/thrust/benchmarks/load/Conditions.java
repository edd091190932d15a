package io.thrust.benchmarks.load;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What all measurements of one run have in common.
 *
 * @param scratch where programs are built and servers write what they print
 * @param seconds the length of one measurement
 * @param warmUp seconds before the first; 0 for none
 */
record Conditions(Processors processors, Path scratch, double seconds, double warmUp) {

    Client client() {
        return new Client(processors);
    }

    ServerProcess start(ServerSpec spec, String mode) throws IOException, InterruptedException {
        return new ServerProcess(spec, mode, processors, scratch);
    }
}

package io.thrust.benchmarks.load;

import java.io.IOException;

/**
 * What one server did under one load for a while.
 *
 * @param cpuSeconds of the server, its compiler threads apart
 * @param foreignSeconds what others have taken of the two processors
 */
record Window(Outcome outcome, double cpuSeconds, double foreignSeconds, double residentMegabytes) {

    static Window measure(ServerProcess server, Processors processors, Action action)
            throws IOException, InterruptedException {
        long pid = server.pid();
        double compiler = ProcStat.compilerSeconds(pid);
        double cpu = ProcStat.cpuSeconds(pid);
        double busy = ProcStat.busySeconds(processors.all());
        double own = ProcStat.childrenSeconds();
        Outcome outcome = action.run();
        double spent = ProcStat.cpuSeconds(pid) - cpu;
        double foreign = ProcStat.busySeconds(processors.all()) - busy - spent - (ProcStat.childrenSeconds() - own);
        double compiling = Math.min(spent, ProcStat.compilerSeconds(pid) - compiler);
        return new Window(outcome, spent - compiling, Math.max(0, foreign), ProcStat.residentMegabytes(pid));
    }

    /** CPU time for a million operations, in seconds; that of one in microseconds. */
    double cpuPerMillion() {
        return cpuSeconds * 1e6 / Math.max(1, outcome.operations());
    }

    double foreignShare() {
        return foreignSeconds / outcome.seconds();
    }

    interface Action {
        Outcome run() throws IOException, InterruptedException;
    }
}

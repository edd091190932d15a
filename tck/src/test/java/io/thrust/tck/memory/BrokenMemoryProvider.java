package io.thrust.tck.memory;

/** A provider with a fault that a services file can name. */
public final class BrokenMemoryProvider extends MemoryProvider {

    public BrokenMemoryProvider() {
        super(Style.ARRIVAL, Fault.EDGE_REPEATS);
    }

    @Override
    public String name() {
        return "memory-broken";
    }
}

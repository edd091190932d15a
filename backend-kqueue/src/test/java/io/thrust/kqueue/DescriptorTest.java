package io.thrust.kqueue;

import io.thrust.backend.AbstractDescriptorTest;
import io.thrust.poll.Interest;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;

class DescriptorTest extends AbstractDescriptorTest {
    @Override
    protected PollerProvider provider() {
        return Fixture.provider();
    }

    @Override
    protected int descriptorOf(Source source) {
        return ((KqueueSource) source).fd;
    }

    @Override
    protected Source adopt(int descriptor) {
        return Fixture.provider().adopt(descriptor);
    }

    @Override
    protected Source adopt(int descriptor, Interest directions) {
        return Fixture.provider().adopt(descriptor, directions);
    }
}

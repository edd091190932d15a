package io.thrust.epoll;

import io.thrust.backend.AbstractDescriptorTest;
import io.thrust.poll.Interest;
import io.thrust.poll.PollerProvider;
import io.thrust.poll.Source;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class DescriptorTest extends AbstractDescriptorTest {
    private final EpollProvider provider = new EpollProvider();

    @Override
    protected PollerProvider provider() {
        return provider;
    }

    @Override
    protected int descriptorOf(Source source) {
        return ((EpollSource) source).fd.intValue();
    }

    @Override
    protected Source adopt(int descriptor) {
        return provider.adopt(descriptor);
    }

    @Override
    protected Source adopt(int descriptor, Interest directions) {
        return provider.adopt(descriptor, directions);
    }
}

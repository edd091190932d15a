package io.thrust.tck.netty;

import io.thrust.poll.PollerProvider;
import io.thrust.tck.PollerTck;
import java.util.Set;

/** The kit over Netty's kqueue, on macOS; elsewhere each rule is skipped, with the reason. */
class NettyKqueueTckTest extends PollerTck {
    private static final PollerProvider PROVIDER = new NettyKqueueProvider();

    @Override
    protected PollerProvider provider() {
        return PROVIDER;
    }

    /** It is no service, so that no program chooses it. */
    @Override
    protected Set<String> waived() {
        return Set.of("8.3");
    }
}

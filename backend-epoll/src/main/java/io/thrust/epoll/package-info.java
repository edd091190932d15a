/**
 * The backend for Linux: readiness from epoll through Netty's {@code EpollIoHandler}, driven by hand on the thread that
 * owns the poller, and non-blocking sockets and pipes through Netty's native calls. {@link
 * io.thrust.epoll.EpollProvider} is the only public type.
 */
@NullMarked
package io.thrust.epoll;

import org.jspecify.annotations.NullMarked;

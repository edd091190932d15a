/**
 * A second poller over kqueue, made of Netty's public {@code KQueueIoHandler} and its sockets: what the kit says of it on a
 * Mac tells whether a rule is wrong or only the backend. It shares no code with the backend {@code kqueue}.
 */
@NullMarked
package io.thrust.tck.netty;

import org.jspecify.annotations.NullMarked;

package io.thrust.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.thrust.poll.BrokenPipeException;
import io.thrust.poll.ConnectionResetException;
import io.thrust.poll.TooManyOpenFilesException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class NioErrorsTest {

    @Test
    void messagesOfTheSystemsDecide() {
        check(new ConnectException("Connection refused"), ConnectException.class, "connection refused");
        check(new ConnectException("Connection timed out"), ConnectException.class, "connection timed out");
        check(new SocketException("Connection reset"), ConnectionResetException.class, "connection reset by peer");
        check(new IOException("Connection reset by peer"), ConnectionResetException.class, "connection reset by peer");
        check(new IOException("Broken pipe"), BrokenPipeException.class, "broken pipe");
        check(new BindException("Address already in use: bind"), BindException.class, "address already in use");
        check(
                new BindException("Cannot assign requested address"),
                BindException.class,
                "address not available on this machine");
        check(new BindException("Permission denied"), SocketException.class, "permission denied");
        check(new SocketException("Network is unreachable"), NoRouteToHostException.class, "network is unreachable");
        check(new NoRouteToHostException("No route to host"), NoRouteToHostException.class, "no route to host");
        check(
                new IOException("Too many open files"),
                TooManyOpenFilesException.class,
                "too many open files; raise the limit (ulimit -n) or close some");
    }

    @Test
    void theTypeIsKeptWhereTheMessageIsForeign() {
        check(
                new ConnectException("Verbindungsaufbau abgelehnt"),
                ConnectException.class,
                "Verbindungsaufbau abgelehnt");
        check(
                new BindException("Die Adresse wird bereits verwendet"),
                BindException.class,
                "Die Adresse wird bereits verwendet");
        check(new NoRouteToHostException("Keine Route"), NoRouteToHostException.class, "no route to host");
        check(new IOException("Irgendwas"), SocketException.class, "Irgendwas");
        check(new IOException((String) null), SocketException.class, "java.io.IOException");
    }

    private static void check(IOException failure, Class<?> type, String wording) {
        assertThat(NioErrors.map("connect to x", failure))
                .isExactlyInstanceOf(type)
                .hasMessage("connect to x: " + wording)
                .hasCause(failure);
    }
}

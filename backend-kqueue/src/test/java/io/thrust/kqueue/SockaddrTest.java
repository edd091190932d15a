package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SockaddrTest {
    private static final int AT = 8;

    private final ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());

    private static Numbers numbers(OperatingSystem os) {
        return new Numbers(os, "amd64");
    }

    private void assertHead(Numbers numbers, int family, int length) {
        if (numbers.os == OperatingSystem.LINUX) {
            assertThat(bytes.getShort(AT)).isEqualTo((short) family);
        } else {
            assertThat(bytes.get(AT)).isEqualTo((byte) length);
            assertThat(bytes.get(AT + 1)).isEqualTo((byte) family);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ipv4(OperatingSystem os) throws UnknownHostException {
        Sockaddr sockaddr = new Sockaddr(numbers(os));
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, (byte) 200, 3, 4}), 0xfe01);
        assertThat(sockaddr.put(bytes, AT, address, false)).isEqualTo(16);
        assertHead(numbers(os), numbers(os).afInet, 16);
        byte[] rest = new byte[6];
        bytes.get(AT + 2, rest);
        assertThat(rest).containsExactly(0xfe, 0x01, 10, 200, 3, 4);
        assertThat(sockaddr.inet(bytes, AT, 16)).isEqualTo(address);
        assertThat(sockaddr.inet(bytes, AT, 0)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void ipv6WithItsScope(OperatingSystem os) throws UnknownHostException {
        Sockaddr sockaddr = new Sockaddr(numbers(os));
        byte[] raw = new byte[16];
        raw[0] = (byte) 0xfe;
        raw[1] = (byte) 0x80;
        raw[15] = 7;
        InetSocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, raw, 3), 80);
        assertThat(sockaddr.put(bytes, AT, address, true)).isEqualTo(28);
        assertHead(numbers(os), numbers(os).afInet6, 28);
        assertThat(bytes.getInt(AT + 24)).isEqualTo(3);
        InetSocketAddress back = sockaddr.inet(bytes, AT, 28);
        assertThat(back).isEqualTo(address);
        assertThat(((Inet6Address) back.getAddress()).getScopeId()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void ipv4WithinIpv6ComesBackAsIpv4(OperatingSystem os) throws UnknownHostException {
        Sockaddr sockaddr = new Sockaddr(numbers(os));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 1234);
        assertThat(sockaddr.put(bytes, AT, address, true)).isEqualTo(28);
        assertHead(numbers(os), numbers(os).afInet6, 28);
        assertThat(sockaddr.inet(bytes, AT, 28)).isEqualTo(address);

        InetSocketAddress any = new InetSocketAddress(InetAddress.getByAddress(new byte[4]), 1);
        sockaddr.put(bytes, AT, any, true);
        byte[] host = new byte[16];
        bytes.get(AT + 8, host);
        assertThat(host).as("the any-address of IPv6").containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource
    void paths(OperatingSystem os) {
        Sockaddr sockaddr = new Sockaddr(numbers(os));
        byte[] path = "/tmp/s\u00f6cket".getBytes(StandardCharsets.UTF_8);
        bytes.put(AT + 2 + path.length, (byte) 'x');
        int length = sockaddr.put(bytes, AT, path);
        assertThat(length).isEqualTo(2 + path.length + 1);
        assertHead(numbers(os), numbers(os).afUnix, length);
        assertThat(bytes.get(AT + 2 + path.length)).as("terminating zero").isZero();
        assertThat(sockaddr.unix(bytes, AT, length)).isEqualTo(UnixDomainSocketAddress.of("/tmp/s\u00f6cket"));
        assertThat(sockaddr.unix(bytes, AT, 2)).isEqualTo(Addresses.UNNAMED);
        assertThat(sockaddr.unix(bytes, AT, 0)).isEqualTo(Addresses.UNNAMED);
    }
}

package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NumbersTest {

    /** What differs, written down once more from the systems' headers. */
    @ParameterizedTest
    @CsvSource({
        // os,     AF_INET6, NONBLOCK, SOCK_CLOEXEC, O_NONBLOCK, MSG_NOSIGNAL, NOSIGPIPE, V6ONLY, LINGER, EAGAIN, EPROTO
        "LINUX,     10, 0x800,      0x80000,    0x800, 0x4000,  0,      26, 13,     11, 71",
        "DARWIN,    30, 0,          0,          0x4,   0,       0x1022, 27, 0x1080, 35, 100",
        "FREEBSD,   28, 0x20000000, 0x10000000, 0x4,   0x20000, 0x800,  27, 0x80,   35, 92",
        "NETBSD,    24, 0x20000000, 0x10000000, 0x4,   0x400,   0x800,  27, 0x80,   35, 96",
        "OPENBSD,   24, 0x4000,     0x8000,     0x4,   0x400,   0,      27, 0x80,   35, 95",
        "DRAGONFLY, 28, 0x20000000, 0x10000000, 0x4,   0x400,   0x800,  27, 0x80,   35, 92",
    })
    void eachSystemHasItsOwn(
            OperatingSystem os,
            String inet6,
            String nonblock,
            String cloexec,
            String oNonblock,
            String nosignal,
            String nosigpipe,
            String v6only,
            String linger,
            int eagain,
            int eproto) {
        Numbers numbers = new Numbers(os, "amd64");
        assertThat(numbers.afInet6).isEqualTo(Integer.decode(inet6));
        assertThat(numbers.sockNonblock).isEqualTo(Integer.decode(nonblock));
        assertThat(numbers.sockCloexec).isEqualTo(Integer.decode(cloexec));
        assertThat(numbers.oNonblock).isEqualTo(Integer.decode(oNonblock));
        assertThat(numbers.msgNosignal).isEqualTo(Integer.decode(nosignal));
        assertThat(numbers.soNosigpipe).isEqualTo(Integer.decode(nosigpipe));
        assertThat(numbers.ipv6V6only).isEqualTo(Integer.decode(v6only));
        assertThat(numbers.soLinger).isEqualTo(Integer.decode(linger));
        assertThat(numbers.eagain).isEqualTo(eagain);
        assertThat(numbers.concernsOneConnection(eproto)).isTrue();
        assertThat(numbers.concernsOneConnection(numbers.ebadf)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void noSystemCanRaiseSigpipeOnASocket(OperatingSystem os) {
        Numbers numbers = new Numbers(os, "amd64");
        assertThat(numbers.msgNosignal != 0 || numbers.soNosigpipe != 0).isTrue();
        assertThat(numbers.sockNonblock != 0).isEqualTo(os.opensWithFlags());
    }

    /** jnr-constants gives made-up numbers for what a system lacks: none may slip in. */
    @ParameterizedTest
    @EnumSource
    void everyNumberIsDefined(OperatingSystem os) throws IllegalAccessException {
        Numbers numbers = new Numbers(os, "aarch64");
        for (Field field : Numbers.class.getDeclaredFields()) {
            if (field.getType() == int.class && !Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                assertThat(field.getInt(numbers)).as(field.getName()).isBetween(0, 0x2000_0000);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LINUX, 104, ECONNRESET", "LINUX, 11, EAGAIN", "DARWIN, 54, ECONNRESET", "DARWIN, 35, EAGAIN",
        "FREEBSD, 48, EADDRINUSE", "NETBSD, 61, ECONNREFUSED", "OPENBSD, 24, EMFILE", "DRAGONFLY, 32, EPIPE"
    })
    void errorNumbersHaveTheirNames(OperatingSystem os, int errno, String name) {
        Numbers numbers = new Numbers(os, "amd64");
        // EWOULDBLOCK is another name of EAGAIN.
        assertThat(numbers.errnoName(errno)).isIn(name, name.equals("EAGAIN") ? "EWOULDBLOCK" : name);
        assertThat(numbers.errnoWords(errno)).endsWith(")");
        assertThat(numbers.errnoName(0)).isNull();
        assertThat(numbers.errnoName(-1)).isNull();
        assertThat(numbers.errnoWords(9999)).isEqualTo("error 9999");
    }
}

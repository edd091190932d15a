package io.thrust.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeventLayoutTest {

    /** The numbers of the systems' own sys/event.h, written down once more. */
    @ParameterizedTest
    @CsvSource({
        "darwin,    32, 2, 8, 10, 12, 16, 24, -1, -2, -10, kevent",
        "openbsd,   32, 2, 8, 10, 12, 16, 24, -1, -2, -10, kevent",
        "dragonfly, 32, 2, 8, 10, 12, 16, 24, -1, -2,  -9, kevent",
        "freebsd11, 32, 2, 8, 10, 12, 16, 24, -1, -2, -11, kevent",
        "freebsd12, 64, 2, 8, 10, 12, 16, 24, -1, -2, -11, kevent",
        "netbsd40,  40, 4, 8, 12, 16, 24, 32,  0,  1,   8, __kevent50",
        "netbsd72,  72, 4, 8, 12, 16, 24, 32,  0,  1,   8, __kevent100",
    })
    void sizeOffsetsAndFilters(
            String name,
            int size,
            int width,
            int filter,
            int flags,
            int fflags,
            int data,
            int udata,
            int read,
            int write,
            int user,
            String function) {
        KeventLayout layout = KeventLayout.named(name);
        assertThat(layout.size).isEqualTo(size);
        assertThat(layout.evfiltRead).isEqualTo(read);
        assertThat(layout.evfiltWrite).isEqualTo(write);
        assertThat(layout.evfiltUser).isEqualTo(user);
        assertThat(layout.function).isEqualTo(function);

        // Two entries in one array, seen as bytes.
        KeventList list = new KeventList(layout, 2);
        try {
            list.set(0, -1, -1, 0xffff, -1, -1);
            list.set(1, 0x1112131415161718L, read, 0x4021, 0x01020304, 0x2122232425262728L);
            ByteBuffer bytes = MemoryIO.getInstance()
                    .newDirectByteBuffer(list.address(), 2 * size)
                    .order(ByteOrder.nativeOrder());
            assertThat(bytes.getLong(size)).isEqualTo(0x1112131415161718L);
            assertThat(width == 4 ? bytes.getInt(size + filter) : bytes.getShort(size + filter))
                    .isEqualTo(read);
            assertThat(width == 4 ? bytes.getInt(size + flags) : bytes.getShort(size + flags))
                    .isEqualTo(0x4021);
            assertThat(bytes.getInt(size + fflags)).isEqualTo(0x01020304);
            assertThat(bytes.getLong(size + data)).isZero();
            assertThat(bytes.getLong(size + udata)).isEqualTo(0x2122232425262728L);

            bytes.putLong(size + data, 77).putLong(data, 66);
            assertThat(list.data(1)).isEqualTo(77);
            assertThat(list.data(0)).isEqualTo(66);
        } finally {
            list.free();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoEntriesOfOneArrayDoNotDisturbEachOther(KeventLayout layout) {
        KeventList list = new KeventList(layout, 3);
        try {
            for (int i = 0; i < 3; i++) {
                list.set(i, 100 + i, i == 1 ? layout.evfiltWrite : layout.evfiltRead, 0x8001 + i, i, -i);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(list.ident(i)).isEqualTo(100 + i);
                assertThat(list.filter(i)).isEqualTo(i == 1 ? layout.evfiltWrite : layout.evfiltRead);
                assertThat(list.flags(i)).isEqualTo(0x8001 + i);
                assertThat(list.fflags(i)).isEqualTo(i);
                assertThat(list.udata(i)).isEqualTo(-i);
            }
        } finally {
            list.free();
        }
    }

    @Test
    void eachSystemHasItsLayout() {
        Map<String, KeventLayout> expected = Map.of(
                "Mac OS X/14.5", KeventLayout.DARWIN,
                "Darwin/23.1.0", KeventLayout.DARWIN,
                "FreeBSD/11.4-RELEASE", KeventLayout.FREEBSD_11,
                "FreeBSD/14.1-RELEASE-p2", KeventLayout.FREEBSD_12,
                "NetBSD/10.0", KeventLayout.NETBSD_10,
                "NetBSD/9.3_STABLE", KeventLayout.NETBSD_10,
                "NetBSD/11.0", KeventLayout.NETBSD_11,
                "OpenBSD/7.6", KeventLayout.OPENBSD,
                "DragonFlyBSD/6.4-RELEASE", KeventLayout.DRAGONFLY,
                "Linux/6.8.0", KeventLayout.FREEBSD_11);
        expected.forEach((system, layout) -> {
            String[] nameAndVersion = system.split("/", 2);
            OperatingSystem os = OperatingSystem.of(nameAndVersion[0]);
            assertThat(os).as(system).isNotNull();
            assertThat(KeventLayout.of(os, nameAndVersion[1])).as(system).isEqualTo(layout);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Windows 11", "SunOS", "AIX", "", "Plan 9"})
    void anUnknownSystemHasNone(String osName) {
        assertThat(OperatingSystem.of(osName)).isNull();
    }

    @Test
    void whatCannotBeChosenIsRefusedWithTheChoice() {
        assertThatThrownBy(() -> KeventLayout.named("freebsd13"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the layout is \"freebsd13\", but must be one of [darwin, openbsd, dragonfly, freebsd11,"
                        + " freebsd12, netbsd40, netbsd72]");
        assertThatThrownBy(() -> KeventLayout.of(OperatingSystem.FREEBSD, "CURRENT"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"CURRENT\"")
                .hasMessageContaining("-Dthrust.kqueue.layout=NAME");
    }

    @ParameterizedTest
    @CsvSource({
        "amd64, true",
        "x86_64, true",
        "aarch64, true",
        "riscv64, true",
        "s390x, true",
        "x86, false",
        "arm, false"
    })
    void only64BitMachinesSuit(String arch, boolean suits) {
        assertThat(KeventLayout.suits(arch)).isEqualTo(suits);
    }
}

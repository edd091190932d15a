package io.thrust.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and prefixes of IPv4. */
class PrefixTest {
    static int address(String text) {
        byte[] bytes = Characters.ascii("<" + text + ">");
        return (int) Prefix.parseAddress(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "127.0.0.1", "128.0.0.0", "255.255.255.255", "9.99.100.255"})
    void anAddressIsFormattedAsItWasParsed(String text) {
        byte[] bytes = Characters.ascii(text);
        long parsed = Prefix.parseAddress(bytes, 0, bytes.length);
        assertThat(parsed).isNotNegative();
        assertThat(Prefix.format((int) parsed)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "1",
                "1.2.3",
                "1.2.3.",
                "1.2.3.4.",
                "1.2.3.4.5",
                ".1.2.3",
                "1..2.3",
                "256.0.0.0",
                "1.2.3.256",
                "1.2.3.04",
                "1.2.3.00",
                "1.2.3.1000",
                "1.2.3.4 ",
                "1.2.3.4/8",
                "a.b.c.d",
                "-1.2.3.4",
                "1,2,3,4",
                "::1"
            })
    void whatIsNoAddressIsNone(String text) {
        byte[] bytes = Characters.ascii(text);
        assertThat(Prefix.parseAddress(bytes, 0, bytes.length)).isEqualTo(Prefix.NO_ADDRESS);
    }

    @Test
    void addressesOfOnePrefixHaveItsKeyAndOthersHaveNot() {
        Prefix prefix = new Prefix(address("10.1.0.0"), 16);
        assertThat(Prefix.key(address("10.1.255.7"), 16)).isEqualTo(prefix.key());
        assertThat(Prefix.key(address("10.2.255.7"), 16)).isNotEqualTo(prefix.key());
        assertThat(Prefix.key(address("10.1.0.0"), 17)).isNotEqualTo(prefix.key());
        assertThat(new Prefix(0, 0).key()).isEqualTo(Prefix.key(address("200.1.2.3"), 0));
        assertThat(new Prefix(-1, 32)).hasToString("255.255.255.255/32");
    }

    @Test
    void bitsAfterThePrefixAreRefused() {
        assertThatThrownBy(() -> new Prefix(address("10.1.0.1"), 16))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10.1.0.1/16");
        assertThatThrownBy(() -> new Prefix(0, 33)).hasMessageContaining("33").hasMessageContaining("0 to 32");
    }
}

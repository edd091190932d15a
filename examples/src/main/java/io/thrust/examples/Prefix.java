package io.thrust.examples;

/**
 * The IPv4 addresses that agree in their first bits.
 *
 * @param network the address whose other bits are 0
 * @param length the number of bits, from 0 to 32
 */
record Prefix(int network, int length) {
    static final int MOST_LENGTH = 32;

    /** Returned by {@link #parseAddress}: it is none. */
    static final long NO_ADDRESS = -1;

    private static final int MOST_DIGITS = 3;
    private static final int MOST_BYTE = 255;

    Prefix {
        if (length < 0 || length > MOST_LENGTH) {
            throw new IllegalArgumentException("the length of a prefix is " + length + ", but must be from 0 to 32");
        }
        if ((network & ~mask(length)) != 0) {
            throw new IllegalArgumentException(
                    format(network) + "/" + length + " is no prefix: bits after the first " + length + " are set");
        }
    }

    /** The prefix of this length that the address begins with, as one number, so that looking it up makes no object. */
    static long key(int address, int length) {
        return (long) (address & mask(length)) << Byte.SIZE | length;
    }

    long key() {
        return key(network, length);
    }

    private static int mask(int length) {
        return length == 0 ? 0 : -1 << MOST_LENGTH - length;
    }

    /** The address in decimal notation that lies there, as a number that is not negative, or {@link #NO_ADDRESS}. */
    static long parseAddress(byte[] text, int from, int to) {
        long address = 0;
        int i = from;
        for (int part = 0; part < Integer.BYTES; part++) {
            if (part > 0 && (i == to || text[i++] != '.')) {
                return NO_ADDRESS;
            }
            int start = i;
            int value = 0;
            while (i < to && i - start < MOST_DIGITS && text[i] >= '0' && text[i] <= '9') {
                value = 10 * value + text[i++] - '0';
            }
            // A zero in front means octal to some.
            if (i == start || value > MOST_BYTE || text[start] == '0' && i - start > 1) {
                return NO_ADDRESS;
            }
            address = address << Byte.SIZE | value;
        }
        return i == to ? address : NO_ADDRESS;
    }

    static String format(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    @Override
    public String toString() {
        return format(network) + "/" + length;
    }
}

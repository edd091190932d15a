package io.thrust.poll;

import org.jspecify.annotations.Nullable;

/** Finds the name that was probably meant. */
final class Spelling {
    private Spelling() {}

    /** The candidate nearest to the word, the first among equals, or null if none is near. */
    static @Nullable String nearest(String word, Iterable<String> candidates) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            // One slip in a short name, two in a longer one; else "foo" would be taken for "nio".
            int near = Math.max(1, Math.min(2, candidate.length() / 3));
            if (distance <= near && distance < least) {
                nearest = candidate;
                least = distance;
            }
        }
        return nearest;
    }

    /** Letters to insert, delete, replace or swap with a neighbour. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                d[i][j] = Math.min(d[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}

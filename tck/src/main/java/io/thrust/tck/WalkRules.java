package io.thrust.tck;

import java.util.SplittableRandom;

/** Chapter 10: all of it together, in random order, against a model. */
interface WalkRules extends Chapter {

    @Rule("10.1")
    default void randomWalksAgreeWithTheModel() throws Exception {
        Environment environment = fixture().environment();
        SplittableRandom seeds = new SplittableRandom(environment.seed());
        for (int i = 0; i < environment.walks(); i++) {
            // The first walk uses the seed itself, so that a printed one replays at once.
            long seed = i == 0 ? environment.seed() : seeds.nextLong() & 0xFFFF_FFFFL;
            new Walk(fixture(), seed).run(environment.walkSteps());
        }
    }
}

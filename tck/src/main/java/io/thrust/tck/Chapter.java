package io.thrust.tck;

/** What the chapters of the kit have in common. */
interface Chapter {
    /** What the present rule works with. */
    Fixture fixture();
}

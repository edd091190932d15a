package io.thrust.sync;

import org.jspecify.annotations.Nullable;

/** Belongs to the thread that uses it first. */
abstract class Confined {
    private @Nullable Thread owner;

    final void ensureOwner() {
        Thread current = Thread.currentThread();
        if (owner != current) {
            claim(current);
        }
    }

    private void claim(Thread current) {
        Thread owner = this.owner;
        if (owner != null) {
            throw new IllegalStateException("it belongs to thread \"" + owner.getName() + "\" and was used by thread \""
                    + current.getName() + "\"; send from another thread through a Mailbox, or submit to the loop");
        }
        this.owner = current;
    }
}

package io.thrust.tck.memory;

import java.util.List;

/** What a broken poller does wrong, one fault each, and the rules that it must be seen to break. */
public enum Fault {
    SECOND_REGISTER_OVERWRITES(
            "a second register changes the first registration, as kqueue's EV_ADD does", "1.3", "1.14"),
    REFUSED_REGISTER_TAKES_THE_KEY("a second register is refused, but its key is taken", "1.3", "1.14"),
    MODIFY_REGISTERS("modify of an unregistered source adds it", "1.4", "1.5"),
    SECOND_DEREGISTER_PASSES("deregister of an unregistered source passes in silence", "1.4", "1.5", "1.17"),
    DEREGISTER_FAILS_AFTER_A_HANGUP("deregister passes the kernel's \"no such entry\" on", "6.8", "1.26"),
    OLD_KEY_ON_READING("the old key on one direction only", "1.8", "2.24"),
    MODIFY_ADDS_TO_THE_INTEREST("modify leaves the older filter in place", "1.9", "1.23"),
    MODIFY_WITH_EQUAL_VALUES_IS_SKIPPED("modify that changes nothing does not look at the readiness", "2.24", "2.3"),
    REFUSED_MODIFY_TAKES_THE_KEY("modify writes the key before it checks the rest", "1.21"),
    NONE_REPORTS_HANGUPS("an empty interest reports hang-ups, as epoll does", "1.11", "2.9"),
    DEREGISTER_LEAVES_WRITING("deregister removes one of two filters", "1.12", "1.5"),
    DEREGISTER_DOES_NOT_BLANK("a stale event after deregister in the same batch", "6.3", "6.9"),
    MODIFY_DOES_NOT_BLANK("a stale event after modify in the same batch", "6.3"),
    CLOSE_DOES_NOT_BLANK("a stale event after close in the same batch", "6.2", "6.3"),
    CLOSE_KEEPS_REGISTRATION("close forgets to deregister", "6.1", "6.12", "6.6"),
    CLOSE_WAITS_FOR_POLL(
            "a source closed while registered is released by the next poll, as NIO's are", "5.11", "6.7", "9.10"),
    KEYS_HAVE_32_BITS("keys are cut to an int", "1.15"),
    ONE_KEY_IS_RESERVED("one key belongs to the wake-up", "1.15", "6.13"),
    KEYS_ARE_THE_IDENTITY("a second registration with the same key replaces the first", "1.7", "1.15"),
    FOREIGN_SOURCES_ARE_CAST("a foreign source is a ClassCastException", "1.16"),
    CLOSED_SOURCES_REGISTER("a closed source is accepted", "1.17"),
    CLOSED_POLLER_THROWS_ANYTHING("a closed poller throws what happens to go wrong", "1.18", "7.6"),
    CLOSE_CLOSES_THE_SOURCES("closing the poller closes its sources", "1.19", "7.4"),
    CLOSE_LEAVES_SOURCES_REGISTERED("closing the poller leaves its sources registered", "1.19", "7.10"),
    TWO_POLLERS_MAY_WATCH("a second poller is accepted", "1.14"),
    LISTENERS_ARE_WRITABLE("a listener takes and reports WRITE", "1.20"),
    PRESENT_READINESS_IS_NO_EDGE("data before the registration is no edge", "1.2", "2.8", "6.5"),
    FLUSH_SWALLOWS_EDGES("a flush in deregister swallows the edges of others", "6.10", "1.7"),
    SPINS_AT_THE_END("the end of the stream is reported for ever", "2.9", "3.11", "9.13"),
    EDGE_REPEATS("edge mode is level mode", "2.20", "2.13", "9.13"),
    LEVEL_IS_REPORTED_ONCE("level mode reports once", "2.2", "2.17"),
    ONE_SHOT_STAYS_ARMED("one-shot is not disarmed", "2.3", "2.4"),
    ONE_SHOT_DISARMS_ONE_DIRECTION("one-shot forgets to disarm the other direction", "2.4"),
    ONE_SHOT_UNREGISTERS("one-shot forgets the registration when it fires", "2.5", "2.3"),
    ARMING_AGAIN_IGNORES_WHAT_WAITS("arming one-shot again does not report what waits", "2.3", "2.6"),
    MODE_OF_THE_FIRST_REGISTRATION_STAYS("modify does not change the mode, as with a sticky EV_CLEAR", "1.22", "2.6"),
    UNDECLARED_MODE_FALLS_BACK("a mode that is not declared becomes level mode in silence", "2.7", "1.21"),
    HANGUP_WITHOUT_DATA_DROPPED("HUP without IN is ignored", "2.8", "2.9", "2.18", "9.8"),
    HANGUP_IS_NOT_TOLD("hang-ups are not told, so that data and the end in one edge end in silence", "2.28"),
    RESET_HIDDEN_FROM_WRITERS("a reset wakes readers only", "2.30"),
    BROKEN_PIPE_NOT_REPORTED("a pipe without reader never becomes writable", "2.11"),
    DROPS_EVENTS_ABOVE_512("events above the 512th are dropped", "2.14"),
    FULL_BATCH_LOSES_EDGES("events that do not fit into the batch are lost", "2.13", "2.17", "4.11", "9.9"),
    BATCH_IS_NOT_CLEARED("poll appends to the former batch", "2.16"),
    ONE_ENTRY_PER_DIRECTION("two entries for the two directions of one source", "1.10", "2.24"),
    READING_IS_REPORTED_AS_WRITING_TOO("the filters' numbers are taken for bit masks", "2.1", "1.1", "1.9"),
    REPORT_OF_READING_DISARMS_WRITING("reading consumes the readiness of writing", "2.27"),
    REARM_REPLACES_THE_MASK("rearm of one direction masks the other", "2.27"),
    REARM_CLEARS_WHAT_CAME("rearm clears an edge that came before it", "2.23"),
    REARM_LASTS_FOR_ONE_POLL(
            "what rearm says is forgotten by the next poll, whether it brings an event or not", "9.11"),
    REARM_IS_NOT_CHECKED("rearm takes anything", "1.22"),
    LISTENERS_ARE_NOT_REARMED("rearm does nothing for listeners", "2.12", "2.31", "5.13", "9.9"),
    SCAN_STARTS_AT_THE_FRONT("each scan starts at the front and starves the rest", "2.13", "2.17"),
    WRITABLE_WHEN_FULL("a full buffer is writable", "2.1", "2.4", "2.10"),
    LOSES_AN_EDGE_IN_A_HUNDRED("one edge in a hundred is lost", "2.32"),
    PIPES_CLAIM_SHORT_READS("a pipe claims that short reads drain it", "5.32"),
    TIMEOUT_IS_CUT_TO_MILLIS("timeouts are cut down to milliseconds", "3.6"),
    SHORT_TIMEOUT_WAITS_FOREVER("a timeout below a millisecond is cut to a zero that means for ever", "3.6", "9.6"),
    ZERO_TIMEOUT_DOES_NOT_FETCH("a timeout of zero is answered without a look at the kernel", "3.2", "9.7"),
    TIMEOUT_OVERFLOWS_AN_INT("timeouts overflow an int of milliseconds", "3.5"),
    ANY_NEGATIVE_WAITS_FOREVER("any negative timeout waits for ever", "3.3"),
    INTERRUPT_ENDS_A_POLL("an interrupt ends a poll", "3.9", "3.10"),
    INTERRUPT_IS_SWALLOWED("the interrupt status is lost", "3.9"),
    INTERRUPT_STARTS_THE_TIMEOUT_ANEW("an interrupted wait starts with the full timeout again", "3.10"),
    INTERRUPTED_POLL_SPINS("a poll of an interrupted thread spins inside", "3.11"),
    CHANGES_END_THE_NEXT_POLL("deregister leaves a signal that ends the next poll", "3.8", "1.12"),
    LOSES_A_WAKEUP_IN_A_HUNDRED("one wake-up in a hundred is lost", "4.7", "9.5"),
    WAKEUP_WITHOUT_A_POLL_IS_LOST("a wake-up while nobody polls is lost", "4.1", "4.4"),
    WAKEUP_DURING_A_POLL_IS_LATE("a wake-up during a poll is seen by the next one", "4.2", "3.4", "9.5", "9.12"),
    WAKEUP_IS_CLEARED_AT_THE_NEXT_POLL(
            "a wake-up's flag is cleared too late, and the next wake-up with it", "4.4", "4.5"),
    WAKEUP_ENDS_TWO_POLLS("a wake-up ends two polls", "4.1", "3.8"),
    WAKEUPS_ARE_COUNTED("three wake-ups end three polls", "4.3", "4.9"),
    WAKEUP_IS_AN_EVENT("a wake-up is an event of key 0", "4.5", "4.1"),
    WAKEUP_DROPS_WHAT_WAS_FETCHED("a poll that is woken drops what it fetched", "4.6", "4.11"),
    WAKEUP_AFTER_CLOSE_THROWS("a wake-up of a closed poller throws", "1.18", "4.8", "7.7"),
    WAKEUP_WAKES_EVERY_POLLER("a wake-up wakes every poller of the process", "4.10"),
    PENDING_CONNECT_IS_DONE("a pending connect counts as done", "5.5"),
    REFUSED_CONNECT_SUCCEEDS("writable is taken for connected", "5.2", "5.7", "9.10"),
    REFUSAL_LOOKS_CLOSED("a refusal comes out as ClosedChannelException", "5.2", "5.7"),
    REFUSAL_IS_TOLD_ONCE("the error of a refused connect is told once", "5.2"),
    REFUSAL_IS_REPORTED_AS_READING("a refusal is reported to readers only", "5.2", "9.10"),
    HALF_CLOSE_ENDS_WRITING("after the peer's half-close room is not reported any more", "9.8"),
    THE_END_DISCARDS_DATA("a hang-up discards the last packets", "2.18", "2.28"),
    RESET_IS_READ_AS_THE_END("a reset is read as the end of the stream", "5.21", "2.10"),
    WRITES_AFTER_SHUTDOWN_VANISH("writes after shutdownOutput vanish", "5.23"),
    ZERO_READ_IS_THE_END("a read of nothing is the end of the stream", "5.24"),
    WOULD_BLOCK_MOVES_POSITION("a read that would block moves the position", "5.25"),
    GATHERING_SKIPS_BUFFERS("a gathering write skips what is beyond the kernel's limit", "5.26"),
    ACCEPT_FAILS_ON_GONE_CLIENTS("accept fails for a client that is gone", "5.13"),
    OPTIONS_ARE_DROPPED("options are accepted and dropped", "5.29"),
    OWNER_IS_NOT_CHECKED("any thread may call anything", "7.1", "7.2", "7.3"),
    THE_OPENER_OWNS("the thread that opened the poller owns it", "7.3", "7.4"),
    STRANGERS_MAY_CLOSE("another thread may close a registered source", "7.2"),
    CLOSE_DOES_NOT_WAKE("close does not end a poll under way", "7.4"),
    SECOND_CLOSE_THROWS("a second close throws", "7.5", "1.18"),
    MODES_CAN_BE_CHANGED("the caller can change the set of modes", "8.4"),
    AVAILABILITY_CHANGES("the availability changes", "8.5"),
    NAME_IS_ILL_FORMED("the name has capitals and a blank", "8.1", "8.2");

    private final String description;
    private final List<String> rules;

    Fault(String description, String... rules) {
        this.description = description;
        this.rules = List.of(rules);
    }

    /** The way to keep edge mode in which this fault shows. */
    public Style style() {
        return switch (this) {
            case REARM_REPLACES_THE_MASK,
                    REARM_LASTS_FOR_ONE_POLL,
                    LISTENERS_ARE_NOT_REARMED,
                    REPORT_OF_READING_DISARMS_WRITING -> Style.MASK;
            default -> Style.ARRIVAL;
        };
    }

    /** What is wrong. */
    public String description() {
        return description;
    }

    /** The rules that fail, each of them every time. */
    public List<String> rules() {
        return rules;
    }
}

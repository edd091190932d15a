package io.thrust.tck.memory;

import java.util.List;

/** What a broken poller does wrong, one fault each, and the rules that it must be seen to break. */
public enum Fault {
    SECOND_REGISTER_OVERWRITES("a second register changes the first registration, as kqueue's EV_ADD does"),
    REFUSED_REGISTER_TAKES_THE_KEY("a second register is refused, but its key is taken"),
    MODIFY_REGISTERS("modify of an unregistered source adds it"),
    SECOND_DEREGISTER_PASSES("deregister of an unregistered source passes in silence"),
    DEREGISTER_FAILS_AFTER_A_HANGUP("deregister passes the kernel's \"no such entry\" on"),
    OLD_KEY_ON_READING("the old key on one direction only"),
    MODIFY_ADDS_TO_THE_INTEREST("modify leaves the older filter in place"),
    MODIFY_WITH_EQUAL_VALUES_IS_SKIPPED("modify that changes nothing does not look at the readiness"),
    REFUSED_MODIFY_TAKES_THE_KEY("modify writes the key before it checks the rest"),
    NONE_REPORTS_HANGUPS("an empty interest reports hang-ups, as epoll does"),
    DEREGISTER_LEAVES_WRITING("deregister removes one of two filters"),
    DEREGISTER_DOES_NOT_BLANK("a stale event after deregister in the same batch"),
    MODIFY_DOES_NOT_BLANK("a stale event after modify in the same batch"),
    CLOSE_DOES_NOT_BLANK("a stale event after close in the same batch"),
    CLOSE_KEEPS_REGISTRATION("close forgets to deregister"),
    CLOSE_WAITS_FOR_POLL("a source closed while registered is released by the next poll, as NIO's are"),
    KEYS_HAVE_32_BITS("keys are cut to an int"),
    ONE_KEY_IS_RESERVED("one key belongs to the wake-up"),
    KEYS_ARE_THE_IDENTITY("a second registration with the same key replaces the first"),
    FOREIGN_SOURCES_ARE_CAST("a foreign source is a ClassCastException"),
    CLOSED_SOURCES_REGISTER("a closed source is accepted"),
    CLOSED_POLLER_THROWS_ANYTHING("a closed poller throws what happens to go wrong"),
    CLOSE_CLOSES_THE_SOURCES("closing the poller closes its sources"),
    CLOSE_LEAVES_SOURCES_REGISTERED("closing the poller leaves its sources registered"),
    TWO_POLLERS_MAY_WATCH("a second poller is accepted"),
    LISTENERS_ARE_WRITABLE("a listener takes and reports WRITE"),
    PRESENT_READINESS_IS_NO_EDGE("data before the registration is no edge"),
    FLUSH_SWALLOWS_EDGES("a flush in deregister swallows the edges of others"),
    SPINS_AT_THE_END("the end of the stream is reported for ever"),
    EDGE_REPEATS("edge mode is level mode"),
    LEVEL_IS_REPORTED_ONCE("level mode reports once"),
    ONE_SHOT_STAYS_ARMED("one-shot is not disarmed"),
    ONE_SHOT_DISARMS_ONE_DIRECTION("one-shot forgets to disarm the other direction"),
    ONE_SHOT_UNREGISTERS("one-shot forgets the registration when it fires"),
    ARMING_AGAIN_IGNORES_WHAT_WAITS("arming one-shot again does not report what waits"),
    MODE_OF_THE_FIRST_REGISTRATION_STAYS("modify does not change the mode, as with a sticky EV_CLEAR"),
    UNDECLARED_MODE_FALLS_BACK("a mode that is not declared becomes level mode in silence"),
    HANGUP_WITHOUT_DATA_DROPPED("HUP without IN is ignored"),
    HANGUP_IS_NOT_TOLD("hang-ups are not told, so that data and the end in one edge end in silence"),
    RESET_HIDDEN_FROM_WRITERS("a reset wakes readers only"),
    BROKEN_PIPE_NOT_REPORTED("a pipe without reader never becomes writable"),
    DROPS_EVENTS_ABOVE_512("events above the 512th are dropped"),
    FULL_BATCH_LOSES_EDGES("events that do not fit into the batch are lost"),
    BATCH_IS_NOT_CLEARED("poll appends to the former batch"),
    ONE_ENTRY_PER_DIRECTION("two entries for the two directions of one source"),
    READING_IS_REPORTED_AS_WRITING_TOO("the filters' numbers are taken for bit masks"),
    REPORT_OF_READING_DISARMS_WRITING("reading consumes the readiness of writing"),
    REARM_REPLACES_THE_MASK("rearm of one direction masks the other"),
    REARM_CLEARS_WHAT_CAME("rearm clears an edge that came before it"),
    REARM_IS_NOT_CHECKED("rearm takes anything"),
    LISTENERS_ARE_NOT_REARMED("rearm does nothing for listeners"),
    SCAN_STARTS_AT_THE_FRONT("each scan starts at the front and starves the rest"),
    WRITABLE_WHEN_FULL("a full buffer is writable"),
    LOSES_AN_EDGE_IN_A_THOUSAND("one edge in a thousand is lost"),
    PIPES_CLAIM_SHORT_READS("a pipe claims that short reads drain it"),
    TIMEOUT_IS_CUT_TO_MILLIS("timeouts are cut down to milliseconds"),
    TIMEOUT_OVERFLOWS_AN_INT("timeouts overflow an int of milliseconds"),
    ANY_NEGATIVE_WAITS_FOREVER("any negative timeout waits for ever"),
    INTERRUPT_ENDS_A_POLL("an interrupt ends a poll"),
    INTERRUPT_IS_SWALLOWED("the interrupt status is lost"),
    INTERRUPT_STARTS_THE_TIMEOUT_ANEW("an interrupted wait starts with the full timeout again"),
    INTERRUPTED_POLL_SPINS("a poll of an interrupted thread spins inside"),
    CHANGES_END_THE_NEXT_POLL("deregister leaves a signal that ends the next poll"),
    LOSES_A_WAKEUP_IN_A_HUNDRED("one wake-up in a hundred is lost"),
    WAKEUP_WITHOUT_A_POLL_IS_LOST("a wake-up while nobody polls is lost"),
    WAKEUP_DURING_A_POLL_IS_LATE("a wake-up during a poll is seen by the next one"),
    WAKEUP_IS_CLEARED_AT_THE_NEXT_POLL("a wake-up's flag is cleared too late, and the next wake-up with it"),
    WAKEUP_ENDS_TWO_POLLS("a wake-up ends two polls"),
    WAKEUPS_ARE_COUNTED("three wake-ups end three polls"),
    WAKEUP_IS_AN_EVENT("a wake-up is an event of key 0"),
    WAKEUP_DROPS_WHAT_WAS_FETCHED("a poll that is woken drops what it fetched"),
    WAKEUP_AFTER_CLOSE_THROWS("a wake-up of a closed poller throws"),
    WAKEUP_WAKES_EVERY_POLLER("a wake-up wakes every poller of the process"),
    PENDING_CONNECT_IS_DONE("a pending connect counts as done"),
    REFUSED_CONNECT_SUCCEEDS("writable is taken for connected"),
    REFUSAL_LOOKS_CLOSED("a refusal comes out as ClosedChannelException"),
    REFUSAL_IS_TOLD_ONCE("the error of a refused connect is told once"),
    THE_END_DISCARDS_DATA("a hang-up discards the last packets"),
    RESET_IS_READ_AS_THE_END("a reset is read as the end of the stream"),
    WRITES_AFTER_SHUTDOWN_VANISH("writes after shutdownOutput vanish"),
    ZERO_READ_IS_THE_END("a read of nothing is the end of the stream"),
    WOULD_BLOCK_MOVES_POSITION("a read that would block moves the position"),
    GATHERING_SKIPS_BUFFERS("a gathering write skips what is beyond the kernel's limit"),
    ACCEPT_FAILS_ON_GONE_CLIENTS("accept fails for a client that is gone"),
    OPTIONS_ARE_DROPPED("options are accepted and dropped"),
    OWNER_IS_NOT_CHECKED("any thread may call anything"),
    THE_OPENER_OWNS("the thread that opened the poller owns it"),
    STRANGERS_MAY_CLOSE("another thread may close a registered source"),
    CLOSE_DOES_NOT_WAKE("close does not end a poll under way"),
    SECOND_CLOSE_THROWS("a second close throws"),
    MODES_CAN_BE_CHANGED("the caller can change the set of modes"),
    AVAILABILITY_CHANGES("the availability changes"),
    NAME_IS_ILL_FORMED("the name has capitals and a blank");

    private final String description;
    private final List<String> rules;

    Fault(String description, String... rules) {
        this.description = description;
        this.rules = List.of(rules);
    }

    /** The way to keep edge mode in which this fault shows. */
    public Style style() {
        return switch (this) {
            case REARM_REPLACES_THE_MASK, LISTENERS_ARE_NOT_REARMED -> Style.MASK;
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

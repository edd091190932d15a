package io.thrust.task;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while it is open, which does not reach the console meanwhile. */
public final class Logged implements AutoCloseable {
    private final Logger logger;
    private final Handler handler;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    /** Catches what goes to this logger. */
    public Logged(String name) {
        logger = Logger.getLogger(name);
        handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                records.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    /** The exceptions that were logged, in order. */
    public List<Throwable> thrown() {
        return records.stream().map(LogRecord::getThrown).toList();
    }

    /** What was logged, in order. */
    public List<String> messages() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }
}

-- Dates as SQLite's own functions write them, not as ISO8601DateFormatter does.
UPDATE todo SET added = datetime(added);

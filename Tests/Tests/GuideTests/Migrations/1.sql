CREATE TABLE list (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

CREATE TABLE todo (
  id BLOB PRIMARY KEY NOT NULL,          -- AS UUID
  name TEXT NOT NULL,
  list INTEGER NOT NULL REFERENCES list (id),
  isDone INTEGER NOT NULL DEFAULT 0,     -- AS Bool
  added TEXT NOT NULL,                   -- AS Date
  due INTEGER,                           -- AS Date
  reminded REAL                          -- AS Date USING ColumnFormats.UnixSeconds
);

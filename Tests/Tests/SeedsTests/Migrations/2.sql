-- The seed's second sample reads this table without showing it.
CREATE TABLE expense (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  amount REAL NOT NULL,
  date INTEGER NOT NULL
);

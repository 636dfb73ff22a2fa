-- A tape on the shelf.
CREATE TABLE tape (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  minutes INTEGER NOT NULL
);

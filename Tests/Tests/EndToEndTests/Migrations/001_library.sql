-- The author of books.
CREATE TABLE authors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  born INTEGER
);

/* A book, in one edition. */
CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  author_id INTEGER NOT NULL REFERENCES authors (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  price REAL,
  cover BLOB,
  is_lent BOOLEAN NOT NULL DEFAULT FALSE,
  shelf_mark TEXT GENERATED ALWAYS AS (upper(substr(title, 1, 3)) || '-' || id) VIRTUAL
);

CREATE INDEX books_by_author ON books (author_id);

CREATE TABLE tag (
  name TEXT PRIMARY KEY NOT NULL,
  parent TEXT REFERENCES tag (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE book_tag (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  tag TEXT NOT NULL REFERENCES tag (name),
  PRIMARY KEY (book_id, tag)
);

CREATE VIEW shelf AS
  SELECT authors.name AS author, books.title, books.price
  FROM books JOIN authors ON authors.id = books.author_id;

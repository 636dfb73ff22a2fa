-- Adds an author, or updates the year of an existing author with that name.
DEFINE QUERY saveAuthor AS
INSERT INTO authors (name, born) VALUES (:name, :born)
ON CONFLICT (name) DO UPDATE SET born = excluded.born
RETURNING id;

author: SELECT * FROM authors WHERE id = ?;

-- name: authors :many
SELECT * FROM authors ORDER BY name;

DEFINE QUERY rename_author AS
UPDATE authors SET name = ? WHERE id = ?;

DEFINE QUERY deleteAuthors AS DELETE FROM authors WHERE id IN ?;

DEFINE QUERY countAuthors AS SELECT count(*) FROM authors;

DEFINE QUERY birthYear AS SELECT born FROM authors WHERE id = ?;

-- name: insertAuthor :execlastid
INSERT INTO authors (name) VALUES (?);

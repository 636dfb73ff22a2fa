DEFINE QUERY addBook AS
INSERT INTO books (author_id, title, price, cover) VALUES (:authorID, :title, :price, :cover)
RETURNING *;

DEFINE QUERY books AS SELECT * FROM books ORDER BY id;

DEFINE QUERY lend AS UPDATE books SET is_lent = :isLent WHERE id = :id;

DEFINE QUERY booksByIDs AS
SELECT title FROM books WHERE id IN ? AND price >= ? ORDER BY title;

DEFINE QUERY booksExcept AS
SELECT title FROM books WHERE id NOT IN :ids ORDER BY title;

DEFINE QUERY booksWithAuthor AS
SELECT b.id, a.id, b.title, a.name
FROM books AS b JOIN authors AS a ON a.id = b.author_id
ORDER BY b.id;

DEFINE QUERY authorsWithBooks AS
SELECT a.name, b.title FROM authors AS a LEFT JOIN books AS b ON b.author_id = a.id
ORDER BY a.name, b.title;

DEFINE QUERY page AS SELECT id, title FROM books ORDER BY id LIMIT ? OFFSET ?;

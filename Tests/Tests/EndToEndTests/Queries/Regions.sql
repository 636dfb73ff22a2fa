-- Each query depends only on some rows of books.
DEFINE QUERY regionOfAuthor AS SELECT title FROM books WHERE author_id = ? ORDER BY id;

DEFINE QUERY regionOfPrices AS SELECT id, cover FROM books WHERE price BETWEEN ? AND ? ORDER BY id;

DEFINE QUERY regionOfTitles AS SELECT count(*) FROM books WHERE title > :from AND is_lent = :isLent;

DEFINE QUERY regionOfEither AS
SELECT title FROM books WHERE (author_id = :author OR price IS NULL) AND :day > 1 ORDER BY id;

DEFINE QUERY regionOfSome AS SELECT title FROM books WHERE id IN (?, ?, 3) ORDER BY id;

DEFINE QUERY regionOfList AS SELECT title FROM books WHERE id IN :ids AND is_lent = ? ORDER BY id;

DEFINE QUERY regionOfJoin AS
SELECT b.title, a.name FROM books AS b LEFT JOIN authors AS a ON a.id = b.author_id
WHERE b.price >= ? AND a.name IS NOT 'Ada' ORDER BY b.id;

DEFINE QUERY regionOfOuter AS
SELECT a.name, b.title FROM authors AS a LEFT JOIN books AS b ON b.author_id = a.id
WHERE b.price > ? OR b.id IS NULL ORDER BY a.id, b.id;

DEFINE QUERY regionOfMark AS SELECT title FROM books WHERE shelf_mark < ? ORDER BY id;

DEFINE QUERY regionOfOthers AS
SELECT id FROM books WHERE price <> :price AND cover IS NOT NULL AND title <> 'Emma' ORDER BY id;

DEFINE QUERY regionOfTwice AS
SELECT a.id FROM books AS a WHERE a.author_id = ? AND EXISTS (SELECT 1 FROM books AS b WHERE b.price < a.price)
ORDER BY a.id;

DEFINE QUERY addRandomBook AS INSERT INTO books (author_id, title, price, cover, is_lent) VALUES (?, ?, ?, ?, ?);

DEFINE QUERY setTitle AS UPDATE books SET title = ? WHERE id = ?;

DEFINE QUERY setPrice AS UPDATE books SET price = ? WHERE id = ?;

DEFINE QUERY setAuthor AS UPDATE books SET author_id = ? WHERE id = ?;

DEFINE QUERY setCover AS UPDATE books SET cover = ?, is_lent = NOT is_lent WHERE id = ?;

DEFINE QUERY removeBook AS DELETE FROM books WHERE id = ?;

-- order: :sort = title, price DESC
DEFINE QUERY regionOfFilter AS
SELECT id, title FROM books
WHERE price >= 1
  -- if :author
  AND author_id = :author
  -- if :ids
  AND id IN :ids
  -- if :from
  AND (title > :from OR cover IS NULL)
ORDER BY :sort, id;

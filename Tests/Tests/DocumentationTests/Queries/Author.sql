-- nest: book
DEFINE QUERY authorsWithBooks AS            -- struct AuthorsWithBooksRow { var author: Author; var books: [Book] }
SELECT author.*, book.* FROM author LEFT JOIN book ON book.author = author.id;

-- nest: title, year AS books
DEFINE QUERY authorsWithTitles AS           -- var books: [AuthorsWithTitlesBook]
SELECT author.*, book.title, book.year FROM author LEFT JOIN book ON book.author = author.id;

-- nest: book (chapter) (stars AS ratings)
-- nest: city, street AS addresses
DEFINE QUERY authorTrees AS
SELECT author.*, book.*, chapter.*, review.stars, address.city, address.street
FROM author
LEFT JOIN book ON book.author = author.id
LEFT JOIN chapter ON chapter.book = book.id
LEFT JOIN review ON review.book = book.id
LEFT JOIN address ON address.author = author.id;

-- Adds books, or corrects their titles.
DEFINE QUERY putBooks AS
INSERT INTO book (id, author, title) VALUES :books
ON CONFLICT (id) DO UPDATE SET title = excluded.title, year = :year
RETURNING id;

DEFINE QUERY addBook AS
INSERT INTO book (author, title, year) VALUES (:book.*) RETURNING *;

DEFINE QUERY mergeAuthors AS
BEGIN
  UPDATE book SET author = :into WHERE author = :author;
  DELETE FROM author WHERE id = :author;
  SELECT * FROM book WHERE author = :into;
END;

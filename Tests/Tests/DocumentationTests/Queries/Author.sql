-- nest: book
DEFINE QUERY authorsWithBooks AS            -- struct AuthorsWithBooksRow { var author: Author; var books: [Book] }
SELECT author.*, book.* FROM author LEFT JOIN book ON book.author = author.id;

-- nest: title, year AS books
DEFINE QUERY authorsWithTitles AS           -- var books: [AuthorsWithTitlesBook]
SELECT author.*, book.title, book.year FROM author LEFT JOIN book ON book.author = author.id;

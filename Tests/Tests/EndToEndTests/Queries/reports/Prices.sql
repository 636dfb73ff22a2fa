DEFINE QUERY totalPrice AS SELECT sum(price) FROM books;

DEFINE QUERY pricePerAuthor AS
SELECT author, count(*) AS books, total(price) AS total FROM shelf GROUP BY author ORDER BY author;

DEFINE QUERY rankedPrices AS
SELECT title, price, rank() OVER (ORDER BY price DESC) AS rank FROM books ORDER BY rank, title;

DEFINE QUERY tagsBelow AS
WITH RECURSIVE below (name, depth) AS (
  SELECT name, 0 FROM tag WHERE name = :root
  UNION ALL
  SELECT tag.name, below.depth + 1 FROM tag JOIN below ON tag.parent = below.name
)
SELECT name, depth FROM below ORDER BY depth, name;

DEFINE QUERY addTag AS INSERT INTO tag (name, parent) VALUES (?, ?);

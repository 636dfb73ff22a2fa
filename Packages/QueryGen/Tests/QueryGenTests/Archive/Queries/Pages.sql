addPage:
INSERT INTO page (title, score, written, changed) VALUES (:title, :score, :written, :changed);

pages:
SELECT title, slug(title) AS address, earliest(written, changed) AS first, written
FROM page
ORDER BY title;

pagesAt:
SELECT id FROM page WHERE slug(title, ?) = :address AND written >= earliest(:day);

matching:
SELECT title FROM page WHERE title REGEXP :pattern ORDER BY id;

-- function: in_order(first ANY, second ANY) -> BOOLEAN innocuous
inOrder:
SELECT in_order(:first, :second);

medianScore:
SELECT median(score) FROM page;

longestTitle:
SELECT longest(title) FROM page;

longestTitles:
SELECT id, longest(title) OVER (ORDER BY id ROWS 1 PRECEDING) AS title FROM page;

range:
SELECT value FROM numbers(:start, :stop);

-- Ends here: */ and """ and \( and `.
DEFINE QUERY "default" AS
SELECT "default", "two words", "class", "self", "init", 'it''s \n """ #' AS "text"
FROM "order" WHERE "two words" = :in;

DEFINE QUERY addOrder AS
INSERT INTO "order" ("default", "two words", "class", "self", "init")
VALUES (:default, :connection, :in, :self, :execute);

DEFINE QUERY data AS SELECT value FROM data ORDER BY id;

DEFINE QUERY addData AS INSERT INTO data (value) VALUES (?);

DEFINE QUERY choose AS INSERT INTO choice ("row") VALUES (?);

DEFINE QUERY choices AS SELECT "row" FROM choice ORDER BY id;

-- nest: self AS class
DEFINE QUERY nestedNames AS
SELECT "in".*, "self".*, 1 AS "row", 2 AS "element"
FROM "order" AS "in" LEFT JOIN choice AS "self" ON 1;

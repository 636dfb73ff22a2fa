DEFINE QUERY "größtes"  AS SELECT * FROM "odd ""table";

addOdd:
INSERT INTO "odd ""table" ("select", "größe", "a b", "$x", "Type", "init", "日本")
VALUES (:select, :größe, :self, :x, :Type, :init, :日本);

duplicates: SELECT 1 AS a, 2 AS a, 3 AS "A", 4, 5, NULL AS n, 'x'::char(3) AS "in";

keywords: SELECT "select" AS "case", "a b" AS "func" FROM "odd ""table" WHERE "日本" = :in AND "a b" > :class;

database: SELECT 1 AS one;

extension Probes {
  /// Selects: functions, windows, row values, aliases, one per line.
  static let expressions = lines(
    #"""
    SELECT group_concat(DISTINCT a), group_concat(a, b), group_concat(DISTINCT a, b) FROM t1
    SELECT count(a, b) FROM t1
    SELECT count(*, a) FROM t1
    SELECT min(*) FROM t1
    SELECT max() FROM t1
    SELECT sum() FROM t1
    SELECT nosuch(a) FROM t1
    SELECT a.b.c.d FROM t1
    SELECT nope.a FROM t1
    SELECT * FROM t1 WHERE rowid IN (SELECT rowid FROM t2) INDEXED BY i1
    SELECT * FROM t1 INDEXED BY i1 WHERE b = 1
    SELECT * FROM t1 INDEXED BY nope
    SELECT * FROM t1 NOT INDEXED
    SELECT * FROM t1 AS x INDEXED BY i1 WHERE x.b = 1
    SELECT ?1, ?, ?5, :a, @a, $a, $a::b(c), ?2
    SELECT ?0
    SELECT ?250001
    SELECT :
    SELECT @
    SELECT #1
    SELECT 1 -- comment
    SELECT 1 /* unterminated
    SELECT /* a */ 1 /**/ + /* b */ 2
    SELECT 'unterminated
    SELECT "unterminated
    SELECT 1;;
    SELECT
    FROM t1
    SELECT * t1
    SELECT FROM t1
    SELECT a FROM
    SELECT a, FROM t1
    SELECT a b c FROM t1
    SELECT a FROM t1 WHERE
    SELECT abort, action, after, key, temp, like, match FROM t1
    SELECT current_time, current_date, current_timestamp, TRUE, FALSE, NULL, true IS TRUE, 1 IS NOT FALSE
    SELECT 1 = 2 == 3 != 4 <> 5 IS 6 IS NOT 7
    SELECT ~1, -1, +1, NOT 1, - - 1, NOT NOT 1, -+~1
    SELECT 1 << 2 >> 3 & 4 | 5 || 6 * 7 / 8 % 9 - 10
    SELECT a COLLATE nocase = b COLLATE binary FROM t1 ORDER BY a COLLATE nocase DESC
    SELECT CAST(a AS), CAST(a AS INT) FROM t1
    SELECT CAST(a AS UNSIGNED BIG INT), CAST(a AS VARCHAR(10, 2)), CAST(a AS "my type") FROM t1
    SELECT CAST(a AS INT(-1, +2)) FROM t1
    SELECT a IS b, a IS NOT b, a ISNULL, a NOTNULL, a NOT NULL FROM t1
    SELECT a NOT IN (), a IN (1,), a IN (,1) FROM t1
    SELECT a BETWEEN b FROM t1
    SELECT CASE END
    SELECT CASE WHEN 1 THEN 2 ELSE END
    SELECT EXISTS SELECT 1
    SELECT (1), ((1)), (((1, 2)))
    SELECT (SELECT 1), (SELECT 1 FROM t1 UNION SELECT 2), (VALUES (1)), (WITH c AS (SELECT 1) SELECT * FROM c)
    SELECT * FROM (t1), (t1 JOIN t2), ((SELECT 1)), (VALUES (1))
    SELECT * FROM (t1 JOIN t2 ON a = c) AS j WHERE j.a = 1
    SELECT * FROM t1 JOIN t2 ON a = c JOIN t1 x ON x.a = t2.d
    SELECT * FROM t1 LEFT JOIN t2 ON t2.c = x.a LEFT JOIN t1 x
    SELECT * FROM t1 RIGHT JOIN t2 ON t2.c = x.a JOIN t1 x
    SELECT b FROM t1 JOIN t1 x USING (a)
    SELECT a FROM t1 JOIN t1 x USING (a)
    SELECT a FROM t1 RIGHT JOIN t1 x USING (a) FULL JOIN t1 y USING (a)
    SELECT x.a, y.a, a FROM t1 x FULL JOIN t1 y USING (a)
    SELECT * FROM t1 x FULL JOIN t1 y USING (a, b)
    SELECT * FROM t1 JOIN t2 USING (nope)
    SELECT * FROM t1 JOIN t2 USING ()
    SELECT * FROM t1 NATURAL JOIN t2 ON 1
    SELECT * FROM sqlite_schema, sqlite_temp_schema, main.sqlite_master, temp.sqlite_master
    SELECT sqlite_schema.name FROM sqlite_master
    SELECT tbl_name FROM main.sqlite_temp_master
    SELECT seq FROM sqlite_sequence
    SELECT * FROM sqlite_stat1
    SELECT new.a FROM t1
    SELECT old.a
    SELECT raise(ABORT, 'x')
    SELECT (SELECT raise(ABORT, 'x'))
    SELECT a FROM t1 WHERE a = (SELECT c FROM t2 WHERE b = t1.b)
    SELECT (SELECT t1.nope FROM t2) FROM t1
    SELECT * FROM t1 WHERE (SELECT count(*) FROM t2 WHERE c = sum(t1.a))
    SELECT (SELECT sum(t1.a) FROM t2) FROM t1
    SELECT (SELECT sum(t1.a + t2.c) FROM t2) FROM t1
    SELECT (SELECT max(a) FROM t2), b FROM t1 GROUP BY b
    SELECT a FROM t1 ORDER BY (SELECT c FROM t2 WHERE d = a)
    SELECT a FROM t1 GROUP BY (SELECT c FROM t2 WHERE d = a)
    SELECT a FROM t1 LIMIT (SELECT c FROM t2 LIMIT 1)
    SELECT a FROM t1 LIMIT (SELECT a)
    SELECT x FROM (SELECT a AS x, b AS x FROM t1)
    SELECT "x:1" FROM (SELECT a AS x, b AS x FROM t1)
    SELECT * FROM (SELECT a, a FROM t1), (SELECT a FROM t1)
    SELECT a FROM (SELECT a FROM t1), (SELECT a FROM t1)
    SELECT column1 FROM (VALUES (1)), (VALUES (2))
    SELECT q.a, * FROM (SELECT * FROM t1) q, t2
    SELECT q.* FROM (SELECT 1 AS a, 2 AS b) AS q, q
    WITH q AS (SELECT 1 AS a) SELECT q.a, x.a FROM q, q AS x
    WITH q AS (SELECT * FROM q) SELECT * FROM q
    WITH t1 AS (SELECT * FROM t1) SELECT * FROM t1
    WITH t1 AS (SELECT * FROM main.t1) SELECT * FROM t1
    WITH RECURSIVE t(n) AS (VALUES(1) UNION ALL SELECT n+1 FROM t WHERE n<3 UNION ALL SELECT n FROM t) SELECT * FROM t
    WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT 2 UNION SELECT n FROM t) SELECT n FROM t
    WITH RECURSIVE t(n) AS (SELECT 1 EXCEPT SELECT n FROM t) SELECT n FROM t
    WITH t AS MATERIALIZED (SELECT 1), u AS NOT MATERIALIZED (SELECT * FROM t) SELECT * FROM u
    WITH t(a, b) AS (VALUES (1, 2), (3, 4)) SELECT a FROM t UNION SELECT b FROM t
    WITH t AS (DELETE FROM t1 RETURNING *) SELECT * FROM t
    WITH t AS (SELECT 1) SELECT * FROM t INDEXED BY x
    WITH t AS (VALUES (1)) SELECT rowid FROM t
    SELECT * FROM t1 WHERE a = 1 COLLATE nocase
    SELECT * FROM t1 WHERE (a, b) = (SELECT 1, 2)
    SELECT * FROM t1 WHERE (a, b) = (SELECT 1)
    SELECT * FROM t1 WHERE (a, b) BETWEEN (1,2) AND (3,4)
    SELECT * FROM t1 WHERE (a, b) BETWEEN (1,2) AND 3
    SELECT * FROM t1 WHERE (a, b) IS NULL
    SELECT * FROM t1 WHERE (a, b) IS NOT (1, 2)
    SELECT * FROM t1 WHERE (a, b) LIKE (1, 2)
    SELECT * FROM t1 WHERE NOT (a, b)
    SELECT * FROM t1 WHERE (a, b) + 1
    SELECT CASE (a, b) WHEN (1, 2) THEN 3 END FROM t1
    SELECT CASE a WHEN (1, 2) THEN 3 END FROM t1
    SELECT max((a, b)) FROM t1
    SELECT * FROM t1 ORDER BY (a, b)
    SELECT * FROM t1 GROUP BY (a, b)
    SELECT (SELECT 1, 2) = (1, 2), (SELECT 1, 2) IN (SELECT 3, 4)
    SELECT (1, 2) IN (SELECT 3), 1 IN (SELECT 1, 2)
    SELECT ((1, 2), 3) = ((1, 2), 3)
    SELECT a AS rowid FROM t1 WHERE rowid = 1
    SELECT a "x" FROM t1 ORDER BY "x"
    SELECT a 'x' FROM t1 ORDER BY x
    SELECT a x FROM t1 GROUP BY x HAVING x > 1
    SELECT a x, b x FROM t1 ORDER BY x
    SELECT a AS b, b AS a FROM t1 ORDER BY a
    SELECT a AS b, b AS a FROM t1 GROUP BY a
    SELECT a+1 AS x FROM t1 ORDER BY x+1
    SELECT count(*) AS n FROM t1 WHERE n > 1
    SELECT count(*) AS n FROM t1 HAVING n > 1
    SELECT count(*) AS n FROM t1 GROUP BY b HAVING n > 1 ORDER BY n
    SELECT row_number() OVER () AS n FROM t1 WHERE n = 1
    SELECT row_number() OVER () AS n FROM t1 ORDER BY n
    SELECT row_number() OVER () AS n, n + 1 FROM t1
    SELECT (a) FROM t1 AS "my t" WHERE "my t".a = 1
    SELECT [my t].a FROM t1 AS `my t`
    SELECT t1.a FROM t1 AS x
    SELECT main.x.a FROM t1 AS x
    SELECT temp.x.a FROM t1 AS x
    SELECT main.t1.rowid, main.t1.oid FROM t1
    """#)
}

extension Probes {
  /// Syntax of other engines, and syntax that only looks valid, one per line.
  static let dialects = lines(
    #"""
    SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN a PRECEDING AND CURRENT ROW) FROM t1
    SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN ? PRECEDING AND :x FOLLOWING) FROM t1
    SELECT sum(a) OVER (ORDER BY b ROWS (SELECT 1) PRECEDING) FROM t1
    SELECT sum(a) OVER (ORDER BY b ROWS -1 PRECEDING) FROM t1
    SELECT sum(a) OVER (PARTITION BY) FROM t1
    SELECT sum(a) OVER (PARTITION BY a, b ORDER BY) FROM t1
    SELECT sum(a) OVER w, sum(b) OVER W FROM t1 WINDOW w AS (ORDER BY a)
    SELECT sum(a) OVER nope FROM t1
    SELECT sum(a) OVER w FROM t1 WINDOW w AS (), w AS (ORDER BY b)
    SELECT a FROM t1 WINDOW w AS (ORDER BY nope)
    SELECT a, (SELECT sum(b) OVER w FROM t2) FROM t1 WINDOW w AS ()
    SELECT a FROM t1 UNION SELECT sum(c) OVER () FROM t2 ORDER BY 1
    SELECT sum(a) OVER () AS s FROM t1 ORDER BY s, sum(b) OVER ()
    SELECT max(a) FILTER (WHERE b > 1) OVER (ORDER BY c) FROM t1
    SELECT count(*) OVER (), count(*) FROM t1
    SELECT count(*) OVER (), a FROM t1 GROUP BY a
    SELECT lag(a, 1, 2, 3) OVER () FROM t1
    SELECT ntile(0) OVER (), ntile('a') OVER () FROM t1
    SELECT DISTINCT sum(a) OVER () FROM t1 LIMIT 1
    SELECT * FROM (SELECT row_number() OVER () AS n, * FROM t1) WHERE n < 3
    SELECT over, filter, window FROM (SELECT 1 AS over, 2 AS filter, 3 AS window)
    SELECT sum(a) over FROM t1
    SELECT sum(a) filter FROM t1
    SELECT window FROM (SELECT 1 window)
    SELECT a window FROM t1 window
    SELECT a FROM t1 window WINDOW window AS ()
    CREATE TABLE n1(a, b, c, d) ; SELECT
    ALTER TABLE t1 RENAME COLUMN a TO "b c"
    ALTER TABLE t1 RENAME COLUMN rowid TO x
    ALTER TABLE main.t1 RENAME TO main.t5
    ALTER TABLE t1 RENAME TO sqlite_x
    ALTER TABLE t1 RENAME TO i1
    ALTER TABLE t1 ADD COLUMN
    ALTER TABLE t1 ADD COLUMN x y z w
    ALTER TABLE t1 ADD CONSTRAINT k CHECK (a > 1)
    ALTER TABLE t1 ADD x REFERENCES t2 NOT NULL DEFAULT NULL
    ALTER TABLE t1 ADD x INTEGER GENERATED ALWAYS AS (a + nope)
    ALTER TABLE t1 ADD x INTEGER AS (a) VIRTUAL NOT NULL
    ALTER TABLE t1 ADD x DEFAULT (1 + 1) CHECK (x > 1)
    ALTER TABLE t1 ADD x COLLATE nope
    ALTER TABLE t1 ALTER COLUMN a TYPE TEXT
    ALTER TABLE t1 DROP a, DROP b
    ALTER TABLE t1 DROP COLUMN c
    ALTER TABLE t1 DROP COLUMN IF EXISTS b
    ALTER TABLE wr DROP COLUMN p
    ALTER TABLE gen DROP COLUMN x
    ALTER TABLE gen DROP COLUMN g
    ALTER TABLE gen RENAME x TO y
    ALTER TABLE rt RENAME TO rt2
    ALTER TABLE f5_data RENAME TO q
    ALTER TABLE f5_data ADD COLUMN q
    ALTER VIEW v1 RENAME TO v2
    ALTER INDEX i1 RENAME TO i2
    DROP TABLE t1, t2
    DROP TABLE t1 CASCADE
    DROP COLUMN a
    DROP TABLE sqlite_sequence
    DROP TABLE sqlite_stat1
    DROP INDEX IF EXISTS main.i1
    DROP VIEW IF EXISTS nope.v1
    DROP TRIGGER IF EXISTS nope
    DROP TEMP TABLE t1
    TRUNCATE TABLE t1
    SHOW TABLES
    USE main
    GRANT ALL ON t1 TO x
    INSERT IGNORE INTO t1 VALUES (1,2,3)
    INSERT INTO t1 SET a = 1
    INSERT t1 VALUES (1,2,3)
    INSERT INTO t1 (a, b, c) VALUES (1,2,3) ON DUPLICATE KEY UPDATE a = 1
    INSERT INTO t1 VALUES (DEFAULT, 1, 2)
    INSERT INTO t1 (a) VALUES ($1), ($2::int)
    INSERT INTO t1 OVERRIDING SYSTEM VALUE VALUES (1,2,3)
    UPDATE t1 x SET a = 1
    UPDATE t1, t2 SET a = 1
    UPDATE ONLY t1 SET a = 1
    UPDATE t1 SET a = DEFAULT
    DELETE t1 WHERE a = 1
    DELETE FROM ONLY t1
    SELECT TOP 1 a FROM t1
    SELECT a FROM t1 FETCH FIRST 1 ROW ONLY
    SELECT a FROM t1 FOR UPDATE
    SELECT a FROM t1 LIMIT ALL
    SELECT a FROM t1 WHERE a = ANY (1)
    SELECT a FROM t1 WHERE a ILIKE 'x'
    SELECT a FROM t1 WHERE a SIMILAR TO 'x'
    SELECT a FROM t1 WHERE a ~ 'x'
    SELECT a::text FROM t1
    SELECT a FROM t1 WHERE a IN (1, 2, 3) AND b = ALL (SELECT c FROM t2)
    SELECT interval '1 day'
    SELECT DATE '2020-01-01'
    SELECT CURRENT_USER
    SELECT now()
    SELECT a FROM t1 LATERAL JOIN t2
    SELECT a FROM t1, LATERAL (SELECT 1)
    SELECT DISTINCT ON (a) a, b FROM t1
    SELECT array[1,2]
    SELECT ROW(1,2)
    SELECT a FROM t1 USE INDEX (i1)
    SELECT SQL_NO_CACHE a FROM t1
    SELECT a, b INTO x FROM t1
    SELECT a FROM t1 GROUP BY ROLLUP (a)
    SELECT a FROM t1 GROUP BY GROUPING SETS ((a))
    SELECT `a``b` FROM (SELECT 1 AS `a``b`)
    SELECT [a]]b] FROM t1
    SELECT "a""b" FROM (SELECT 1 AS "a""b")
    SELECT 'a' || CHAR(10) || 'b', 'a' 'b' FROM t1
    SELECT E'abc'
    SELECT N'abc'
    SELECT b'101'
    SELECT 0b101
    SELECT 0o17
    SELECT 1_000
    SELECT 1e5, 1E+5, 1.e5, .1e-5, 1e
    SELECT 0X1f, 0xg
    SELECT ?1a, ?a
    SELECT $a.b, $a::, $a()
    SELECT @@x
    SELECT a.* b FROM t1 a
    SELECT t1.a.b FROM t1
    SELECT (a.b).c FROM t1
    SELECT a AS FROM t1
    SELECT a AS select FROM t1
    SELECT a AS "select", b AS 'from' FROM t1
    SELECT a AS key, b AS desc, c AS asc FROM t1
    SELECT rowid AS row, a AS rows, b AS range, c AS groups FROM t1
    SELECT count(*) count, sum(a) sum FROM t1
    SELECT replace('a','b','c'), glob('a','b'), "replace"('a','b','c'), [like]('a','b')
    SELECT left('a', 1)
    SELECT right(1)
    SELECT if(1,2,3)
    SELECT iif(1,2,3,4)
    SELECT char(65,66), CHAR(65), Upper('a')
    SELECT "upper"('a'), [upper]('a'), `upper`('a'), 'upper'('a')
    SELECT main.upper('a')
    SELECT upper('a').x
    SELECT upper(ALL 'a'), upper(DISTINCT 'a'), count(ALL a) FROM t1
    SELECT count(DISTINCT *) FROM t1
    SELECT count(DISTINCT) FROM t1
    SELECT * FROM t1 LEFT JOIN t2 USING (c)
    SELECT * FROM t1 LEFT JOIN t2
    SELECT * FROM t1 LEFT t2
    SELECT * FROM t1 JOIN
    SELECT * FROM t1 JOIN t2 ON
    SELECT * FROM t1 ON a = 1
    SELECT * FROM t1 JOIN t2 ON a = c USING (c)
    SELECT * FROM t1 JOIN t2 USING (a) ON 1
    SELECT * FROM t1 JOIN (t2 JOIN ux ON t2.c = ux.c) ON t1.a = t2.c
    SELECT * FROM (t1 JOIN t2) JOIN ux USING (c)
    SELECT * FROM t1 a JOIN t1 b JOIN t1 c USING (a)
    SELECT * FROM t1 a, t1 b, t1 c WHERE a.a = b.a AND b.b = c.b
    SELECT a.* FROM t1 a NATURAL JOIN t1 b
    SELECT * FROM t1 NATURAL JOIN t2 NATURAL JOIN ux
    SELECT c FROM t1 NATURAL JOIN t2
    SELECT t2.c, t1.c FROM t1 NATURAL LEFT JOIN t2
    SELECT * FROM t1 FULL JOIN t2 USING (c) WHERE c = 1 ORDER BY c
    SELECT c, d FROM t1 FULL JOIN t2 USING (c) GROUP BY c
    SELECT * FROM t1 RIGHT JOIN t2 USING (c) LEFT JOIN ux USING (c, d)
    SELECT * FROM t1 CROSS JOIN t2 USING (c)
    SELECT * FROM t1, t2 USING (c)
    SELECT * FROM t1, t2 ON t1.c = t2.c
    SELECT * FROM t1 INNER CROSS JOIN t2
    SELECT * FROM t1 LEFT INNER JOIN t2
    SELECT * FROM t1 FULL LEFT JOIN t2
    SELECT * FROM t1 NATURAL t2
    SELECT * FROM v1 AS t1, t1
    SELECT * FROM sqlite_master AS t1 JOIN t1 ON t1.name = t1.a
    """#)
}

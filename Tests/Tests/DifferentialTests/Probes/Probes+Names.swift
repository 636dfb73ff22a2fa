extension Probes {
  /// Selects: literals, names, joins, compounds, one per line.
  static let names = lines(
    #"""
    SELECT CAST(x'616263' AS text) || 'd' -> '$' ->> 1
    SELECT 1 NOT BETWEEN 2 AND 3 AND 4 IS NOT NULL ISNULL
    SELECT a, b FROM t1 WHERE a IS NOT DISTINCT FROM b COLLATE rtrim
    SELECT CASE a WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END COLLATE nocase FROM t1
    SELECT 0x7fffffffffffffff, 0xffffffffffffffff, 0x10000000000000000
    SELECT 9223372036854775808, -9223372036854775808, .5e-3, 1., 1e
    SELECT 'a''b', "a", [a], `a` FROM t1
    SELECT x'abc'
    SELECT X'ABCD', x'', 'x' 'y'
    SELECT a AS 'quoted alias', b "dq", c [br] FROM t1
    SELECT t1.*, main.t1.* FROM t1
    SELECT main.t1.a FROM t1
    SELECT temp.t1.a FROM t1
    SELECT * FROM t1 AS x(a,b)
    SELECT * FROM t1 x, t1 y USING (a)
    SELECT * FROM t1 INNER LEFT JOIN t2
    SELECT * FROM t1 LEFT OUTER NATURAL JOIN t2
    SELECT * FROM t1 OUTER JOIN t2
    SELECT * FROM t1 CROSS LEFT JOIN t2
    SELECT * FROM t1 NATURAL FULL OUTER JOIN t2
    SELECT DISTINCT ALL a FROM t1
    SELECT ALL a FROM t1
    SELECT a FROM t1 LIMIT 1, 2
    SELECT a FROM t1 LIMIT 1, 2 OFFSET 3
    SELECT a FROM t1 OFFSET 3
    SELECT a FROM t1 ORDER BY a NULLS FIRST, b DESC NULLS LAST
    SELECT a FROM t1 ORDER BY a NULLS
    SELECT a FROM t1 GROUP BY a ORDER BY count(*), max(b)
    SELECT max(a), b, min(c) FROM t1
    SELECT a FROM t1 HAVING a > 1
    SELECT a, count(*) FROM t1 GROUP BY 1, 2
    SELECT sum(a) AS s FROM t1 WHERE s > 1
    SELECT sum(a) AS s FROM t1 GROUP BY s
    SELECT sum(a) AS s FROM t1 ORDER BY s
    SELECT a + 1 AS x, x + 1 FROM t1
    SELECT a AS x FROM t1 WHERE x = 1 AND (SELECT x)
    SELECT (SELECT a UNION SELECT b FROM t2 LIMIT 1) FROM t1
    SELECT (SELECT a, b) FROM t1
    SELECT (a, b) FROM t1
    SELECT (a, b) = (1, 2), (a, b) < (SELECT c, d FROM t2), (a,b) IN (VALUES (1,2)) FROM t1
    SELECT (a, b) IN ((1,2),(3,4)) FROM t1
    SELECT a IN t2 FROM t1
    SELECT (a,b) IN t2 FROM t1
    SELECT a IN main.t2, a NOT IN json_each('[1]') FROM t1
    SELECT a IN (SELECT 1 ORDER BY 2) FROM t1
    SELECT EXISTS (SELECT * FROM t2 WHERE t2.c = t1.a), NOT EXISTS (VALUES (1)) FROM t1
    VALUES (1, 2), (3)
    VALUES (1, 2), (3, 4) ORDER BY 1
    VALUES (1) LIMIT 1
    SELECT * FROM (VALUES (1,2)) AS v(x,y)
    SELECT column1, column2 FROM (VALUES (1,2))
    SELECT 1 UNION SELECT 2 ORDER BY 1 LIMIT 1 UNION SELECT 3
    SELECT a FROM t1 UNION SELECT c FROM t2 ORDER BY a, c
    SELECT a FROM t1 UNION SELECT c FROM t2 ORDER BY b
    SELECT a AS z FROM t1 UNION SELECT c AS y FROM t2 ORDER BY y
    SELECT a, b FROM t1 EXCEPT SELECT c FROM t2
    WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a
    WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x+1 FROM c WHERE x < 5 ORDER BY 1 LIMIT 3 OFFSET 1) SELECT * FROM c
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c, c AS d) SELECT * FROM c
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT max(x) FROM c) SELECT * FROM c
    WITH RECURSIVE c(x) AS (SELECT x FROM c UNION ALL SELECT 1) SELECT * FROM c
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM (SELECT x FROM c)) SELECT * FROM c
    WITH RECURSIVE c(x, y) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT * FROM c
    WITH a(x) AS (SELECT * FROM b), b(y) AS (SELECT * FROM a) SELECT * FROM a
    WITH x AS (SELECT 1) UPDATE t1 SET a = (SELECT * FROM x)
    WITH x AS (SELECT 1) DELETE FROM t1 WHERE a IN x
    WITH x(a) AS (VALUES(1)) INSERT INTO t1 SELECT a, 2, 3 FROM x
    WITH t1 AS (SELECT 5 AS q) SELECT q FROM t1
    WITH t1 AS (SELECT 5 AS q) SELECT q FROM main.t1
    SELECT rowid FROM wr
    SELECT oid, _rowid_, rowid, t1.rowid FROM t1
    SELECT rowid FROM t1, t2
    SELECT f5, rank, rowid, * FROM f5 WHERE f5 MATCH 'a' ORDER BY rank
    SELECT highlight(f5, 0, 'a', 'b'), snippet(f5, 0, 'a', 'b', 'c', 3), bm25(f5, 1.0) FROM f5('x')
    SELECT * FROM f5('x', 'y')
    SELECT * FROM f5('x', 'y', 'z')
    SELECT x FROM f5 WHERE x MATCH 'a' AND f5 MATCH 'b'
    SELECT f5 MATCH 'x' FROM f5
    SELECT docid, rowid, offsets(f4), matchinfo(f4, 'pcx'), snippet(f4) FROM f4 WHERE f4 MATCH 'a'
    SELECT f4 FROM f4
    SELECT langid FROM f4
    SELECT * FROM f4 WHERE x MATCH 'a' OR docid = 1
    SELECT id, x1 FROM rt WHERE id MATCH circle(1,2,3)
    SELECT * FROM rt WHERE x1 >= 0 AND x2 <= 1
    SELECT rtreenode(2, data), rtreedepth(data) FROM rt_node
    SELECT rtreecheck('rt'), rtreecheck('main', 'rt')
    SELECT * FROM f5_data, f5_idx, f5_content, f5_docsize, f5_config
    SELECT * FROM f4_segments, f4_segdir, f4_content, f4_docsize, f4_stat
    SELECT * FROM json_each('[1]', '$') AS j WHERE j.json = 1 AND root = '$'
    SELECT key, value FROM t1, json_each(t1.c)
    SELECT key FROM json_each
    SELECT * FROM json_each(1,2,3)
    SELECT json_extract('{}', '$.a', '$.b'), '{}' -> 'a' ->> 'b', json_group_array(a) FILTER (WHERE a), json_group_object(a, b) FROM t1
    SELECT json_object('a'), json_object(), json_array()
    SELECT json_set('{}', '$.a')
    SELECT * FROM pragma_table_info('t1') AS p WHERE p.name = 'a'
    SELECT name FROM pragma_table_info WHERE arg = 't1' AND schema = 'main'
    SELECT * FROM pragma_index_list('t1') JOIN pragma_index_info(name)
    SELECT * FROM pragma_foreign_keys
    SELECT * FROM pragma_nope
    SELECT * FROM pragma_database_list, pragma_collation_list, pragma_function_list, pragma_compile_options
    SELECT * FROM dbstat WHERE aggregate = TRUE AND schema = 'main'
    SELECT * FROM sqlite_stmt
    SELECT * FROM generate_series(1, 10)
    SELECT * FROM t1(1)
    SELECT * FROM v1(1)
    SELECT date('now', '+1 day', 'weekday 0'), strftime('%Y'), julianday(), time(), datetime(1, 'unixepoch')
    SELECT printf('%d'), format('%s', 1, 2), char(), char(1,2,3), quote(1), zeroblob(1)
    SELECT like('a', 'b'), like('a','b','c'), glob('a','b'), 'a' LIKE 'b' ESCAPE 'c', 'a' GLOB 'b', 'a' NOT GLOB 'b'
    SELECT 'a' REGEXP 'b'
    SELECT 'a' MATCH 'b'
    SELECT a MATCH 'b' FROM t1
    SELECT total_changes(), changes(), last_insert_rowid(), random(), randomblob(2), sqlite_source_id()
    SELECT sqlite_offset(a) FROM t1
    SELECT load_extension('x')
    SELECT subtype(1), unlikely(1), likelihood(1, 0.5), likelihood(1, 1.5), likelihood(1, a) FROM t1
    SELECT nth_value(a, 2) OVER w, ntile(4) OVER w, lead(a, 1, 0) OVER w, cume_dist() OVER (w ROWS 1 PRECEDING) FROM t1 WINDOW w AS (PARTITION BY b ORDER BY c)
    SELECT sum(a) OVER (ORDER BY b RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING EXCLUDE TIES) FROM t1
    SELECT sum(a) OVER (ORDER BY b, c RANGE 1 PRECEDING) FROM t1
    SELECT sum(a) OVER (RANGE 1 PRECEDING) FROM t1
    SELECT sum(a) OVER (GROUPS 1 PRECEDING) FROM t1
    SELECT sum(a) OVER (ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW) FROM t1
    SELECT sum(a) OVER (ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM t1
    SELECT sum(a) OVER (ROWS BETWEEN 2 FOLLOWING AND 1 PRECEDING) FROM t1
    SELECT sum(a) OVER w FROM t1 WINDOW w AS (ROWS 1 PRECEDING), w2 AS (w)
    SELECT sum(a) OVER (w ORDER BY a) FROM t1 WINDOW w AS (ORDER BY b)
    SELECT sum(a) OVER (w PARTITION BY a) FROM t1 WINDOW w AS (ORDER BY b)
    SELECT a FROM t1 WHERE row_number() OVER () = 1
    SELECT a FROM t1 GROUP BY row_number() OVER ()
    SELECT a FROM t1 HAVING row_number() OVER () = 1
    SELECT a FROM t1 ORDER BY row_number() OVER (ORDER BY b)
    SELECT sum(sum(a) OVER ()) OVER () FROM t1
    SELECT sum(row_number() OVER ()) FROM t1
    SELECT row_number() OVER (ORDER BY sum(a)) FROM t1 GROUP BY b
    SELECT count(DISTINCT a) OVER () FROM t1
    SELECT abs(a) OVER () FROM t1
    SELECT row_number() FROM t1
    SELECT row_number(1) OVER () FROM t1
    SELECT first_value(a) FILTER (WHERE b) OVER () FROM t1
    SELECT count(*) FILTER (WHERE count(*)) FROM t1
    """#)
}

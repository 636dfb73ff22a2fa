extension RandomCase {
  static let strictSchema = """
    CREATE TABLE s (
      id INTEGER PRIMARY KEY, i INT NOT NULL, j INT, r REAL NOT NULL, q REAL, t TEXT NOT NULL,
      u TEXT, b BLOB NOT NULL, c BLOB, a ANY NOT NULL, z ANY) STRICT;
    CREATE TABLE w (t TEXT PRIMARY KEY, i INTEGER NOT NULL, a ANY) STRICT, WITHOUT ROWID;
    CREATE TABLE p (t TEXT PRIMARY KEY, i INT) STRICT;
    """

  static let strictQueries: [String] = [
    "SELECT * FROM s", "SELECT * FROM w", "SELECT t, i, rowid FROM p",
    "SELECT i FROM w WHERE t = ?", "SELECT i FROM p WHERE t = 'a'",
    "SELECT i + j, r + q, t || u, a + 1, z || '', typeof(a), abs(a), max(a, 1), coalesce(z, a), length(a), CAST(a AS INTEGER) FROM s",
    "SELECT s.i, w.i, w.a, p.t FROM s LEFT JOIN w ON w.t = s.t LEFT JOIN p ON p.t = w.t",
    "SELECT sum(a), sum(i), avg(r), max(z), min(a), group_concat(a), count(z), total(u) FROM s",
    "SELECT a, max(z) FROM s GROUP BY a", "SELECT i FROM s UNION SELECT r FROM s",
    "SELECT z FROM s WHERE z > a",
    "SELECT t FROM p WHERE t IS NOT NULL",
    "SELECT substr(b, 1), substr(c, 1, 1), substr(a, 1), b || c, hex(c) FROM s",
    "INSERT INTO p VALUES (?, ?) RETURNING t, i", "UPDATE s SET j = i RETURNING *",
  ]

  static let keySchema = """
    CREATE TABLE loose (name TEXT PRIMARY KEY, v INTEGER);
    CREATE TABLE pair (x INTEGER, y TEXT, v REAL NOT NULL, PRIMARY KEY (x, y));
    CREATE TABLE tight (x INTEGER, y TEXT, v REAL, PRIMARY KEY (x, y)) WITHOUT ROWID;
    CREATE TABLE solo (x INTEGER PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE alias (x INTEGER, y TEXT UNIQUE, PRIMARY KEY (x));
    CREATE TABLE desc_key (x INTEGER PRIMARY KEY DESC, y TEXT);
    CREATE TABLE int_key (x INT PRIMARY KEY, y TEXT COLLATE NOCASE UNIQUE);
    CREATE TABLE num (x NUMERIC PRIMARY KEY, y TEXT);
    CREATE TABLE bare (x PRIMARY KEY, y UNIQUE);
    CREATE TABLE partial (x INTEGER NOT NULL, y TEXT NOT NULL);
    CREATE UNIQUE INDEX partial_one ON partial(x) WHERE y = 'a';
    CREATE UNIQUE INDEX partial_two ON partial(y, x + 1);
    CREATE TABLE hidden (rowid TEXT, oid INTEGER NOT NULL, x TEXT);
    CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'q');
    """

  static let keyQueries: [String] = [
    "SELECT * FROM loose", "SELECT *, rowid FROM pair", "SELECT * FROM tight", "SELECT * FROM solo",
    "SELECT * FROM alias",
    "SELECT x, rowid, y FROM desc_key", "SELECT x, y, oid FROM int_key", "SELECT * FROM num",
    "SELECT *, _rowid_ FROM bare", "SELECT * FROM auto",
    "SELECT rowid, oid, _rowid_, * FROM hidden", "SELECT v FROM loose WHERE name = 'a'",
    "SELECT v FROM loose WHERE name IS 'a'",
    "SELECT v FROM loose WHERE name IS NULL", "SELECT v FROM loose WHERE name IS ?",
    "SELECT v FROM loose WHERE name = ?",
    "SELECT v FROM pair WHERE x = 1 AND y = 'a'", "SELECT v FROM pair WHERE x = 1",
    "SELECT v FROM pair WHERE (x, y) = (1, 'a')",
    "SELECT v FROM pair WHERE (x, y) IS (1, NULL)", "SELECT v FROM tight WHERE x = ? AND y = ?",
    "SELECT x FROM solo WHERE x = '1'",
    "SELECT y FROM alias WHERE x = 1.0", "SELECT x FROM alias WHERE y = 'a'",
    "SELECT x FROM alias WHERE y = 'a' COLLATE NOCASE",
    "SELECT x FROM alias WHERE y COLLATE NOCASE = 'a'", "SELECT x FROM alias WHERE y = 12",
    "SELECT x FROM alias WHERE y IS NULL",
    "SELECT y FROM desc_key WHERE x = 1", "SELECT y FROM int_key WHERE x = 1",
    "SELECT x FROM int_key WHERE y = 'a'",
    "SELECT x FROM int_key WHERE y = 'a' COLLATE BINARY", "SELECT y FROM num WHERE x = '12'",
    "SELECT y FROM num WHERE x = 1",
    "SELECT y FROM bare WHERE x = 1", "SELECT x FROM bare WHERE y = 'a'",
    "SELECT x FROM bare WHERE CAST(y AS INTEGER) = 1",
    "SELECT x FROM bare WHERE +y = 12", "SELECT x FROM bare WHERE y = CAST(? AS NUMERIC)",
    "SELECT b.x FROM alias AS a JOIN bare AS b ON b.y = a.x WHERE a.x = 1",
    "SELECT y FROM partial WHERE x = 1", "SELECT x FROM partial WHERE y = 'a'",
    "SELECT y FROM partial WHERE x = 1 AND y = 'a'",
    "SELECT x FROM partial WHERE y = 'a' AND x + 1 = 2",
    "SELECT a.x, b.v FROM alias AS a LEFT JOIN tight AS b ON b.x = a.x AND b.y = a.y WHERE a.x = 2",
    "SELECT a.x, b.v FROM alias AS a LEFT JOIN pair AS b ON b.x = a.x WHERE a.x = 2",
    "SELECT v FROM loose WHERE name IN ('a')",
    "SELECT v FROM loose WHERE name IN ('a', 'b')", "SELECT v FROM loose WHERE name = 'a' OR v = 1",
    "SELECT v FROM loose WHERE name LIKE 'a'",
    "SELECT v FROM loose WHERE name = v",
    "SELECT v FROM loose WHERE name = (SELECT y FROM alias LIMIT 1)",
    "SELECT DISTINCT v FROM loose WHERE name = 'a'",
    "SELECT count(*) FROM loose WHERE name = 'a' GROUP BY v",
    "SELECT max(v) FROM loose GROUP BY NULL", "SELECT v FROM loose LIMIT 1",
    "SELECT a.name FROM loose AS a, loose AS b WHERE a.name = 'a' AND b.name = a.name",
    "SELECT a.v FROM loose AS a JOIN loose AS b ON a.name = b.v WHERE b.name = 'a'",
    "SELECT x FROM solo WHERE x = (SELECT random() % 2)",
    "SELECT x FROM solo WHERE x = abs(random() % 3)", "SELECT x FROM solo WHERE x = x",
    "SELECT y FROM alias WHERE x = x + 0",
    "SELECT y FROM alias WHERE rowid = (SELECT max(rowid) FROM alias)",
    "SELECT y FROM alias WHERE x BETWEEN 1 AND 1",
    "SELECT t.y FROM alias AS t JOIN (SELECT 1 AS k UNION ALL SELECT 1) AS s ON t.x = s.k",
    "SELECT t.y FROM alias AS t JOIN (SELECT 1 AS k) AS s ON t.x = s.k",
    "INSERT INTO auto (v) VALUES (?) RETURNING id, v",
    "INSERT INTO auto (v) VALUES (NULL) RETURNING *",
    "INSERT INTO auto DEFAULT VALUES RETURNING id, v, rowid",
  ]

  static let viewSchema = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, m INTEGER, t TEXT NOT NULL, u TEXT);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, r REAL NOT NULL, s REAL);
    CREATE VIEW plain AS SELECT * FROM a;
    CREATE VIEW computed AS SELECT id, n + m AS x, t || coalesce(u, '') AS y, m IS NULL AS z, n * 1.5 FROM a;
    CREATE VIEW outer_join AS SELECT a.id, a.n, b.r, b.s FROM a LEFT JOIN b ON b.a = a.id;
    CREATE VIEW totals(n, c, s, top) AS SELECT n, count(*), sum(m), max(t) FROM a GROUP BY n;
    CREATE VIEW one AS SELECT count(*) AS c, sum(n) AS s FROM a;
    CREATE VIEW mixed AS SELECT n AS v FROM a UNION ALL SELECT r FROM b UNION ALL SELECT u FROM a;
    CREATE VIEW filtered AS SELECT m, u FROM a WHERE m IS NOT NULL AND u > '';
    CREATE VIEW chain AS SELECT o.n, o.r, t.top FROM outer_join AS o LEFT JOIN totals AS t USING (n);
    CREATE VIEW numbers AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 4) SELECT x FROM c;
    CREATE TABLE copy AS SELECT id, n + 1 AS x, t, m, n * 1.5 AS y, t || 'x' AS w FROM a WHERE 0;
    """

  static let viewQueries: [String] = [
    "SELECT * FROM plain", "SELECT * FROM computed", "SELECT * FROM outer_join",
    "SELECT * FROM totals", "SELECT * FROM one", "SELECT * FROM mixed",
    "SELECT * FROM filtered", "SELECT * FROM chain", "SELECT * FROM numbers", "SELECT * FROM copy",
    "SELECT id FROM plain WHERE id = 1",
    "SELECT x + 1, length(y), z FROM computed WHERE x > 0", "SELECT r FROM outer_join WHERE r > 0",
    "SELECT s FROM totals WHERE s IS NOT NULL",
    "SELECT plain.t, totals.c, totals.top FROM plain LEFT JOIN totals ON totals.n = plain.m",
    "SELECT c, s FROM a LEFT JOIN one",
    "SELECT c FROM a LEFT JOIN one ON one.c = a.n", "SELECT c FROM a JOIN one",
    "SELECT x, a.t FROM numbers LEFT JOIN a ON a.id = x",
    "SELECT (SELECT c FROM one), (SELECT s FROM one), (SELECT n FROM totals LIMIT 1), (SELECT x FROM numbers)",
    "SELECT max(x), sum(x), avg(x), count(z), min(y) FROM computed",
    "SELECT n, max(top), sum(c), total(s) FROM totals GROUP BY n",
    "SELECT y, max(x) FROM computed GROUP BY y",
    "SELECT v + 1, v || '', typeof(v), abs(v) FROM mixed",
    "SELECT * FROM outer_join NATURAL LEFT JOIN totals",
    "SELECT p.m FROM plain AS p JOIN filtered AS f ON p.m = f.m",
    "SELECT n FROM plain WHERE id = 1 OR id = 2", "SELECT * FROM plain ORDER BY id LIMIT 1",
  ]

  static let generatedSchema = """
    CREATE TABLE g (
      id INTEGER PRIMARY KEY, n INTEGER NOT NULL, m INTEGER, t TEXT NOT NULL, u TEXT,
      sum INTEGER AS (n + m), twice INTEGER GENERATED ALWAYS AS (n * 2) STORED NOT NULL,
      low TEXT AS (lower(t)) VIRTUAL NOT NULL, half REAL AS (n / 2.0) STORED, any AS (coalesce(u, n)),
      cast_text TEXT AS (n), size INTEGER AS (length(u)));
    CREATE TABLE h (x REAL NOT NULL, y REAL AS (x * 2) NOT NULL, z TEXT AS (x) STORED) STRICT;
    """

  static let generatedQueries: [String] = [
    "SELECT * FROM g", "SELECT * FROM h",
    "SELECT sum, twice, low, half, any, cast_text, size FROM g",
    "SELECT sum + 1, twice + n, low || t, half * 2 FROM g",
    "SELECT sum FROM g WHERE sum > 0", "SELECT max(sum), min(low), sum(twice), avg(half) FROM g",
    "SELECT low, count(*), max(size) FROM g GROUP BY low",
    "SELECT g.twice, h.y, h.z FROM g LEFT JOIN h ON h.x = g.n",
    "SELECT coalesce(sum, twice), ifnull(size, 0), typeof(cast_text) FROM g",
    "SELECT y, z, y + x FROM h WHERE z IS NOT NULL",
    "INSERT INTO g (n, m, t, u) VALUES (?, ?, ?, ?) RETURNING *",
    "UPDATE g SET n = n + 1 RETURNING twice, sum, low",
    "DELETE FROM g WHERE sum IS NULL RETURNING sum, any",
    "INSERT INTO h (x) VALUES (1.5) RETURNING x, y, z",
    "SELECT * FROM g AS a JOIN g AS b USING (twice)",
  ]

  static let changeSchema = """
    CREATE TABLE c (id INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 7, m INTEGER, t TEXT UNIQUE, r REAL DEFAULT 1.5);
    CREATE TABLE log (what TEXT NOT NULL, amount REAL);
    CREATE TRIGGER c_after AFTER UPDATE OF n ON c BEGIN INSERT INTO log VALUES ('n', new.n); END;
    """

  static let changeQueries: [String] = [
    "INSERT INTO c (n) VALUES (1) RETURNING *",
    "INSERT INTO c DEFAULT VALUES RETURNING id, n, m, t, r",
    "INSERT INTO c (m, t) VALUES (?, ?) RETURNING n, m, t",
    "INSERT INTO c (n, m) VALUES (1, 2), (3, NULL) RETURNING m, m + n, m IS NULL",
    "INSERT INTO c (n, m) SELECT n, m FROM c RETURNING id, m",
    "INSERT INTO c (id, n) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = excluded.n + 1 RETURNING id, n, m",
    "INSERT OR IGNORE INTO c (t) VALUES ('a') RETURNING t",
    "INSERT INTO c (t) VALUES ('a') ON CONFLICT DO NOTHING RETURNING id, t",
    "INSERT OR REPLACE INTO c (id, t) VALUES (?, ?) RETURNING *",
    "REPLACE INTO c (id) VALUES (1) RETURNING id",
    "UPDATE c SET m = 1 RETURNING m, n", "UPDATE c SET m = NULL WHERE id = 1 RETURNING m",
    "UPDATE c SET n = n + 1 WHERE id = ? RETURNING *",
    "UPDATE c SET m = ?, r = ? WHERE t = ? RETURNING m, r, t",
    "UPDATE c SET m = m WHERE m IS NOT NULL RETURNING m",
    "UPDATE c SET m = NULL WHERE m IS NOT NULL RETURNING m, id",
    "UPDATE c SET (n, m) = (1, 2) RETURNING n, m, coalesce(m, 0)",
    "UPDATE c SET t = NULL WHERE t = 'a' RETURNING t",
    "UPDATE c SET m = d.n FROM (SELECT n, id FROM c) AS d WHERE d.id = c.id RETURNING c.m, c.n",
    "UPDATE c SET n = (SELECT count(*) FROM log) WHERE id < 0 RETURNING n",
    "DELETE FROM c RETURNING *", "DELETE FROM c WHERE id = 1 RETURNING id, t",
    "DELETE FROM c WHERE m IS NOT NULL RETURNING m",
    "DELETE FROM c WHERE n > ? RETURNING n || t, n",
    "INSERT INTO c (n) VALUES (?)", "UPDATE c SET n = ?", "DELETE FROM c",
    "INSERT INTO log SELECT t, r FROM c WHERE t IS NOT NULL RETURNING what, amount",
    "WITH d AS (SELECT 1 AS x) INSERT INTO c (n) SELECT x FROM d RETURNING n",
    "WITH d AS (SELECT id FROM c LIMIT 2) DELETE FROM c WHERE id IN (SELECT id FROM d) RETURNING id, m",
    "INSERT INTO c (id, m) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET m = NULL RETURNING m",
    "INSERT INTO log (what) VALUES ('a') RETURNING rowid, *, typeof(amount), upper(what)",
    "CREATE TABLE more (x)", "PRAGMA table_info(c)", "ANALYZE",
  ]
}

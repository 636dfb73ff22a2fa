extension RandomCase {
  static let alteredSchema = """
    CREATE TABLE first (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gone INTEGER);
    CREATE VIEW names AS SELECT id, name FROM first;
    CREATE TABLE other (id INTEGER PRIMARY KEY, first INTEGER NOT NULL REFERENCES first(id));
    ALTER TABLE first ADD COLUMN added INTEGER NOT NULL DEFAULT 3;
    ALTER TABLE first ADD COLUMN loose REAL DEFAULT 1.5;
    ALTER TABLE first ADD COLUMN twice INTEGER AS (added * 2);
    ALTER TABLE first RENAME COLUMN name TO title;
    ALTER TABLE first DROP COLUMN gone;
    ALTER TABLE first RENAME TO main_table;
    CREATE VIEW joined AS SELECT m.title, o.id FROM main_table AS m LEFT JOIN other AS o ON o.first = m.id;
    CREATE TABLE made AS SELECT m.id, m.title, m.loose, count(*) AS n, m.added + 1 AS more FROM main_table AS m GROUP BY m.id;
    """

  static let alteredQueries: [String] = [
    "SELECT * FROM main_table", "SELECT * FROM names", "SELECT * FROM joined", "SELECT * FROM made",
    "SELECT * FROM other",
    "SELECT added + 1, loose, twice, title FROM main_table WHERE loose > 0",
    "SELECT n.title, o.first FROM names AS n LEFT JOIN other AS o USING (id)",
    "SELECT title, max(id), count(*) FROM joined GROUP BY title",
    "INSERT INTO main_table (title) VALUES (?) RETURNING *",
    "SELECT n, n + 1, title || '' FROM made",
    "SELECT (SELECT o.id FROM other AS o WHERE o.first = m.id), m.added FROM main_table AS m",
    "SELECT title FROM main_table WHERE id = ?",
    "SELECT m.title, m.loose FROM main_table AS m JOIN other AS o ON o.first = m.id WHERE o.id = 1",
    "UPDATE main_table SET loose = ? RETURNING loose, twice",
  ]

  static let virtualSchema = """
    CREATE VIRTUAL TABLE docs USING fts5(title, body, extra UNINDEXED);
    INSERT INTO docs VALUES ('a b', 'c d', NULL), (NULL, 'c', 1), ('', 'a', x'00'), ('1', NULL, '');
    CREATE VIRTUAL TABLE mail USING fts4(subject, body);
    INSERT INTO mail VALUES ('a', 'b c'), (NULL, 'c'), ('c', NULL);
    CREATE VIRTUAL TABLE boxes USING rtree(id, x1, x2, y1, y2, +label);
    INSERT INTO boxes VALUES (1, 0, 1, 0, 1, 'one'), (2, 0.5, 2, 1, 3, NULL), (3, 1, 2, 1, 2, 7);
    CREATE TABLE plain (id INTEGER PRIMARY KEY, doc INTEGER, json TEXT NOT NULL);
    """

  static let virtualQueries: [String] = [
    "SELECT * FROM docs", "SELECT rowid, title, body, extra FROM docs",
    "SELECT title, rank FROM docs WHERE docs MATCH 'a' ORDER BY rank",
    "SELECT title, bm25(docs), highlight(docs, 0, '<', '>'), snippet(docs, 1, '<', '>', '…', 4) FROM docs WHERE docs MATCH 'a OR c'",
    "SELECT docs, rank FROM docs", "SELECT title FROM docs('c')",
    "SELECT title FROM docs WHERE rowid = 1", "SELECT title FROM docs WHERE body = 'c'",
    "SELECT * FROM mail",
    "SELECT docid, rowid, subject, snippet(mail), length(offsets(mail)), matchinfo(mail) FROM mail WHERE mail MATCH 'c'",
    "SELECT * FROM boxes", "SELECT id, x1, y2, label FROM boxes WHERE x1 < 1",
    "SELECT id FROM boxes WHERE id = 1", "SELECT x2 - x1, id + 1 FROM boxes",
    "SELECT p.id, d.title, d.rank FROM plain AS p LEFT JOIN docs AS d ON d.rowid = p.doc",
    "SELECT p.id, b.x1, b.label FROM plain AS p LEFT JOIN boxes AS b ON b.id = p.doc",
    "SELECT p.id, e.key, e.value, e.type, e.atom FROM plain AS p JOIN json_each(p.json) AS e WHERE e.atom IS NOT NULL",
    "SELECT (SELECT count(*) FROM json_each(p.json)), (SELECT e.type FROM json_each(p.json) AS e LIMIT 1) FROM plain AS p",
    "SELECT t.fullkey, t.path, t.parent, t.id FROM plain AS p, json_tree(p.json) AS t WHERE t.type = 'integer'",
    "SELECT count(*), max(rank) FROM docs WHERE docs MATCH 'zzz'",
    "SELECT p.id FROM plain AS p WHERE p.doc IN (SELECT value FROM json_each('[1, 2]'))",
  ]
}

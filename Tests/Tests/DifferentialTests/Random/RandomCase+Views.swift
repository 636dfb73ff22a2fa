extension RandomCase {
  static let viewChangeSchema = """
    CREATE TABLE page (id INTEGER PRIMARY KEY, body TEXT NOT NULL, weight REAL NOT NULL, n INTEGER);
    CREATE TABLE sample (weight REAL, n INTEGER NOT NULL, isDone BOOLEAN, body TEXT);
    CREATE VIEW note AS SELECT id, body, weight, n, id + 1 AS next FROM page;
    CREATE VIEW heavy AS SELECT weight, n, isDone, body FROM sample;
    CREATE TRIGGER a INSTEAD OF INSERT ON note BEGIN
      INSERT INTO page (body, weight, n) VALUES (coalesce(new.body, ''), 1.5, new.n);
    END;
    CREATE TRIGGER b INSTEAD OF UPDATE ON note BEGIN
      UPDATE page SET body = 'x', weight = 2 WHERE id = old.id;
    END;
    CREATE TRIGGER c INSTEAD OF DELETE ON note BEGIN DELETE FROM page WHERE id = old.id; END;
    CREATE TRIGGER d INSTEAD OF INSERT ON heavy BEGIN SELECT 1; END;
    CREATE TRIGGER e INSTEAD OF UPDATE ON heavy BEGIN SELECT 1; END;
    """

  static let viewChangeQueries: [String] = [
    "INSERT INTO note (body) VALUES ('a') RETURNING *",
    "INSERT INTO note DEFAULT VALUES RETURNING id, body, weight, n, next",
    "INSERT INTO note (id, body, weight) VALUES (1, 2, 3) RETURNING *",
    "INSERT INTO note VALUES (?, ?, ?, ?, ?) RETURNING *, body || 'x', id + 1, typeof(id)",
    "INSERT INTO note (id, n) VALUES (1, 2), (NULL, 'a') RETURNING id, n",
    "INSERT INTO note (id, body) SELECT id, body FROM page RETURNING id, body, weight",
    "INSERT INTO note (n, weight) SELECT n, n FROM page RETURNING n, weight, coalesce(n, 1)",
    "INSERT INTO note (weight) VALUES (1) RETURNING weight, weight * 2, weight - weight",
    "UPDATE note SET body = 'a' RETURNING *", "UPDATE note SET body = 5, weight = 1 RETURNING *",
    "UPDATE note SET id = 'x', body = NULL, next = 'y' RETURNING *",
    "UPDATE note SET id = n, next = n RETURNING id, next, n, body",
    "UPDATE note SET body = ?, n = ? WHERE id = ? RETURNING body, n, id",
    "UPDATE note SET (id, body) = (1, 'a') RETURNING id, body",
    "UPDATE note SET (id, body) = (SELECT n, 5 FROM page) RETURNING id, body, weight",
    "UPDATE note SET n = p.n FROM page AS p WHERE p.id = note.id RETURNING n, body",
    "DELETE FROM note RETURNING *", "DELETE FROM note WHERE id = 1 RETURNING body, next",
    "DELETE FROM note WHERE n IS NOT NULL RETURNING id, n",
    "INSERT INTO heavy VALUES (1, 2, 3, 4) RETURNING *",
    "INSERT INTO heavy (n, isDone) VALUES (?, ?) RETURNING n, isDone, weight, n + 1",
    "UPDATE heavy SET n = 1 RETURNING *",
    "INSERT INTO sample VALUES (?, ?, ?, ?) RETURNING *, rowid",
    "INSERT INTO sample VALUES (1, 2, 1, 'a') RETURNING n, isDone, n + 1, -n, coalesce(n, 1), (n)",
    "UPDATE sample SET weight = n RETURNING *", "UPDATE sample SET n = n + 1 RETURNING n, body",
    "DELETE FROM sample RETURNING n, isDone, rowid, weight",
    "DELETE FROM sample WHERE isDone RETURNING isDone",
    "INSERT INTO page VALUES (NULL, 'a', 3, 4) RETURNING weight, id, n, weight / 2",
  ]
}

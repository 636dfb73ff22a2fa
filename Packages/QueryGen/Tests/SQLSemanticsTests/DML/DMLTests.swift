import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `DML statements` {
  static let schema =
    Database.library + """

      CREATE VIEW names AS SELECT id, name FROM user;
      CREATE VIEW open AS SELECT id, name FROM user;
      CREATE TRIGGER openInsert INSTEAD OF INSERT ON open BEGIN
        INSERT INTO user (name) VALUES (new.name);
      END;
      CREATE VIEW sorted AS SELECT id, name FROM user;
      CREATE TRIGGER sortedDelete INSTEAD OF DELETE ON sorted BEGIN SELECT old.id; END;
      CREATE TRIGGER sortedUpdate INSTEAD OF UPDATE ON sorted BEGIN SELECT new.id; END;
      CREATE TABLE price (net REAL NOT NULL, gross REAL AS (net * 1.2) STORED);
      CREATE TABLE watched (a);
      CREATE TRIGGER broken AFTER DELETE ON watched BEGIN DELETE FROM gone WHERE id = old.a; END;
      CREATE VIRTUAL TABLE search USING fts5(title, body);
      """

  @Test(arguments: [
    Refusal("INSERT INTO ①usr② DEFAULT VALUES", .unknownTable),
    Refusal("INSERT INTO tag (postId, ①nmae②) VALUES (1, 'a')", .unknownColumn),
    Refusal("INSERT INTO tag ①VALUES (1)②", .valueCount),
    Refusal("INSERT INTO tag (postId) ①SELECT 1, 2②", .valueCount),
    Refusal("INSERT INTO ①names② VALUES (1, 'a')", .notWritable),
    Refusal("INSERT INTO ①sqlite_schema② VALUES (1, 2, 3, 4, 5)", .notWritable),
    Refusal("INSERT INTO price (net, ①gross②) VALUES (1, 2)", .generatedColumn),
    Refusal("UPDATE price SET ①gross② = 2", .generatedColumn),
    Refusal("UPDATE user SET ①nmae② = 'a'", .unknownColumn),
    Refusal("UPDATE user SET ①(name, age) = (1, 2, 3)②", .valueCount),
    Refusal("UPDATE user SET name = 'a' WHERE ①x② = 1", .unknownColumn),
    Refusal("DELETE FROM user WHERE ①post.id② = 1", .unknownColumn),
    Refusal("DELETE FROM ①watched②", .brokenObject),
    Refusal("INSERT INTO tag VALUES (1, 'a') ①ON CONFLICT (name) DO NOTHING②", .upsertTarget),
    Refusal(
      "INSERT INTO user (name) VALUES ('a') ON CONFLICT (id) DO UPDATE SET ①nope② = 1",
      .unknownColumn),
    Refusal("UPDATE user AS u SET age = 1 RETURNING ①u.age②", .unknownColumn),
    Refusal("UPDATE user SET age = 1 ORDER BY ①name, id②", .orderWithoutLimit),
    Refusal("DELETE FROM user ORDER BY ①name②", .orderWithoutLimit),
    Refusal("DELETE FROM search ORDER BY ①title②", .orderWithoutLimit),
    Refusal("UPDATE sorted SET id = 1 FROM tag ORDER BY ①tag.name②", .orderWithoutLimit),
  ])
  func `that SQLite rejects are rejected`(_ refusal: Refusal) {
    expectRefused(refusal, in: Database(Self.schema))
  }

  @Test(arguments: [
    "INSERT INTO open (name) VALUES ('a')",
    "DELETE FROM sorted ORDER BY name", "UPDATE sorted SET id = 2 ORDER BY name",
    "INSERT INTO price VALUES (1)",
    "INSERT INTO user (rowid, name) VALUES (1, 'a')",
    "INSERT INTO user AS u (id, name) VALUES (1, 'a') ON CONFLICT (id) DO UPDATE "
      + "SET age = u.age + excluded.age, name = excluded.name WHERE age > 1 RETURNING user.age",
    "INSERT INTO user (email, name) VALUES (1, 2) ON CONFLICT (email) DO NOTHING "
      + "ON CONFLICT (id) DO UPDATE SET name = 'a' ON CONFLICT DO NOTHING",
    "INSERT INTO search (search, rank) VALUES ('rank', 'bm25(2.0)')",
    "INSERT INTO search VALUES ('a', 'b')",
    "SELECT rowid, title, highlight(search, 0, '<', '>') FROM search('a') ORDER BY rank",
    "REPLACE INTO tag VALUES (1, 'a')",
    "WITH old AS (SELECT id FROM post) DELETE FROM tag WHERE postId IN old",
    "UPDATE post SET title = u.name FROM user u WHERE u.id = post.userId RETURNING *",
    "UPDATE user SET (name, age) = (SELECT title, id FROM post)",
    "DELETE FROM user WHERE id = 1 ORDER BY id LIMIT 1",
  ])
  func `that SQLite accepts are accepted`(_ sql: String) {
    expectAccepted(sql, in: Database(Self.schema))
  }

  @Test func `of tables with temporary triggers are resolved with the tables of temp`() {
    let database = Database(
      """
      CREATE TABLE note (id); CREATE TEMP TABLE log (id); CREATE TEMP TABLE note (body);
      CREATE TEMP TRIGGER a INSERT ON main.note BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE TRIGGER main.b UPDATE ON note BEGIN UPDATE note SET id = 1; END;
      CREATE TEMP TRIGGER b DELETE ON main.note BEGIN UPDATE note SET id = 1; END;
      """)
    expectAccepted("INSERT INTO main.note VALUES (1)", in: database)
    expectAccepted("UPDATE main.note SET id = 1", in: database)
    expectRefused(Refusal("DELETE FROM ①main.note②", .brokenObject), in: database)
  }
}

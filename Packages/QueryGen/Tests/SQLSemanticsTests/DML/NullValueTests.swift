import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Values that may be NULL in a NOT NULL column` {
  static let database = Database(
    declaring: """
      function: slug(title TEXT NOT NULL) -> TEXT NOT NULL deterministic
      """,
    Database.library + """

      CREATE TABLE lenient (a TEXT NOT NULL ON CONFLICT IGNORE);
      CREATE TABLE guarded (a TEXT NOT NULL);
      CREATE TRIGGER guard BEFORE INSERT ON guarded BEGIN SELECT RAISE(IGNORE); END;
      CREATE VIEW names AS SELECT id, name FROM user;
      CREATE TRIGGER named INSTEAD OF INSERT ON names BEGIN SELECT new.id; END;
      """)

  @Test(arguments: [
    Mistake("INSERT INTO user (name) VALUES (①NULL②)", .nullArgument),
    Mistake("INSERT INTO user (name) VALUES ('a'), (①NULL②)", .nullArgument),
    Mistake("INSERT INTO user VALUES (NULL, ①NULL②, 1, 1, NULL, '', 1, 1, 1, 1)", .nullArgument),
    Mistake("INSERT INTO user (name) SELECT ①email② FROM user", .nullArgument),
    Mistake("INSERT INTO user (name) SELECT ①upper(body)② FROM post", .nullArgument),
    Mistake("INSERT INTO user (name) SELECT 'a' UNION SELECT ①email② FROM user", .nullArgument),
    Mistake(
      "INSERT INTO user (name) SELECT ①u.name② FROM post LEFT JOIN user u ON u.id = userId",
      .nullArgument),
    Mistake(
      "INSERT INTO tag (postId, name) SELECT ①max(postId) + 1②, 'a' FROM tag", .nullArgument),
    Mistake("UPDATE user SET name = ①email②", .nullArgument),
    Mistake("UPDATE user SET name = ①email② WHERE age IS NOT NULL", .nullArgument),
    Mistake("UPDATE user SET name = ①CASE WHEN age > 1 THEN 'a' END②", .nullArgument),
    Mistake("UPDATE user SET (age, name) = (1, ①email②)", .nullArgument),
    Mistake("UPDATE user SET name = ①body② FROM post WHERE userId = user.id", .nullArgument),
    Mistake("UPDATE user SET name = ①:name② WHERE :name IS NULL OR id = 1", .nullArgument),
    Mistake(
      "INSERT INTO user (email, name) VALUES ('', '') ON CONFLICT (email) "
        + "DO UPDATE SET name = ①excluded.email②", .nullArgument),
    Mistake("UPDATE post SET body = slug(①body②)", .nullArgument),
    Mistake("INSERT INTO post VALUES (1, 1, slug(①NULL || 'a'②), '', 1)", .nullArgument),
    Mistake("DELETE FROM post WHERE slug(①body②) = 'a'", .nullArgument),
  ])
  func `are reported`(_ mistake: Mistake) {
    expectMistake(mistake, in: Self.database)
  }

  @Test(arguments: [
    "INSERT INTO user (name) VALUES (:name)", "INSERT INTO user (id, name) VALUES (NULL, 'a')",
    "INSERT OR IGNORE INTO user (name) SELECT email FROM user",
    "INSERT OR REPLACE INTO user (name) SELECT email FROM user",
    "INSERT INTO user (name) SELECT email FROM user WHERE email IS NOT NULL",
    "INSERT INTO user (name) SELECT coalesce(email, '') FROM user",
    "INSERT INTO user (name) VALUES ((SELECT email FROM user WHERE id = :id))",
    "INSERT INTO lenient SELECT email FROM user", "INSERT INTO guarded SELECT email FROM user",
    "INSERT INTO names (name) SELECT email FROM user", "UPDATE user SET age = managerId",
    "UPDATE OR IGNORE user SET name = email", "UPDATE user SET name = coalesce(:name, name)",
    "UPDATE user SET name = email WHERE email <> ''", "UPDATE user SET name = :a || :b",
    "UPDATE post SET body = slug(body) WHERE body IS NOT NULL",
    "UPDATE post SET created_at = created_at / :parts",
  ])
  func `are not reported if a NULL is excluded or handled`(_ sql: String) {
    expectNoMistake(sql, in: Self.database)
  }
}

import Foundation
import Observe
import Router
import SQLiteCore
import Testing

private typealias Column = DatabaseRoute.Column

// The samples of Docs/Guides/FromSQLiteSwift.md, verbatim, and tests of its statements about files written by
// SQLite.swift.

struct User: Codable, RowDecodable, Equatable {
  var id: Int?
  var name: String?
  var email: String
  var verified: Bool
}

struct Post: Codable, RowDecodable, Equatable {
  var id: Int?
  var userId: Int
  var published: Date
  var labels: [String]

  enum CodingKeys: String, CodingKey {
    case id
    case userId = "user_id"
    case published = "published_at"
    case labels
  }
}

enum BlogMigrations {
  static let migrations = [
    Migration(
      name: "1",
      sql: """
        CREATE TABLE users (
          id INTEGER PRIMARY KEY NOT NULL, name TEXT, email TEXT NOT NULL UNIQUE,
          verified INTEGER NOT NULL DEFAULT (0)
        );
        """),
    Migration(
      name: "2",
      sql: """
        CREATE TABLE posts (
          id INTEGER PRIMARY KEY NOT NULL, user_id INTEGER NOT NULL REFERENCES users (id),
          published_at TEXT NOT NULL, labels BLOB NOT NULL
        );
        CREATE INDEX index_posts_on_user_id ON posts (user_id);
        """),
    Migration(
      name: "3, dates as SQLite writes them",
      sql: """
        UPDATE posts SET
          published_at = replace(replace(published_at, 'T', ' '), '.000', ''),
          labels = CAST(labels AS TEXT);
        """),
  ]
}

final class Blog: Sendable {
  let database: Database

  init(path: String) throws {
    database = try Database(path: path)
    let version = try database.read { try $0.userVersion() }
    if version > 0 { try database.adopt(BlogMigrations.migrations, upTo: "\(version)") }
    try database.migrate(BlogMigrations.migrations)
  }

  func register(_ email: String, name: String?) async throws -> Int {
    try await database.write { db in
      let user = User(id: nil, name: name, email: email, verified: false)
      return Int(try db.insert(encoding: user, into: "users").lastInsertedRowID.rawValue)
    }
  }

  func verify(_ email: String) async throws -> Bool {
    try await database.write { db in
      try db.run("UPDATE users SET verified = 1 WHERE email = \(email)").count == 1
    }
  }

  func users(at domain: String) async throws -> [User] {
    try await database.read { db in
      try db.fetchAll(
        User.self, "SELECT * FROM users WHERE email LIKE ? ORDER BY name", "%@\(domain)")
    }
  }
}

@Suite struct `From SQLite.swift` {
  /// The SQL that SQLite.swift's builder runs for the same tables.
  static let script = """
    CREATE TABLE "users" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT, \
    "email" TEXT UNIQUE NOT NULL, "verified" INTEGER NOT NULL DEFAULT (0));
    CREATE TABLE "posts" ("id" INTEGER PRIMARY KEY NOT NULL, \
    "user_id" INTEGER NOT NULL REFERENCES "users" ("id"), "published_at" TEXT NOT NULL, \
    "labels" BLOB NOT NULL);
    CREATE INDEX "index_posts_on_user_id" ON "posts" ("user_id");
    PRAGMA user_version = 2;
    INSERT INTO users (name, email, verified) VALUES ('Alice', 'alice@mac.com', 1);
    INSERT INTO posts (user_id, published_at, labels) VALUES
      (1, '2026-11-21T14:37:29.000', x'5B226E6577225D'), (1, '2026-11-21T14:37:29.125', '[]');
    """
  static let moment = Date(timeIntervalSince1970: 1_795_271_849)

  @Test func `a file is adopted at its current version`() throws {
    let blog = try Blog(path: LegacyFile(Self.script).path)
    #expect(try blog.database.read { try $0.appliedMigrations().count } == 3)
    #expect(try blog.database.read { try $0.userVersion() } == 2)
    let posts = try blog.database.read {
      try $0.fetchAll(Post.self, "SELECT * FROM posts ORDER BY id")
    }
    #expect(posts.map(\.published) == [Self.moment, Self.moment + 0.125])
    #expect(posts.map(\.labels) == [["new"], []])
    let found = try blog.database.read {
      try $0.value(Int.self, "SELECT id FROM posts WHERE published_at = \(Self.moment)")
    }
    #expect(found == 1)
  }

  @Test func `a file at version 1 runs the remaining migrations`() throws {
    let first = Self.script.components(separatedBy: "CREATE TABLE \"posts\"")[0]
    let blog = try Blog(path: LegacyFile("\(first); PRAGMA user_version = 1").path)
    #expect(try blog.database.read { try $0.table("posts") } != nil)
    #expect(try Blog(path: LegacyFile().path).database.read { try $0.count("users") } == 0)
  }

  @Test func `dates and JSON are read before the file is changed`() throws {
    let database = try Database(path: LegacyFile(Self.script).path)
    let posts = try database.read {
      try $0.fetchAll(Post.self, "SELECT * FROM posts ORDER BY id")
    }
    #expect(posts.map(\.published) == [Self.moment, Self.moment + 0.125])
    #expect(posts.map(\.labels) == [["new"], []])
    // A T sorts after a space, so the formats must not be mixed in one column.
    let later = try database.read {
      try $0.values(
        Int.self, "SELECT id FROM posts WHERE published_at < \(Self.moment + 60)")
    }
    #expect(later == [])
  }

  @Test func `the example registers, verifies and finds users`() async throws {
    let blog = try Blog(path: LegacyFile(Self.script).path)
    let id = try await blog.register("betty@icloud.com", name: nil)
    #expect(id == 2)
    #expect(try await blog.verify("betty@icloud.com"))
    #expect(try await !blog.verify("nobody@icloud.com"))
    #expect(
      try await blog.users(at: "icloud.com") == [
        User(id: 2, name: nil, email: "betty@icloud.com", verified: true)
      ])
    let again = await #expect(throws: SQLiteError.self) {
      try await blog.register("betty@icloud.com", name: "Betty")
    }
    #expect(again?.code == .constraintUnique)
  }

  @Test func `expressions that are built at run time are routes`() async throws {
    let blog = try Blog(path: LegacyFile(Self.script).path)
    let executor = SQLiteRouteExecutor(blog.database)
    var filter = Column("verified").isTrue()
    let prefix: String? = "alice"
    if let prefix { filter = filter && Column("email").hasPrefix(prefix) }
    let users = try await executor.values(
      User.self, for: .fetch(from: "users", filteredBy: filter, order: .ascending("name")))
    let count = try await executor.value(Int.self, for: .count(from: "users", filteredBy: [filter]))
    #expect(users.map(\.email) == ["alice@mac.com"])
    #expect(count == 1)
  }
}

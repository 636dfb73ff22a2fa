internal import Relations
internal import SQLiteCore

/// M3: writes to a table with a full-text index that is updated by handwritten triggers, or by an `FTSColumn`.
enum FullTextWrites {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let count = fixture.scale.owners
    let byHand = "triggers by hand"
    return [
      Workload(
        "M3", "\(count) articles inserted, changed and deleted, with a full-text index",
        implementations: [
          BenchmarkImplementation(byHand) {
            let path = fixture.file("triggers")
            return try await write(count, to: path) { connection in
              try connection.execute(createSQL)
            }
          },
          BenchmarkImplementation("Holt") {
            let path = fixture.file("column")
            let database = try Database(path: path, configuration: configuration)
            _ = try await ModelSession(database).fetchAll(Article.self)
            return try await write(count, to: path) { _ in }
          },
        ],
        comparisons: [
          Comparison(
            metric: "CPU over that of triggers by hand", .cpuMilliseconds, .multiple(of: byHand),
            c: nil)
        ])
    ]
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    // Required in SQLite 3.40 and earlier for triggers that write to virtual tables.
    configuration.trustsSchema = true
    return configuration
  }

  private struct Article: Table {
    static let tableName = "article"
    var id = 0
    var title = ""
    var body = ""
    var search = FTSColumn<Article>(["title", "body"])
  }

  /// Writes rows to an empty table.
  private static func write(
    _ count: Int, to path: String, _ prepare: @escaping @Sendable (Connection) throws -> Void
  ) async throws -> Work {
    let database = try Database(path: path, configuration: configuration)
    try await database.write { connection in
      try prepare(connection)
      try connection.run("DELETE FROM article WHERE true")
    }
    let watch = Stopwatch()
    try await database.write { connection in
      let insert = try connection.prepare("INSERT INTO article (id, title, body) VALUES (?, ?, ?)")
      for id in 1...count {
        try insert.bind(id, at: 1)
        try insert.bind("title number \(id)", at: 2)
        try insert.bind(text(id), at: 3)
        try insert.run()
      }
      try connection.run("UPDATE article SET title = title || ' changed' WHERE id % 2 = 0")
      try connection.run("DELETE FROM article WHERE id % 5 = 0")
    }
    return Work(checksum: nil, time: watch.time)
  }

  private static func text(_ id: Int) -> String {
    (0..<40).map { "word\((id &* 31 &+ $0 &* $0 &* 7) % 5_000)" }.joined(separator: " ")
  }

  /// The triggers from SQLite's documentation of external content tables.
  private static let createSQL: SQL = """
    CREATE TABLE IF NOT EXISTS article (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL);
    CREATE VIRTUAL TABLE IF NOT EXISTS article_text
      USING fts5(title, body, content='article', content_rowid='id');
    CREATE TRIGGER IF NOT EXISTS article_ai AFTER INSERT ON article BEGIN
      INSERT INTO article_text (rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    CREATE TRIGGER IF NOT EXISTS article_ad AFTER DELETE ON article BEGIN
      INSERT INTO article_text (article_text, rowid, title, body)
        VALUES ('delete', old.id, old.title, old.body);
    END;
    CREATE TRIGGER IF NOT EXISTS article_au AFTER UPDATE ON article BEGIN
      INSERT INTO article_text (article_text, rowid, title, body)
        VALUES ('delete', old.id, old.title, old.body);
      INSERT INTO article_text (rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    """
}

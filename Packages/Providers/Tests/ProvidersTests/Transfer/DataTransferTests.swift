import Foundation
@testable import Providers
import SQLiteCore
import Testing

@Suite struct `A copy from one provider to another` {
  private static let schema = """
    CREATE TABLE category (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
    CREATE TABLE item (
      code TEXT, size, category INTEGER REFERENCES category(id), label TEXT AS (code || size),
      PRIMARY KEY (code, size)) WITHOUT ROWID;
    CREATE TABLE note (body TEXT, data BLOB, "order" REAL);
    CREATE VIRTUAL TABLE search USING fts5(body);
    CREATE INDEX byOrder ON note ("order");
    CREATE VIEW names AS SELECT name FROM category;
    CREATE TRIGGER added AFTER INSERT ON category BEGIN INSERT INTO note (body) VALUES (new.name); END;
    PRAGMA user_version = 7;
    """
  private static let rows = """
    INSERT INTO category VALUES (1, 'a'), (2, 'b'), (5, 'c');
    DELETE FROM category WHERE id = 5;
    INSERT INTO item VALUES ('x', 1, 1), ('x', 'one', 2), ('y', x'01', NULL);
    INSERT INTO note VALUES ('Žluť', x'00ff', 1.5), (NULL, zeroblob(3), 9e999), ('z' || char(0), '', -0.25);
    DELETE FROM note WHERE rowid = 2;
    INSERT INTO search VALUES ('some words'), ('other words');
    """

  private func provider(_ sql: String = schema + rows) throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.execute(SQL(unsafe: sql))
    return provider
  }

  /// Returns a whole database as SQL.
  private func dump(_ provider: some DataProvider) throws -> String {
    try provider.read { connection in
      var text = ""
      try connection.dump { text += $0 }
      return text
    }
  }

  @Test func `copies everything`() throws {
    let source = try provider()
    let target = try provider("")
    let report = try DataTransfer().copy(from: source, to: target)
    #expect(try dump(source) == dump(target))
    #expect(report.createdObjectCount == 3)
    #expect(report.tables.map(\.name) == ["category", "item", "note", "search"])
    #expect(report.tables.map(\.rowCount) == [2, 3, 5, 2])
    #expect(try target.databaseVersion() == 7)
    #expect(try target.lastAutoID(forTable: "category") == 5)
    #expect(
      try target.query("SELECT rowid FROM note ORDER BY 1")
        == source.query("SELECT rowid FROM note ORDER BY 1"))
    #expect(try target.query("SELECT body FROM search WHERE search MATCH 'other'").count == 1)
  }

  @Test func `copies between kinds of sources`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("t id=1 a=x\nt id=2 a=y\nu b=1.5\n", to: "from.lines")
    let lines = LineProvider(LineFormat(), folder.directories)
    try lines.openSource(atPath: path)
    let target = try provider("")
    try DataTransfer().copy(from: lines, to: target)
    #expect(
      try target.query("SELECT * FROM t").map { $0.description } == [
        "id: 1, a: 'x'", "id: 2, a: 'y'",
      ])
    let back = LineProvider(LineFormat(), folder.directories)
    try back.openSource(atPath: "\(folder.path)/to.lines")
    try DataTransfer(tables: ["T"]).copy(from: target, to: back)
    // The target is persisted.
    #expect(try folder.text(of: "to.lines") == "t id=1 a=x\nt id=2 a=y\n")
  }

  @Test func `refuses rows whose parent table is not copied, before writing`() throws {
    let folder = try TemporaryFolder()
    let source = JSONProvider(options: JSONProvider.Options(nesting: .tables))
    try source.openSource(
      atPath: folder.write(#"[{"a":1,"o":[{"x":1}]},{"a":2}]"#, to: "people.json"))
    let target = try provider("")
    for existing in [DataTransfer.ExistingTables.refused, .replaced, .continued] {
      let error = #expect(throws: ProviderError.self) {
        try DataTransfer(tables: ["people_o"], existingTables: existing)
          .copy(from: source, to: target)
      }
      #expect(error?.code == .danglingReference)
      #expect(error?.table == "people_o" && error?.column == "parent")
      #expect(error?.message.contains("people,") == true)
      #expect(try target.tableNames() == [])
    }
    // In any order, and without references.
    try DataTransfer(tables: ["people_o", "people"]).copy(from: source, to: target)
    #expect(try target.query("SELECT x FROM people_o")["x"] == 1)
    try source.execute("DELETE FROM people_o")
    let other = try provider("")
    try DataTransfer(tables: ["people_o"]).copy(from: source, to: other)
    #expect(try other.tableNames() == ["people_o"])
    // A reference to a table that the source lacks too is copied.
    let strays = try provider("CREATE TABLE c (x REFERENCES gone (y))")
    try strays.writeStray()
    try DataTransfer().copy(from: strays, to: other)
    #expect(try other.countRows(inTable: "c") == 1)
  }

  @Test func `refuses existing tables before writing`() throws {
    let source = try provider()
    let target = try provider("CREATE TABLE NOTE (a)")
    let error = #expect(throws: ProviderError.self) {
      try DataTransfer().copy(from: source, to: target)
    }
    #expect(error?.code == .tableExists)
    #expect(error?.table == "note")
    #expect(try target.tableNames() == ["NOTE"])
  }

  @Test func `replaces tables or appends to them on request`() throws {
    let source = try provider("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
    let target = try provider("CREATE TABLE t (b, c, a); INSERT INTO t VALUES (8, 9, 7)")
    try DataTransfer(existingTables: .appended).copy(from: source, to: target)
    #expect(
      try target.query("SELECT a, b, c FROM t").map(\.values)
        == [[7, 8, 9], [1, 2, .null], [3, 4, .null]])
    try DataTransfer(existingTables: .replaced).copy(from: source, to: target)
    #expect(try target.query("SELECT * FROM t").map(\.values) == [[1, 2], [3, 4]])
  }

  @Test func `detects that the target differs from the source`() throws {
    let source = try provider("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('1'), ('1.0')")
    let target = try provider("CREATE TABLE t (a INTEGER)")
    let error = #expect(throws: ProviderError.self) {
      try DataTransfer(existingTables: .appended).copy(from: source, to: target)
    }
    #expect(error?.code == .transferMismatch)
    #expect(error?.table == "t")
  }

  @Test func `refuses rows that refer to rows which are not copied`() throws {
    let source = try provider()
    let target = try provider("")
    let error = #expect(throws: (any Error).self) {
      try DataTransfer(tables: ["item"]).copy(from: source, to: target)
    }
    #expect(error != nil)
  }

  @Test func `reports each batch, and can be ended`() throws {
    let source = try provider(
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) INSERT INTO t SELECT i FROM n;
      CREATE TABLE u (a); INSERT INTO u VALUES (1)
      """)
    let target = try provider("")
    var steps: [DataTransfer.CopyProgress] = []
    try DataTransfer(batchSize: 10).copy(from: source, to: target) { steps.append($0) }
    #expect(steps.map(\.tableRows) == [10, 20, 25, 1])
    #expect(steps.map(\.completedRows) == [10, 20, 25, 26])
    #expect(steps.allSatisfy { $0.totalRows == 26 })
    let progress = Progress(totalUnitCount: 1)
    let other = try provider("")
    try DataTransfer().copy(from: source, to: other, reportingTo: progress)
    #expect(progress.isFinished)
    progress.cancel()
    #expect(throws: CancellationError.self) {
      try DataTransfer(existingTables: .replaced).copy(
        from: source, to: other, reportingTo: progress)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6]) func `continues after an interruption`(_ last: Int) throws {
    struct Interruption: Error {}
    let source = try provider(
      """
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) INSERT INTO t SELECT i * i FROM n;
      DELETE FROM t WHERE a % 3 = 0;
      CREATE TABLE u (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO u SELECT 'k' || a, a FROM t;
      """)
    let target = try provider("CREATE TABLE mine (a)")
    var count = 0
    #expect(throws: Interruption.self) {
      try DataTransfer(batchSize: 5).copy(from: source, to: target) { _ in
        count += 1
        if count == last { throw Interruption() }
      }
    }
    // A new copy is refused because tables exist.
    let refused = #expect(throws: ProviderError.self) {
      try DataTransfer().copy(from: source, to: target)
    }
    #expect(refused?.code == .tableExists)
    let transfer = DataTransfer(existingTables: .continued, batchSize: 5)
    let report = try transfer.copy(from: source, to: target)
    #expect(
      report.tables.reduce(0) { $0 + $1.keptCount } == min(last, 4) * 5 - (last >= 4 ? 3 : 0) + max(
        0, last - 4) * 5)
    #expect(try target.tableNames() == ["mine", "t", "u"])
    for table in ["t", "u"] {
      #expect(
        try target.query("SELECT * FROM \(unsafe: table)")
          == source.query("SELECT * FROM \(unsafe: table)"))
    }
  }

  @Test func `copies a table again if its source has changed since the interruption`() throws {
    struct Interruption: Error {}
    let source = try provider("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3), (4)")
    let target = try provider("")
    #expect(throws: Interruption.self) {
      try DataTransfer(batchSize: 2).copy(from: source, to: target) { _ in throw Interruption() }
    }
    try source.execute("UPDATE t SET a = 9 WHERE a = 1")
    let report = try DataTransfer(existingTables: .continued).copy(from: source, to: target)
    #expect(report.tables.map(\.keptCount) == [0])
    #expect(try target.query("SELECT a FROM t").map(\.values) == [[9], [2], [3], [4]])
  }

  @Test func `runs in a task, which can be cancelled`() async throws {
    let source = try provider()
    let target = try provider("")
    let report = try await DataTransfer().copy(from: source, to: target)
    #expect(report.tables.count == 4)
    let other = try provider("")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await DataTransfer().copy(from: source, to: other)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `is refused in a transaction, and for a missing table`() throws {
    let source = try provider()
    let target = try provider("")
    try target.beginTransaction()
    let open = #expect(throws: ProviderError.self) {
      try DataTransfer().copy(from: source, to: target)
    }
    #expect(open?.code == .transactionOpen)
    try target.rollbackTransaction()
    let unknown = #expect(throws: ProviderError.self) {
      try DataTransfer(tables: ["missing"]).copy(from: source, to: target)
    }
    #expect(unknown?.code == .unknownTable)
    #expect(unknown?.table == "missing")
  }

  @Test func `leaves the target's foreign keys and triggers enabled`() throws {
    let source = try provider("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let target = try provider(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent REFERENCES parent (id));
      CREATE TRIGGER added AFTER INSERT ON parent BEGIN INSERT INTO child VALUES (new.id); END;
      """)
    try DataTransfer().copy(from: source, to: target)
    let error = #expect(throws: SQLiteError.self) {
      try target.execute("INSERT INTO child VALUES (7)")
    }
    #expect(error?.code == .constraintForeignKey)
    try target.execute("INSERT INTO parent VALUES (1)")
    #expect(try target.countRows(inTable: "child") == 1)
  }

  @Test(arguments: [
    ("NULL", "0"), ("NULL", "''"), ("0", "''"), ("'a'", "x'61'"), ("''", "x''"), ("1", "'1'"),
    ("0.5", "0.25"), ("9e999", "-9e999"), ("1", "2"), ("'abcdefgh'", "'abcdefgi'"),
  ])
  func `has a different checksum if one value differs`(_ value: String, _ other: String) throws {
    func checksum(_ value: String) throws -> UInt64 {
      let source = try provider("CREATE TABLE t (a); INSERT INTO t VALUES (\(value))")
      let report = try DataTransfer().copy(from: source, to: provider(""))
      return try #require(report.tables.first).checksum
    }
    #expect(try checksum(value) != checksum(other))
    #expect(try checksum(value) == checksum(value))
  }
}

extension SQLiteProvider {
  /// A row of `c` with a dangling reference.
  fileprivate func writeStray() throws {
    try session.writeWithoutTransaction { connection in
      try connection.execute(
        "PRAGMA foreign_keys = 0; INSERT INTO c VALUES (1); PRAGMA foreign_keys = 1")
    }
  }
}

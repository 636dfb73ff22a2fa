import SQLiteCore
import Testing

/// The statements of transactions are compiled once for a connection.
@Suite struct `The transactions of accesses` {
  /// An immediate transaction locks all attached databases, even if it was compiled with fewer.
  @Test func `lock databases that are attached later`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.transaction { try db.execute("CREATE TABLE t (a)") }
    let other = try Connection(path: directory.file("other.sqlite"))
    try other.execute("CREATE TABLE u (a)")
    try db.run("ATTACH ? AS other", directory.file("other.sqlite"))
    try db.transaction(.immediate) {
      let busy = try Connection(
        path: directory.file("other.sqlite"),
        configuration: {
          var configuration = Configuration()
          configuration.busyTimeout = .zero
          return configuration
        }())
      let error = #expect(throws: SQLiteError.self) { try busy.run("INSERT INTO u VALUES (1)") }
      #expect(error?.code.primary == .busy)
    }
  }

  @Test func `do not prevent a connection from closing`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    for kind in Connection.TransactionKind.allCases { try db.transaction(kind) {} }
    let statement = try db.prepare("SELECT 1")
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.code == .busy)
    try db.transaction { _ = try statement.step() }
    statement.reset()
    withExtendedLifetime(statement) {}
  }

  /// SQLite recompiles every statement when `query_only` changes.
  @Test func `of an in-memory database keep statements compiled across reads`() async throws {
    let (database, directory) = try `A database`.make(.memory)
    for _ in 0..<3 { #expect(try await database.read { try $0.count("t") } == 0) }
    let error = await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.run("INSERT INTO t VALUES (1)") }
    }
    #expect(error?.code == .readOnly)
    try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
    try await database.writeWithoutTransaction { try $0.run("INSERT INTO t VALUES (2)") }
    try blocking { _ = try database.write { try $0.run("INSERT INTO t VALUES (3)") } }
    #expect(try await database.read { try $0.count("t") } == 3)
    withExtendedLifetime(directory) {}
  }
}

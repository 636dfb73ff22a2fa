import SQLiteCore
import Testing

@Suite struct `A statement compiled while other connections change the schema` {
  /// SQLite recompiles a statement once if it has used an outdated schema, and reports
  /// `SQLITE_SCHEMA` if the schema has changed again.
  ///
  /// One table never exists, and one is repeatedly created and dropped.
  @Test(arguments: ["SELECT * FROM missing", "SELECT * FROM u"] as [SQL])
  func `fails because of its own error, not because of the change`(_ sql: SQL) async throws {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    configuration.synchronous = .off
    try directory.connect(configuration).execute("CREATE TABLE t (a)")
    let path = directory.file()
    let isDone = Gate()
    let codes = Shared<Set<SQLiteError.Code>>([])
    await onThreads(2) { [configuration] index in
      if index == 0 {
        guard let writer = try? Connection(path: path, configuration: configuration) else { return }
        while !isDone.wait(seconds: 0) { try? writer.execute("CREATE TABLE u (a); DROP TABLE u") }
        return
      }
      defer { isDone.open() }
      guard let reader = try? Connection(path: path, configuration: configuration) else { return }
      for _ in 1...3_000 {
        do {
          _ = try reader.rows(sql)
        } catch {
          codes.update { $0.insert((error as? SQLiteError)?.code ?? .internalError) }
        }
      }
    }
    #expect(codes.value == [.error])
  }
}

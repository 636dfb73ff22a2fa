import ObserveTesting
@_spi(Observing) import SQLiteCore
import Testing

@testable import Observe

/// Virtual tables write pending data during other statements.
@Suite struct `Writes of virtual tables` {
  static let schema = """
    CREATE TABLE unwatched (x UNIQUE);
    CREATE VIRTUAL TABLE ft USING fts5(body);
    """

  @Test(arguments: Store.allCases)
  func `are observed if unobserved statements flush them`(_ store: Store) async throws {
    let query = "SELECT count(*), sum(length(block)) FROM ft_data"
    try await withDatabase(store, Self.schema) { database in
      let values = await Recording(
        database.observe { try $0.rows(SQL(unsafe: query)) }, of: database)
      // The second and third time, the statements are cached.
      for round in 1...3 {
        try await database.writeWithoutTransaction { connection in
          try connection.transaction {
            try connection.run("INSERT INTO unwatched VALUES (?)", -round)
            try connection.run("INSERT INTO ft VALUES (?)", "text \(round)")
            // Several rows that may conflict: this requires a statement journal, and opening it
            // makes a full-text table write.
            try connection.run("INSERT INTO unwatched VALUES (?), (?)", 2 * round, 2 * round + 1)
          }
        }
        await values.waitUntilIdle()
        let fresh = try await database.read { try $0.rows(SQL(unsafe: query)) }
        #expect(values.values.last == fresh)
      }
      #expect(Set(values.values).count == 4)
    }
  }

  @Test func `are reported row by row until the transaction ends`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let delegate = `Rows that no observer needs`.Delegate()
    delegate.interest = 1
    delegate.wanted = "ft_data"
    try connection.hooks.add(try CommitRecorder(connection, delegate: delegate))
    for round in 1...3 {
      try connection.transaction {
        try connection.run("INSERT INTO ft VALUES (?)", "text \(round)")
        try connection.run("INSERT INTO unwatched VALUES (?), (?)", 2 * round, 2 * round + 1)
      }
      #expect(delegate.reported.last?.tables["ft_data"]?.rows?.isEmpty == false, "round \(round)")
      // After the transaction, statements that no observer needs are unreported again.
      let count = delegate.reported.count
      try connection.run("DELETE FROM unwatched WHERE x = ?", 2 * round)
      #expect(delegate.reported.dropFirst(count).first?.tables["unwatched"]?.rows == nil)
    }
  }
}

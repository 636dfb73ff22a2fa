internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  /// Transactions that stay open between calls.
  static let openTransactionCases: [Case] = endedCases + nestedCases + misusedCases

  private static let endedCases: [Case] = [
    rule(.openTransactions, "ending commits the changes") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      try provider.execute("UPDATE t SET name = 'Rye' WHERE id = 3")
      try provider.endTransaction()
      try subject.expectRows(
        provider, "SELECT * FROM t", [[1, "Milk"], [2, "Bread"], [3, "Rye"]])
    },
    rule(.openTransactions, "rolling back reverts row changes") { subject in
      let provider = try subject.providerWithRows()
      for sql in [
        "DELETE FROM t", "UPDATE t SET name = 'x'", "INSERT INTO t VALUES (3, 'Salt')",
        "UPDATE t SET id = id + 10", "INSERT OR REPLACE INTO t VALUES (1, 'x')",
      ] {
        try provider.beginTransaction()
        try provider.execute(SQL(unsafe: sql))
        try provider.rollbackTransaction()
        try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      }
    },
    rule(.openTransactions, "rolling back reverts schema changes") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try provider.execute("CREATE TABLE u (a)")
      try provider.execute("DROP TABLE t")
      try subject.expect(provider.tableNames(), ["u"], "the tables in it")
      try provider.rollbackTransaction()
      try subject.expect(provider.tableNames(), ["t"], "the tables")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.openTransactions, "transactions can follow each other") { subject in
      let provider = try subject.providerWithRows()
      for id in 3...5 {
        try provider.beginTransaction()
        try provider.execute("INSERT INTO t (id) VALUES (?)", withParameters: [id])
        if id == 4 { try provider.rollbackTransaction() } else { try provider.endTransaction() }
      }
      try subject.expectRows(provider, "SELECT id FROM t", [[1], [2], [3], [5]])
    },
    rule(.openTransactions, "all accesses are part of it") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try provider.transaction { try $0.execute("INSERT INTO t VALUES (3, 'Salt')") }
      try provider.write { _ = try $0.run("DELETE FROM t WHERE id = 1") }
      _ = try provider.query("UPDATE t SET name = 'x' RETURNING id")
      try subject.expect(provider.countRows(inTable: "t"), 2, "the count of rows")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 3, "lastIntID")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.openTransactions, "an error does not end it") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      for sql in ["INSERT INTO t VALUES (1, 'x')", "no SQL", "DELETE FROM t; DELETE FROM nix"] {
        try subject.expectSQLiteError(doing: sql) { try provider.execute(SQL(unsafe: sql)) }
      }
      try subject.expectThrown("a write") {
        try provider.write { connection in
          try connection.run("DELETE FROM t")
          throw Subject.Thrown()
        }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      try provider.endTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.openTransactions, "a failed commit is rolled back") { subject in
      let provider = try subject.opened(
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)")
      try provider.beginTransaction()
      try provider.execute("INSERT INTO c VALUES (1)")
      try subject.expectSQLiteError(.constraintForeignKey, doing: "it is ended") {
        try provider.endTransaction()
      }
      try subject.expectValue(provider, "SELECT count(*) FROM c", 0)
      try subject.expectCode(.noTransaction, doing: "it is ended again") {
        try provider.endTransaction()
      }
      try provider.execute("INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)")
    },
  ]

  private static let nestedCases: [Case] = [
    rule(.openTransactions, "a nested transaction is rolled back separately") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      try provider.beginTransaction()
      try provider.execute("DELETE FROM t")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      try provider.endTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.openTransactions, "a nested transaction is rolled back with the outer one") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try provider.beginTransaction()
      try provider.execute("DELETE FROM t")
      try provider.endTransaction()
      try subject.expectValue(provider, "SELECT count(*) FROM t", 0)
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.openTransactions, "BEGIN, COMMIT and ROLLBACK are the same in SQL") { subject in
      let provider = try subject.providerWithRows()
      for (begin, end) in [
        ("BEGIN", "ROLLBACK"), (" begin immediate transaction; ", "-- undo\nROLLBACK TRANSACTION"),
        ("BEGIN EXCLUSIVE", "rollback;"),
      ] {
        try subject.expectResult(provider, begin, 1)
        try provider.execute("DELETE FROM t")
        try subject.expectResult(provider, end, 1)
        try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      }
      for end in ["COMMIT", "END", "end transaction;", "/* all */ COMMIT"] {
        try provider.execute("BEGIN DEFERRED")
        try provider.execute("UPDATE t SET id = id + 10")
        try provider.execute(SQL(unsafe: end))
        try subject.expectCode(.noTransaction, doing: end) {
          try provider.execute(SQL(unsafe: end))
        }
      }
      try subject.expectRows(provider, "SELECT id FROM t", [[41], [42]])
    },
    rule(.openTransactions, "they can be nested deeply") { subject in
      let provider = try subject.opened("CREATE TABLE t (a)")
      for depth in 1...20 {
        try provider.beginTransaction()
        try provider.execute("INSERT INTO t VALUES (?)", withParameters: [depth])
      }
      for depth in (1...20).reversed() {
        if depth.isMultiple(of: 2) {
          try provider.rollbackTransaction()
        } else {
          try provider.endTransaction()
        }
      }
      try subject.expectRows(provider, "SELECT a FROM t", [[1]])
    },
  ]

  private static let misusedCases: [Case] = [
    rule(.openTransactions, "ending without a transaction is refused") { subject in
      let provider = try subject.providerWithRows()
      for _ in 1...2 {
        try subject.expectCode(.noTransaction, doing: "it is ended") {
          try provider.endTransaction()
        }
        try subject.expectCode(.noTransaction, doing: "it is rolled back") {
          try provider.rollbackTransaction()
        }
        try provider.beginTransaction()
        try provider.endTransaction()
      }
      // A failed end of a transaction does not affect the next one.
      try provider.beginTransaction()
      try provider.execute("DELETE FROM t")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.openTransactions, "the next source has no transaction") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try provider.closeSource(discardingChanges: true)
      try provider.createSourceInMemory()
      try subject.expectCode(.noTransaction, doing: "it is ended") {
        try provider.endTransaction()
      }
      try provider.execute("CREATE TABLE t (a)")
    },
    asyncRule(.openTransactions, "it continues across awaits") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try await provider.execute("INSERT INTO t VALUES (3, 'Salt')")
      await Task.yield()
      let rows = try await provider.query("SELECT * FROM t").map(\.values)
      try subject.expect(rows, Subject.changedRows, "the rows in it")
      try await provider.transaction { try $0.execute("DELETE FROM t WHERE id = 1") }
      try provider.rollbackTransaction()
      let undone = try await provider.query("SELECT * FROM t").map(\.values)
      try subject.expect(undone, Subject.initialRows, "the rows")
    },
  ]
}

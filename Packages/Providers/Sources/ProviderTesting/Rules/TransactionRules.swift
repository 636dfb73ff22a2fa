internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  /// Transactions with a closure.
  static let transactionCases: [Case] = [
    rule(.transactions, "changes are committed, and the result is returned") { subject in
      let provider = try subject.providerWithRows()
      let count = try provider.transaction { transaction in
        try transaction.execute("INSERT INTO t VALUES (3, 'Salt')")
        return try transaction.countRows(inTable: "t")
      }
      try subject.expect(count, 3, "the result")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.transactions, "row changes are rolled back if it throws") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectThrown("the transaction") {
        try provider.transaction { transaction in
          try transaction.execute("INSERT INTO t VALUES (3, 'Salt')")
          try transaction.execute("UPDATE t SET name = 'x'")
          try transaction.execute("DELETE FROM t WHERE id = 1")
          throw Subject.Thrown()
        }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.transactions, "schema changes are rolled back if it throws") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectThrown("the transaction") {
        try provider.transaction { transaction in
          try transaction.execute("CREATE TABLE u (a)")
          try transaction.execute("ALTER TABLE t ADD COLUMN more")
          try transaction.execute("DROP TABLE t")
          throw Subject.Thrown()
        }
      }
      try subject.expect(provider.tableNames(), ["t"], "the tables")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.transactions, "a nested transaction is rolled back separately") { subject in
      let provider = try subject.providerWithRows()
      try provider.transaction { outer in
        try outer.execute("INSERT INTO t VALUES (3, 'Salt')")
        try subject.expectThrown("the inner transaction") {
          try outer.transaction { inner in
            try inner.execute("DELETE FROM t")
            throw Subject.Thrown()
          }
        }
        try outer.transaction { try $0.execute("UPDATE t SET name = 'Rye' WHERE id = 3") }
      }
      try subject.expectRows(
        provider, "SELECT * FROM t", [[1, "Milk"], [2, "Bread"], [3, "Rye"]])
    },
    rule(.transactions, "a nested transaction is rolled back with the outer one") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectThrown("the outer transaction") {
        try provider.transaction { outer in
          try outer.transaction { try $0.execute("DELETE FROM t") }
          throw Subject.Thrown()
        }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.transactions, "a caught error rolls back one statement") { subject in
      let provider = try subject.providerWithRows()
      try provider.transaction { transaction in
        try transaction.execute("INSERT INTO t VALUES (3, 'Salt')")
        try subject.expectSQLiteError(doing: "an existing key") {
          try transaction.execute("INSERT INTO t VALUES (4, 'x'), (1, 'y')")
        }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.transactions, "its changes are visible in it") { subject in
      let provider = try subject.providerWithRows()
      try provider.transaction { transaction in
        try transaction.execute("CREATE TABLE u (id INTEGER PRIMARY KEY)")
        try transaction.execute("INSERT INTO u VALUES (8)")
        try subject.expect(transaction.query("SELECT * FROM u").map(\.values), [[8]], "the rows")
        try subject.expect(transaction.tableNames().sorted(), ["t", "u"], "the tables")
        try subject.expect(transaction.lastIntID(forTable: "u", withKey: "id"), 8, "lastIntID")
        try subject.expect(transaction.tableExists("u"), true, "tableExists")
        try subject.expect(
          transaction.getTableSchema(forTableName: "u").columns.map(\.name), ["id"], "the columns")
        var count = 0
        try transaction.forEachRecord("SELECT * FROM t") { _ in count += 1 }
        try subject.expect(count, 2, "the rows handed over")
      }
    },
    rule(.transactions, "the provider itself can't be used inside") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectSQLiteError(.nestedAccess, doing: "a write inside a write") {
        try provider.transaction { _ in _ = try provider.execute("DELETE FROM t") }
      }
      try subject.expectSQLiteError(.nestedAccess, doing: "a transaction inside a write") {
        try provider.write { _ in try provider.beginTransaction() }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.transactions, "a write is a transaction, and is rolled back if it throws") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectThrown("the write") {
        try provider.write { connection in
          try connection.run("DELETE FROM t")
          throw Subject.Thrown()
        }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      let count = try provider.write { try $0.run("DELETE FROM t").count }
      try subject.expect(count, 2, "the result")
    },
    rule(.transactions, "a read can't write") { subject in
      let provider = try subject.providerWithRows()
      try subject.expectSQLiteError(.readOnly, doing: "a delete in a read") {
        try provider.read { _ = try $0.run("DELETE FROM t") }
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.transactions, "a deferred foreign key is checked at the end") { subject in
      let provider = try subject.opened(
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)")
      try subject.expectSQLiteError(.constraintForeignKey, doing: "a child of none") {
        _ = try provider.transaction { try $0.execute("INSERT INTO c VALUES (1)") }
      }
      try subject.expectValue(provider, "SELECT count(*) FROM c", 0)
      try provider.transaction { transaction in
        try transaction.execute("INSERT INTO c VALUES (1)")
        try transaction.execute("INSERT INTO p VALUES (1)")
      }
      try subject.expectValue(provider, "SELECT count(*) FROM c", 1)
    },
    rule(.transactions, "committed changes are preserved after reopening") { subject in
      let provider = try subject.providerWithRows()
      _ = try? provider.transaction { transaction in
        try transaction.execute("DELETE FROM t")
        throw Subject.Thrown()
      }
      try provider.transaction { try $0.execute("INSERT INTO t VALUES (3, 'Salt')") }
      try subject.expectRows(subject.reopened(provider), "SELECT * FROM t", Subject.changedRows)
    },
  ]
}

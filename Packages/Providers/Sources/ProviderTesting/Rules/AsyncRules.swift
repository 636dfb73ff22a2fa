internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let asyncCases: [Case] = accessCases + lifecycleCases + cancelledCases

  private static let accessCases: [Case] = [
    asyncRule(.async, "execute returns the same result as the synchronous form") { subject in
      let provider = try subject.opened("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
      let id = try await provider.execute(
        "INSERT INTO t VALUES (?, ?)", withParameters: [10, "Milk"])
      try subject.expect(id, 10, "the result of an insert")
      let count = try await provider.execute("UPDATE t SET name = 'x'; DELETE FROM t")
      try subject.expect(count, 1, "the result of a delete")
      let other = try await provider.execute("CREATE TABLE u (a)")
      try subject.expect(other, 1, "the result of a new table")
    },
    asyncRule(.async, "execute rolls back all statements if one fails") { subject in
      let provider = try subject.providerWithRows()
      let error = try await subject.expectError("the second statement") {
        try await provider.execute("DELETE FROM t; DELETE FROM nix")
      }
      try subject.expect(error is SQLiteError, true, "it is an SQLiteError: \(error)")
      try await expectFilled(provider, subject)
    },
    asyncRule(.async, "query returns the same rows, and executes writes") { subject in
      let provider = try subject.providerWithRows()
      let records = try await provider.query(
        "SELECT name, id FROM t WHERE id = ?", withParameters: [2])
      try subject.expect(records.columns, ["name", "id"], "the columns")
      try subject.expect(records.map(\.values), [["Bread", 2]], "the rows")
      let deleted = try await provider.query("DELETE FROM t RETURNING id")
      try subject.expect(deleted.count, 2, "the rows deleted")
      let rest = try await provider.countRows(inTable: "t")
      try subject.expect(rest, 0, "the count of rows")
    },
    asyncRule(.async, "tables can be inspected") { subject in
      let provider = try subject.providerWithRows()
      let exists = try await provider.tableExists("T")
      try subject.expect(exists, true, "tableExists")
      let isMissing = try await provider.tableExists("nix")
      try subject.expect(isMissing, false, "tableExists of a missing table")
      let names = try await provider.tableNames()
      try subject.expect(names, ["t"], "tableNames")
      let schema = try await provider.getTableSchema(forTableName: "t")
      try subject.expect(schema.columns.map(\.name), ["id", "name"], "the columns")
      let count = try await provider.countRows(
        inTable: "t", filteredBy: "id > ? -- not the first", withParameters: [1])
      try subject.expect(count, 1, "countRows")
      let last = try await provider.lastIntID(forTable: "t", withKey: "id")
      try subject.expect(last, 2, "lastIntID")
      let auto = try await provider.lastAutoID(forTable: "t")
      try subject.expect(auto, 2, "lastAutoID")
    },
    asyncRule(.async, "a missing table is the same error") { subject in
      let provider = try subject.providerWithRows()
      for body in [
        { _ = try await provider.getTableSchema(forTableName: "nix") },
        { _ = try await provider.countRows(inTable: "nix") },
        { _ = try await provider.lastIntID(forTable: "nix", withKey: "id") },
        { _ = try await provider.lastAutoID(forTable: "nix") },
      ] as [() async throws -> Void] {
        try await subject.expectCode(.unknownTable, doing: "a missing table", body)
      }
    },
    asyncRule(.async, "read and write return the results of their closures") { subject in
      let provider = try subject.providerWithRows()
      let count = try await provider.write { try $0.run("DELETE FROM t WHERE id = 1").count }
      try subject.expect(count, 1, "the result of a write")
      let rows = try await provider.read { try $0.rows("SELECT * FROM t") }
      try subject.expect(rows, [[2, "Bread"]], "the result of a read")
    },
    asyncRule(.async, "a write and a transaction are rolled back if they throw") { subject in
      let provider = try subject.providerWithRows()
      let error = try await subject.expectError("the write") {
        try await provider.write { connection in
          try connection.run("DELETE FROM t")
          throw Subject.Thrown()
        }
      }
      try subject.expect(error is Subject.Thrown, true, "the thrown error is rethrown: \(error)")
      try await subject.expectError("the transaction") {
        try await provider.transaction { transaction in
          try transaction.execute("DELETE FROM t")
          throw Subject.Thrown()
        }
      }
      try await expectFilled(provider, subject)
    },
    asyncRule(.async, "a transaction is committed") { subject in
      let provider = try subject.providerWithRows()
      let count = try await provider.transaction { transaction in
        try transaction.execute("DELETE FROM t WHERE id = 1")
        return try transaction.countRows(inTable: "t")
      }
      try subject.expect(count, 1, "the result")
      let rest = try await provider.countRows(inTable: "t")
      try subject.expect(rest, 1, "the count of rows")
    },
    asyncRule(.async, "a read can't write") { subject in
      let provider = try subject.providerWithRows()
      try await subject.expectError("a delete in a read") {
        try await provider.read { _ = try $0.run("DELETE FROM t") }
      }
      try await expectFilled(provider, subject)
    },
  ]

  private static func expectFilled(_ provider: any DataProvider, _ subject: Subject) async throws {
    let rows = try await provider.query("SELECT * FROM t").map(\.values)
    try subject.expect(rows, Subject.initialRows, "the rows")
  }

  private static let lifecycleCases: [Case] = [
    asyncRule(.async, "a source is opened, persisted, saved and closed", needs: .files) { subject in
      let provider = subject.provider()
      try await provider.openSource(subject.file())
      try await provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
      try await provider.execute("INSERT INTO t VALUES (1, 'Milk')")
      try await provider.persist()
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try await provider.execute("INSERT INTO t VALUES (2, 'Bread')")
      try await provider.saveSource(subject.file("u"))
      try subject.expect(provider.path, subject.path("u"), "path")
      try await provider.saveSource(atPath: subject.path("v"))
      try await provider.closeSource()
      try subject.expect(provider.isOpen, false, "isOpen")
      for name in ["u", "v"] {
        try await provider.openSource(atPath: subject.path(name), readOnly: true)
        try subject.expect(provider.isReadOnly, true, "isReadOnly")
        let names = try await provider.tableNames()
        let rows = try await provider.query("SELECT * FROM \"\(unsafe: names.first ?? "")\"")
        try subject.expect(rows.map(\.values), Subject.initialRows, "the rows of \(name)")
      }
      try await provider.closeSource(discardingChanges: true)
    },
    asyncRule(.async, "a source is created", needs: .files) { subject in
      let provider = subject.provider()
      try await provider.createSource(subject.file())
      try subject.expect(subject.workspace.exists(subject.path()), true, "the file exists")
      try await provider.createSource(atPath: subject.path("u"))
      try subject.expect(subject.workspace.exists(subject.path("u")), true, "the file exists")
    },
    asyncRule(.async, "a template is copied", needs: .files) { subject in
      try subject.bundleFileWithRows()
      let provider = subject.provider()
      try await provider.openSource(subject.file(), fromBundle: true)
      try subject.expect(provider.path, subject.path(), "path")
      try await expectFilled(provider, subject)
    },
    asyncRule(.async, "a source that can't be opened is the same error", needs: .files) { subject in
      let provider = subject.provider()
      try await subject.expectCode(.notFound, doing: "a missing file is read") {
        try await provider.openSource(subject.file(), readOnly: true)
      }
      try await subject.expectCode(.invalidName, doing: "a name leads elsewhere") {
        try await provider.openSource("../x")
      }
      try await subject.expectCode(.notOpen, doing: "nothing is persisted") {
        try await provider.persist()
      }
    },
    asyncRule(.async, "a file changed by others is not overwritten", needs: [.files, .persists]) {
      subject in
      let (provider, path) = try openedAged(subject)
      try await provider.execute("DELETE FROM t")
      try subject.workspace.write([], to: path)
      try await subject.expectCode(.fileChanged, doing: "it is persisted") {
        try await provider.persist()
      }
      try await provider.persist(overwritingChanges: true)
      try await provider.closeSource()
    },
  ]

  /// Runs `body` in a task that is already cancelled.
  private static func cancelled(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await body()
    }
    task.cancel()
    try await task.value
  }

  private static let cancellable: [(String, @Sendable (any DataProvider) async throws -> Void)] = [
    ("execute", { _ = try await $0.execute("DELETE FROM t") }),
    ("write", { try await $0.write { _ = try $0.run("DELETE FROM t") } }),
    ("transaction", { try await $0.transaction { _ = try $0.execute("DELETE FROM t") } }),
    ("query", { _ = try await $0.query("DELETE FROM t RETURNING id") }),
    ("read", { _ = try await $0.read { try $0.rows("SELECT 1") } }),
    ("countRows", { _ = try await $0.countRows(inTable: "t") }),
  ]

  private static let cancelledCases: [Case] = [
    asyncRule(.async, "a cancelled task has no effect") { subject in
      let provider = try subject.providerWithRows()
      for (name, body) in cancellable {
        let error = try await subject.expectError(name) {
          try await cancelled { try await body(provider) }
        }
        try subject.expect(
          error is CancellationError, true, "\(name) ends with CancellationError: \(error)")
      }
      try await expectFilled(provider, subject)
    },
    asyncRule(.async, "cancellation leaves the provider usable") { subject in
      let provider = try subject.providerWithRows()
      _ = try? await cancelled { try await provider.execute("DELETE FROM t") }
      let id = try await provider.execute("INSERT INTO t VALUES (3, 'Salt')")
      try subject.expect(id, 3, "the result of an insert")
    },
  ]
}

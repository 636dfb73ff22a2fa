internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let closingCases: [Case] = [
    rule(.closing, "closing without an open source has no effect") { subject in
      let provider = subject.provider()
      try provider.closeSource()
      try provider.closeSource(discardingChanges: true)
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.closing, "a source can be closed twice") { subject in
      let provider = try subject.providerWithRows()
      try provider.closeSource()
      try provider.closeSource()
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(provider.path, nil, "path")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
    },
    rule(.closing, "changes are written", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(.closing, "discarded changes are not written", needs: [.files, .persists]) { subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try subject.expectUntouched(path, "changes were discarded") {
        try provider.closeSource(discardingChanges: true)
      }
      try subject.expect(provider.isOpen, false, "isOpen")
      try provider.openSource(subject.file())
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.closing, "a discarded new source is not created", needs: [.files, .persists]) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.closeSource(discardingChanges: true)
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(
      .closing, "changes that were written immediately stay", needs: [.files, .writesImmediately]
    ) {
      subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try provider.closeSource(discardingChanges: true)
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(.closing, "a transaction must end first") { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      try subject.expectCode(.transactionOpen, doing: "it is closed") {
        try provider.closeSource()
      }
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      try provider.endTransaction()
      try provider.closeSource()
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.closing, "discarding changes rolls back a transaction", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      try provider.beginTransaction()
      try provider.beginTransaction()
      try subject.change(provider)
      try provider.closeSource(discardingChanges: true)
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(subject.contents(ofFile: path), Subject.initialRows, "the file")
      try provider.openSource(subject.file())
      try subject.expectCode(.noTransaction, doing: "a transaction is ended") {
        try provider.endTransaction()
      }
    },
    rule(.closing, "no other file is left next to the file", needs: .files) { subject in
      try subject.fileWithRows()
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file()],
        "the document directory")
    },
  ]

  // MARK: Without an open source

  private static let closedOperations: [(String, @Sendable (any DataProvider) throws -> Void)] = [
    ("execute", { try $0.execute("CREATE TABLE t (a)") }),
    ("execute of nothing", { try $0.execute("SELECT 1") }),
    ("query", { _ = try $0.query("SELECT 1") }),
    ("forEachRecord", { try $0.forEachRecord("SELECT 1") { _ in } }),
    ("records", { _ = try $0.records("SELECT 1") }), ("read", { try $0.read { _ in } }),
    ("write", { try $0.write { _ in } }), ("transaction", { try $0.transaction { _ in } }),
    ("tableExists", { _ = try $0.tableExists("t") }), ("tableNames", { _ = try $0.tableNames() }),
    ("getTableSchema", { _ = try $0.getTableSchema(forTableName: "t") }),
    ("countRows", { _ = try $0.countRows(inTable: "t") }),
    ("lastIntID", { _ = try $0.lastIntID(forTable: "t", withKey: "id") }),
    ("lastAutoID", { _ = try $0.lastAutoID(forTable: "t") }),
    ("databaseVersion", { _ = try $0.databaseVersion() }),
    ("database", { _ = try $0.database() }), ("persist", { try $0.persist() }),
    ("persist that overwrites", { try $0.persist(overwritingChanges: true) }),
    ("saveSource", { try $0.saveSource("x") }),
    ("beginTransaction", { try $0.beginTransaction() }),
    ("endTransaction", { try $0.endTransaction() }),
    ("rollbackTransaction", { try $0.rollbackTransaction() }),
  ]

  private static let closedAsyncOperations:
    [(String, @Sendable (any DataProvider) async throws -> Void)] = [
      ("execute", { try await $0.execute("CREATE TABLE t (a)") }),
      ("query", { _ = try await $0.query("SELECT 1") }),
      ("read", { try await $0.read { _ in } }), ("write", { try await $0.write { _ in } }),
      ("transaction", { try await $0.transaction { _ in } }),
      ("tableExists", { _ = try await $0.tableExists("t") }),
      ("tableNames", { _ = try await $0.tableNames() }),
      ("getTableSchema", { _ = try await $0.getTableSchema(forTableName: "t") }),
      ("countRows", { _ = try await $0.countRows(inTable: "t") }),
      ("lastIntID", { _ = try await $0.lastIntID(forTable: "t", withKey: "id") }),
      ("lastAutoID", { _ = try await $0.lastAutoID(forTable: "t") }),
      ("persist", { try await $0.persist() }), ("saveSource", { try await $0.saveSource("x") }),
    ]

  static let closedCases: [Case] =
    closedOperations.map { name, body in
      rule(.closed, "\(name) reports that no source is open") { subject in
        let provider = subject.provider()
        try subject.expectCode(.notOpen, doing: name) { try body(provider) }
        try provider.createSourceInMemory()
        try provider.closeSource()
        try subject.expectCode(.notOpen, doing: "\(name) after closing") { try body(provider) }
      }
    }
    + closedAsyncOperations.map { name, body in
      asyncRule(.closed, "asynchronous \(name) reports that no source is open") { subject in
        let provider = subject.provider()
        try await subject.expectCode(.notOpen, doing: name) { try await body(provider) }
      }
    }
    + [
      rule(.closed, "a database and a reader report that they are closed") { subject in
        let provider = try subject.providerWithRows()
        let database = try provider.database()
        try provider.closeSource()
        try subject.expectSQLiteError(.closed, doing: "the database is read") {
          _ = try database.read { try $0.value(Int.self, "SELECT 1") }
        }
      },
      asyncRule(.closed, "a running stream reports that the source is closed") { subject in
        let provider = try subject.providerWithRows()
        let records = try provider.records("SELECT * FROM t")
        try await provider.closeSource()
        let error = try await subject.expectError("records are read") {
          for try await _ in records {}
        }
        try subject.expect(error is SQLiteError, true, "it is an SQLiteError: \(error)")
      },
    ]
}

internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let persistingCases: [Case] = writtenCases + noOpCases + immediateCases

  /// Returns a provider with an open file whose modification time was set back.
  static func openedAged(_ subject: Subject) throws -> (any DataProvider, path: String) {
    let path = try subject.fileWithRows()
    try subject.workspace.backdate(path)
    let provider = subject.provider()
    try provider.openSource(subject.file())
    return (provider, path)
  }

  private static let writtenCases: [Case] = [
    rule(.persisting, "changes are not in the file before persisting", needs: [.files, .persists]) {
      subject in
      let (provider, path) = try openedAged(subject)
      try subject.expectUntouched(path, "a row was inserted") { try subject.change(provider) }
      try subject.expect(provider.hasUnsavedChanges, true, "hasUnsavedChanges")
    },
    rule(.persisting, "changes are in the file after persisting", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try provider.persist()
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(.persisting, "later changes are written the next time", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      for id in 3...6 {
        try provider.execute("INSERT INTO t VALUES (?, 'x')", withParameters: [id])
        try provider.persist()
        try subject.expect(subject.contents(ofFile: path).count, id, "the rows of the file")
      }
    },
    rule(.persisting, "deleted rows are deleted in the file", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      try provider.execute("DELETE FROM t WHERE id = 1")
      try provider.execute("UPDATE t SET name = 'Salt'")
      try provider.persist()
      try subject.expect(subject.contents(ofFile: path), [[2, "Salt"]], "the file")
    },
    rule(.persisting, "a dropped table is dropped in the file", needs: [.files, .severalTables]) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.execute("CREATE TABLE u (a)")
      try provider.persist()
      try provider.execute("DROP TABLE t")
      try subject.expect(subject.reopened(provider).tableNames(), ["u"], "the tables")
    },
    rule(.persisting, "an empty table is in the file", needs: [.files, .severalTables]) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.persist()
      try provider.execute("CREATE TABLE u (a, b)")
      try subject.expect(
        subject.reopened(provider).query("SELECT * FROM u").columns, ["a", "b"], "the columns")
    },
    rule(.persisting, "a new source is written", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.persist()
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows of the file")
    },
    rule(.persisting, "a committed transaction is written", needs: .files) { subject in
      let (provider, path) = try openedAged(subject)
      try provider.beginTransaction()
      try subject.change(provider)
      try provider.endTransaction()
      try provider.persist()
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(.persisting, "a file written again has the same content", needs: [.files, .persists]) {
      subject in
      let (provider, path) = try openedAged(subject)
      let bytes = try subject.workspace.bytes(of: path)
      try subject.change(provider)
      try provider.persist()
      try provider.execute("DELETE FROM t WHERE id = 3")
      try provider.persist()
      try subject.expect(
        String(decoding: subject.workspace.bytes(of: path), as: UTF8.self),
        String(decoding: bytes, as: UTF8.self), "the file")
    },
    rule(.persisting, "schema changes are written", needs: [.files, .schema]) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.persist()
      try provider.execute("CREATE INDEX names ON t (name)")
      try provider.persist()
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      let reopened = try subject.reopened(provider)
      try subject.expectValue(
        reopened, "SELECT count(*) FROM sqlite_schema WHERE name = 'names'", 1)
    },
    rule(.persisting, "the user version is written", needs: [.files, .schema]) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.persist()
      try provider.execute("PRAGMA user_version = 7")
      try provider.persist()
      try subject.expect(subject.reopened(provider).databaseVersion(), 7, "databaseVersion")
    },
    rule(.persisting, "no other file is left next to the file", needs: .files) { subject in
      let (provider, _) = try openedAged(subject)
      try subject.change(provider)
      try provider.persist()
      try provider.closeSource()
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file()],
        "the document directory")
    },
  ]

  private static let noOps: [(String, @Sendable (any DataProvider) throws -> Void)] = [
    ("no change was made", { _ in }), ("it was read", { _ = try $0.query("SELECT * FROM t") }),
    ("no row was changed", { try $0.execute("UPDATE t SET name = 'x' WHERE id = 7") }),
    ("no table was created", { try $0.execute("CREATE TABLE IF NOT EXISTS t (a)") }),
    (
      "a failed change was rolled back",
      {
        _ = try? $0.execute("INSERT INTO t VALUES (3, 'x'); INSERT INTO t VALUES (1, 'y')")
      }
    ),
    (
      "a transaction was rolled back",
      {
        try $0.beginTransaction()
        try $0.execute("DELETE FROM t")
        try $0.rollbackTransaction()
      }
    ),
    ("an empty transaction ended", { try $0.transaction { _ in } }),
  ]

  private static let noOpCases: [Case] =
    noOps.map { name, body in
      rule(.persisting, "a file is not modified if \(name)", needs: .files) { subject in
        let (provider, path) = try openedAged(subject)
        try body(provider)
        try subject.expectUntouched(path, "\(name), and that was persisted") {
          try provider.persist()
          try provider.persist()
          try provider.closeSource()
        }
      }
    }
    + [
      rule(
        .persisting, "a written file is not written again", needs: [.files, .persists]
      ) { subject in
        let (provider, path) = try openedAged(subject)
        try subject.change(provider)
        try provider.persist()
        try subject.expectUntouched(path, "no further change was made") {
          try provider.persist()
          try provider.closeSource()
        }
      },
      rule(.persisting, "persisting is refused while a transaction is open", needs: .files) {
        subject in
        let (provider, path) = try openedAged(subject)
        try provider.beginTransaction()
        try subject.change(provider)
        try subject.expectUntouched(path, "it was persisted in a transaction") {
          try subject.expectCode(.transactionOpen, doing: "it is persisted") {
            try provider.persist()
          }
        }
        try provider.endTransaction()
        try provider.persist()
        try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
      },
      rule(.persisting, "a source in memory has no unsaved changes") { subject in
        let provider = subject.provider()
        try provider.createSourceInMemory()
        try subject.fill(provider)
        try provider.persist()
        try provider.persist(overwritingChanges: true)
        try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
        try subject.expect(
          subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
      },
    ]

  private static let immediateCases: [Case] = [
    rule(
      .persisting, "changes are visible to others immediately", needs: [.files, .writesImmediately]
    ) { subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(
      .persisting, "changes by others are visible immediately", needs: [.files, .writesImmediately]
    ) { subject in
      let (provider, _) = try openedAged(subject)
      let other = subject.provider()
      try other.openSource(subject.file())
      try subject.change(other)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(
      .persisting, "a transaction is visible to others after its end",
      needs: [.files, .writesImmediately]
    ) { subject in
      let (provider, path) = try openedAged(subject)
      try provider.beginTransaction()
      try subject.change(provider)
      try subject.expect(subject.contents(ofFile: path), Subject.initialRows, "the file")
      try provider.endTransaction()
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
  ]
}

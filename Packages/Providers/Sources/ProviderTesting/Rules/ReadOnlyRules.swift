internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let readOnlyCases: [Case] = readingCases + refusedCases

  private static let readingCases: [Case] = [
    rule(.readOnly, "a read-only source can be read", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), readOnly: true)
      try subject.expect(provider.isReadOnly, true, "isReadOnly")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      try subject.expect(provider.countRows(inTable: "t"), 2, "the count of rows")
      try subject.expect(provider.lastIntID(forTable: "t", withKey: "id"), 2, "the last id")
    },
    rule(.readOnly, "a read-only source must exist", needs: .files) { subject in
      let provider = subject.provider()
      try subject.expectCode(.notFound, doing: "a missing file is opened") {
        try provider.openSource(subject.file(), readOnly: true)
      }
      try subject.expectCode(.notFound, doing: "a missing path is opened") {
        try provider.openSource(atPath: subject.path(), readOnly: true)
      }
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(.readOnly, "the next source is writable again", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), readOnly: true)
      try provider.closeSource()
      try subject.expect(provider.isReadOnly, false, "isReadOnly without an open source")
      try provider.openSource(subject.file())
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.change(provider)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.readOnly, "a source at a path can be opened as read-only", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(atPath: path, readOnly: true)
      try subject.expect(provider.isReadOnly, true, "isReadOnly")
      try subject.expectCode(.readOnly, doing: "a row is inserted") { try subject.change(provider) }
    },
    rule(.readOnly, "a read-only source is not modified", needs: .files) { subject in
      let path = try subject.fileWithRows()
      try subject.workspace.backdate(path)
      try subject.expectUntouched(path, "it was only read") {
        let provider = subject.provider()
        try provider.openSource(subject.file(), readOnly: true)
        _ = try? subject.change(provider)
        try provider.persist()
        try provider.persist(overwritingChanges: true)
        try provider.closeSource()
      }
    },
    rule(.readOnly, "a read-only source can be saved to another file", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), readOnly: true)
      try provider.saveSource(subject.file("u"))
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.changedRows, "the rows saved")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows only read")
    },
  ]

  private static let refused: [(String, @Sendable (any DataProvider) throws -> Void)] = [
    ("an insert", { try $0.execute("INSERT INTO t VALUES (3, 'Salt')") }),
    ("an update", { try $0.execute("UPDATE t SET name = 'Salt'") }),
    ("a delete", { try $0.execute("DELETE FROM t") }),
    ("a new table", { try $0.execute("CREATE TABLE u (a)") }),
    ("a drop", { try $0.execute("DROP TABLE t") }),
    ("a query that writes", { _ = try $0.query("DELETE FROM t RETURNING id") }),
    ("a write", { try $0.write { _ = try $0.run("DELETE FROM t") } }),
    ("a write while it is read", { try $0.read { _ = try $0.run("DELETE FROM t") } }),
    ("a transaction", { try $0.transaction { _ = try $0.execute("DELETE FROM t") } }),
    ("a transaction that stays open", { try $0.beginTransaction() }),
  ]

  private static let refusedCases: [Case] = refused.map { name, body in
    rule(.readOnly, "\(name) is refused", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), readOnly: true)
      let error = try subject.expectError(name) { try body(provider) }
      let code = (error as? ProviderError)?.code
      if code != .readOnly, (error as? SQLiteError)?.code.primary != .readOnly {
        throw Failure(
          rule: subject.rule, subject: name, expected: "an error of code readOnly",
          got: "\(error)")
      }
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    }
  }
}

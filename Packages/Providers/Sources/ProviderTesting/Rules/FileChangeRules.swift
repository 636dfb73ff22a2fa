internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  /// Modifications of a file by others while it is open.
  static let fileChangeCases: [Case] = changedCases + overwritingCases

  private static let changes: [(String, @Sendable (Subject, String) throws -> Void)] = [
    ("changed", { subject, path in try changeByAnother(subject, path) }),
    (
      "replaced",
      { subject, path in
        let other = try subject.fileWithRows(named: "other")
        // The same bytes would count as an unchanged file.
        try changeByAnother(subject, other)
        try subject.workspace.delete(path)
        try subject.workspace.move(other, to: path)
      }
    ), ("deleted", { subject, path in try subject.workspace.delete(path) }),
    (
      "made longer",
      { subject, path in
        try subject.workspace.write(subject.workspace.bytes(of: path) + [10], to: path)
      }
    ), ("emptied", { subject, path in try subject.workspace.write([], to: path) }),
  ]

  private static func changeByAnother(_ subject: Subject, _ path: String) throws {
    let other = subject.provider()
    try other.openSource(atPath: path)
    // The table can be named after the file.
    let table = SQLName.quoted(try other.tableNames().first ?? "t")
    try other.execute("INSERT INTO \(unsafe: table) VALUES (9, 'of another')")
    try other.closeSource()
  }

  private static let changedCases: [Case] =
    changes.map { name, body in
      rule(
        .fileChanges, "a file that was \(name) is not overwritten", needs: [.files, .persists]
      ) { subject in
        let (provider, path) = try openedAged(subject)
        try subject.change(provider)
        try body(subject, path)
        let before = try? subject.workspace.state(of: path)
        try subject.expectCode(.fileChanged, doing: "it is persisted") { try provider.persist() }
        try subject.expectCode(.fileChanged, doing: "it is closed") { try provider.closeSource() }
        try subject.expect(try? subject.workspace.state(of: path), before, "the file")
        try subject.expect(provider.isOpen, true, "isOpen")
        try subject.expect(provider.hasUnsavedChanges, true, "hasUnsavedChanges")
        try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      }
    }
    + changes.map { name, body in
      rule(
        .fileChanges, "a file that was \(name) is overwritten on request",
        needs: [.files, .persists]
      ) { subject in
        let (provider, path) = try openedAged(subject)
        try subject.change(provider)
        try body(subject, path)
        try provider.persist(overwritingChanges: true)
        try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
        try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
        try provider.execute("DELETE FROM t WHERE id > 1")
        try provider.persist()
        try subject.expect(subject.contents(ofFile: path), [[1, "Milk"]], "the file afterwards")
      }
    }

  private static let overwritingCases: [Case] = [
    rule(
      .fileChanges, "a changed file is not overwritten without changes to write",
      needs: [.files, .persists]
    ) { subject in
      let (provider, path) = try openedAged(subject)
      try changeByAnother(subject, path)
      try subject.expectUntouched(path, "there was nothing to write") {
        try provider.persist()
        try provider.closeSource()
      }
    },
    rule(
      .fileChanges, "a file created by others is not overwritten",
      needs: [.files, .persists]
    ) { subject in
      let provider = try subject.providerWithRows()
      let other = subject.provider()
      try other.createSource(subject.file())
      try other.closeSource()
      try subject.expectUntouched(subject.path(), "another file was there") {
        try subject.expectCode(.fileChanged, doing: "it is persisted") { try provider.persist() }
      }
      try provider.persist(overwritingChanges: true)
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows of the file")
    },
    rule(
      .fileChanges, "changes can be discarded or saved to another file", needs: [.files, .persists]
    ) { subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try changeByAnother(subject, path)
      try provider.saveSource(subject.file("u"))
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.changedRows, "what was saved")
      try subject.expect(
        subject.contents(ofFile: path), Subject.initialRows + [[9, "of another"]], "the file")
      try provider.openSource(subject.file())
      try subject.change(provider)
      try changeAgain(subject, path)
      try provider.closeSource(discardingChanges: true)
      try subject.expect(provider.isOpen, false, "isOpen")
    },
  ]

  private static func changeAgain(_ subject: Subject, _ path: String) throws {
    let other = subject.provider()
    try other.openSource(atPath: path)
    try other.execute("DELETE FROM t")
    try other.closeSource()
  }

  /// Errors of the file system when writing.
  static let fileSystemCases: [Case] = [
    rule(.fileSystem, "a source whose folder was removed stays open", needs: [.files, .persists]) {
      subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try subject.workspace.move(subject.workspace.documents, to: "\(subject.workspace.root)/away")
      try subject.expectError("it is persisted") { try provider.persist() }
      try subject.expectError("it is closed") { try provider.closeSource() }
      try subject.expect(provider.hasUnsavedChanges, true, "hasUnsavedChanges")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
      try subject.workspace.move("\(subject.workspace.root)/away", to: subject.workspace.documents)
      try provider.persist()
      try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
    },
    rule(.fileSystem, "a file that became a folder is not modified", needs: [.files, .persists]) {
      subject in
      let (provider, path) = try openedAged(subject)
      try subject.change(provider)
      try subject.workspace.delete(path)
      try subject.workspace.makeFolder("\(path)/inner")
      for overwrites in [false, true] {
        try subject.expectError("it is persisted") {
          try provider.persist(overwritingChanges: overwrites)
        }
      }
      try subject.expect(subject.workspace.names(in: path), ["inner"], "the folder")
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file()],
        "the document directory")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.fileSystem, "permissions are preserved", needs: .files) { subject in
      let path = try subject.fileWithRows()
      for permissions in [0o600, 0o640, 0o666, 0o755] {
        try subject.workspace.setPermissions(permissions, of: path)
        let provider = subject.provider()
        try provider.openSource(subject.file())
        try provider.execute("INSERT INTO t (name) VALUES ('x')")
        try provider.closeSource()
        try subject.expect(subject.workspace.permissions(of: path), permissions, "permissions")
      }
    },
    rule(.fileSystem, "a symbolic link is preserved, and its target is written", needs: .files) {
      subject in
      let path = try subject.fileWithRows()
      let link = subject.path("link")
      for target in [path, subject.file()] {
        try subject.workspace.makeLink(link, to: target)
        let provider = subject.provider()
        try provider.openSource(subject.file("link"))
        let table = try SQLName.quoted(provider.tableNames().first ?? "")
        try provider.execute("DELETE FROM \(unsafe: table) WHERE id = 3")
        try subject.change(provider)
        try provider.closeSource()
        try subject.expect(subject.workspace.target(of: link), target, "the target of the link")
        try subject.expect(subject.contents(ofFile: path), Subject.changedRows, "the file")
        try subject.workspace.delete(link)
      }
    },
    rule(.fileSystem, "a dangling link leads to the created file", needs: .files) { subject in
      let links = [
        ("t", "\(subject.workspace.root)/\(subject.file("target"))"), ("u", subject.file("t")),
        ("v", "../documents/\(subject.file("u"))"),
      ]
      for (name, target) in links {
        try subject.workspace.makeLink(subject.path(name), to: target)
      }
      try subject.fileWithRows(named: "v")
      for (name, target) in links {
        try subject.expect(
          subject.workspace.target(of: subject.path(name)), target, "the target of \(name)")
        try subject.expect(
          subject.contents(ofFile: subject.path(name)), Subject.initialRows, "the rows of \(name)")
      }
      try subject.expect(
        subject.contents(ofFile: links[0].1), Subject.initialRows, "the rows of the file")
    },
    rule(.fileSystem, "a folder can be a symbolic link", needs: .files) { subject in
      try subject.workspace.makeFolder("\(subject.workspace.root)/elsewhere")
      try subject.workspace.makeLink(
        "\(subject.workspace.documents)/link", to: "\(subject.workspace.root)/elsewhere")
      let provider = try subject.providerWithRows(named: "link/t")
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: "\(subject.workspace.root)/elsewhere/\(subject.file())"),
        Subject.initialRows, "the rows")
    },
  ]
}

internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let openingCases: [Case] = emptyCases + againCases + failingCases + memoryCases

  private static let emptyCases: [Case] = [
    rule(.opening, "a provider begins with nothing open") { subject in
      let provider = type(of: subject.provider()).init()
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try subject.expect(provider.path, nil, "path")
    },
    rule(.opening, "the shared provider is always the same") { subject in
      let kind = type(of: subject.provider())
      try subject.expect(kind.shared === kind.shared, true, "the shared provider is the same")
      try subject.expect(kind.init() === kind.shared, false, "another is the shared one")
    },
    rule(.opening, "a source that is not there begins empty", needs: .files) { subject in
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(provider.tableNames(), [], "the tables")
    },
    rule(.opening, "a source that was not there is when it is closed", needs: .files) { subject in
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.closeSource()
      try subject.expect(subject.workspace.exists(subject.path()), true, "the file exists")
      try provider.openSource(subject.file(), readOnly: true)
      try subject.expect(provider.tableNames(), [], "the tables")
    },
    rule(.opening, "a source is made at once by createSource", needs: .files) { subject in
      let provider = subject.provider()
      try provider.createSource(subject.file())
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(subject.workspace.exists(subject.path()), true, "the file exists")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
    },
    rule(.opening, "a source is made at a path by createSource", needs: .files) { subject in
      let provider = subject.provider()
      let path = "\(subject.workspace.root)/\(subject.file("x"))"
      try provider.createSource(atPath: path)
      try subject.expect(provider.path, path, "path")
      try subject.expect(subject.workspace.exists(path), true, "the file exists")
    },
    rule(.opening, "a source that is there is opened by createSource", needs: .files) { subject in
      let path = try subject.filledFile()
      for open in [
        { try $0.createSource(subject.file()) }, { try $0.createSource(atPath: path) },
      ] as [(any DataProvider) throws -> Void] {
        let provider = subject.provider()
        try open(provider)
        try subject.expect(subject.contents(provider), Subject.filledRows, "the rows")
        try provider.closeSource()
      }
    },
  ]

  private static let againCases: [Case] = [
    rule(.opening, "what was written is there when it is opened again", needs: .files) { subject in
      try subject.filledFile()
      let provider = subject.provider()
      for _ in 1...3 {
        try provider.openSource(subject.file())
        try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
        try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
        try provider.closeSource()
      }
    },
    rule(.opening, "what is open is written and closed before another", needs: .files) { subject in
      let provider = try subject.filled()
      try provider.openSource(subject.file("u"))
      try subject.expect(provider.path, subject.path("u"), "path")
      try subject.expect(provider.tableNames(), [], "the tables of the second")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.filledRows, "the rows of the first")
    },
    rule(.opening, "what is open is written and opened again", needs: .files) { subject in
      let provider = try subject.filled()
      try provider.openSource(subject.file())
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
    },
    rule(.opening, "a source that is open in a transaction stays so", needs: .files) { subject in
      let provider = try subject.filled()
      try provider.beginTransaction()
      try subject.expectCode(.transactionOpen, doing: "another is opened") {
        try provider.openSource(subject.file("u"))
      }
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(subject.workspace.exists(subject.path("u")), false, "the other exists")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
    },
    rule(.opening, "several providers have one source each", needs: .files) { subject in
      let first = try subject.filled()
      let second = try subject.opened("CREATE TABLE u (a)", named: "u")
      try subject.expect(first.tableNames(), ["t"], "the tables of the first")
      try subject.expect(second.tableNames(), ["u"], "the tables of the second")
      try second.closeSource()
      try subject.expectRows(first, "SELECT * FROM t", Subject.filledRows)
    },
    rule(.opening, "a source at a path is opened, wherever it is", needs: .files) { subject in
      let path = try subject.filledFile()
      let moved = "\(subject.workspace.root)/\(subject.file())"
      try subject.workspace.move(path, to: moved)
      let provider = subject.provider()
      try provider.openSource(atPath: moved)
      try subject.expect(provider.path, moved, "path")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
    },
    rule(.opening, "a file of another place has its own rows", needs: .files) { subject in
      let path = try subject.filledFile()
      try subject.workspace.copy(path, to: subject.path("v"))
      let provider = subject.provider()
      try provider.openSource(subject.file("v"))
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: path), Subject.filledRows, "the first")
      try subject.expect(
        subject.contents(ofFile: subject.path("v")), Subject.changedRows, "the copy")
    },
    rule(.opening, "a source that is opened and closed is not touched", needs: .files) { subject in
      let path = try subject.filledFile()
      try subject.workspace.age(path)
      try subject.expectUntouched(path, "it was read") {
        let provider = subject.provider()
        try provider.openSource(subject.file())
        _ = try subject.contents(provider)
        try provider.closeSource()
      }
    },
  ]

  private static let failingCases: [Case] = [
    rule(
      .opening, "what is none of the provider's files is refused, and left",
      needs: [.files, .refusesOtherFiles]
    ) { subject in
      let garbage = Array("\u{1}{[<&>`neither this \u{0} nor that".utf8) + [0xFF, 0xC3, 0x28]
      try subject.workspace.write(garbage, to: subject.path())
      let provider = subject.provider()
      for readOnly in [false, true] {
        try subject.expectError("garbage is opened") {
          try provider.openSource(subject.file(), readOnly: readOnly)
        }
        try subject.expect(provider.isOpen, false, "isOpen")
        try subject.expect(subject.workspace.bytes(of: subject.path()), garbage, "the file")
      }
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file()],
        "the document directory")
    },
    rule(
      .opening, "what is open is closed though the next can't be opened",
      needs: [.files, .refusesOtherFiles]
    ) { subject in
      try subject.workspace.write(Array(repeating: 0xFF, count: 600), to: subject.path("u"))
      let provider = try subject.filled()
      try subject.expectError("garbage is opened") { try provider.openSource(subject.file("u")) }
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.filledRows, "the rows of the first")
    },
    rule(.opening, "a folder is no source", needs: .files) { subject in
      try subject.workspace.makeFolder(subject.path())
      let provider = subject.provider()
      try subject.expectError("a folder is opened") { try provider.openSource(subject.file()) }
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.opening, "a path in a folder that is not there is refused", needs: .files) { subject in
      let provider = subject.provider()
      let path = "\(subject.workspace.root)/nowhere/\(subject.file())"
      try subject.expectError("a file in no folder is made") {
        try provider.createSource(atPath: path)
      }
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.opening, "a provider that failed to open one opens another", needs: .files) { subject in
      let provider = subject.provider()
      try subject.expectError("nothing is opened") {
        try provider.openSource("nix", readOnly: true)
      }
      try subject.filledFile()
      try provider.openSource(subject.file())
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
    },
  ]

  private static let memoryCases: [Case] = [
    rule(.opening, "a source in memory has no path") { subject in
      let provider = subject.provider()
      try provider.createSourceInMemory()
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(provider.path, nil, "path")
      try subject.fill(provider)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
    },
    rule(.opening, "a source in memory is gone when it is closed") { subject in
      let provider = subject.provider()
      try provider.createSourceInMemory()
      try subject.fill(provider)
      try provider.persist()
      try provider.closeSource()
      try provider.createSourceInMemory()
      try subject.expect(provider.tableNames(), [], "the tables")
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(.opening, "sources in memory are each one's own") { subject in
      let first = subject.provider()
      let second = subject.provider()
      try first.createSourceInMemory()
      try second.createSourceInMemory()
      try subject.fill(first)
      try subject.expect(second.tableNames(), [], "the tables of the second")
    },
  ]
}

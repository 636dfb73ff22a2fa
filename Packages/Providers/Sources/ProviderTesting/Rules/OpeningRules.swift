internal import Providers
internal import SQLiteCore

extension ProviderConformance {
  static let openingCases: [Case] = emptyCases + againCases + failingCases + memoryCases

  private static let emptyCases: [Case] = [
    rule(.opening, "a new provider has no open source") { subject in
      let provider = type(of: subject.provider()).init()
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try subject.expect(provider.path, nil, "path")
    },
    rule(.opening, "the shared provider is always the same") { subject in
      let kind = type(of: subject.provider())
      try subject.expect(kind.shared === kind.shared, true, "the shared provider is the same")
      try subject.expect(kind.init() === kind.shared, false, "a new provider is not the shared one")
    },
    rule(.opening, "a missing source is empty when opened", needs: .files) { subject in
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(provider.tableNames(), [], "the tables")
    },
    rule(.opening, "a missing source exists after closing", needs: .files) { subject in
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.closeSource()
      try subject.expect(subject.workspace.exists(subject.path()), true, "the file exists")
      try provider.openSource(subject.file(), readOnly: true)
      try subject.expect(provider.tableNames(), [], "the tables")
    },
    rule(.opening, "createSource creates the file immediately", needs: .files) { subject in
      let provider = subject.provider()
      try provider.createSource(subject.file())
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(subject.workspace.exists(subject.path()), true, "the file exists")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
    },
    rule(.opening, "createSource creates a file at a path", needs: .files) { subject in
      let provider = subject.provider()
      let path = "\(subject.workspace.root)/\(subject.file("x"))"
      try provider.createSource(atPath: path)
      try subject.expect(provider.path, path, "path")
      try subject.expect(subject.workspace.exists(path), true, "the file exists")
    },
    rule(.opening, "createSource opens an existing source", needs: .files) { subject in
      let path = try subject.fileWithRows()
      for open in [
        { try $0.createSource(subject.file()) }, { try $0.createSource(atPath: path) },
      ] as [(any DataProvider) throws -> Void] {
        let provider = subject.provider()
        try open(provider)
        try subject.expect(subject.contents(provider), Subject.initialRows, "the rows")
        try provider.closeSource()
      }
    },
  ]

  private static let againCases: [Case] = [
    rule(.opening, "changes are preserved after reopening", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      for _ in 1...3 {
        try provider.openSource(subject.file())
        try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
        try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
        try provider.closeSource()
      }
    },
    rule(.opening, "opening another source writes and closes the open one", needs: .files) {
      subject in
      let provider = try subject.providerWithRows()
      try provider.openSource(subject.file("u"))
      try subject.expect(provider.path, subject.path("u"), "path")
      try subject.expect(provider.tableNames(), [], "the tables of the second")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows of the first")
    },
    rule(.opening, "opening the open source writes and reopens it", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.openSource(subject.file())
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.opening, "a source with an open transaction stays open", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.expectCode(.transactionOpen, doing: "another is opened") {
        try provider.openSource(subject.file("u"))
      }
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(subject.workspace.exists(subject.path("u")), false, "the other exists")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.opening, "several providers can have one source each", needs: .files) { subject in
      let first = try subject.providerWithRows()
      let second = try subject.opened("CREATE TABLE u (a)", named: "u")
      try subject.expect(first.tableNames(), ["t"], "the tables of the first")
      try subject.expect(second.tableNames(), ["u"], "the tables of the second")
      try second.closeSource()
      try subject.expectRows(first, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.opening, "a source at any path can be opened", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let moved = "\(subject.workspace.root)/\(subject.file())"
      try subject.workspace.move(path, to: moved)
      let provider = subject.provider()
      try provider.openSource(atPath: moved)
      try subject.expect(provider.path, moved, "path")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.opening, "a copied file has its own rows", needs: .files) { subject in
      let path = try subject.fileWithRows()
      try subject.workspace.copy(path, to: subject.path("v"))
      let provider = subject.provider()
      try provider.openSource(subject.file("v"))
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: path), Subject.initialRows, "the first")
      try subject.expect(
        subject.contents(ofFile: subject.path("v")), Subject.changedRows, "the copy")
    },
    rule(.opening, "opening and closing does not modify a source", needs: .files) { subject in
      let path = try subject.fileWithRows()
      try subject.workspace.backdate(path)
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
      .opening, "a file in another format is refused and not modified",
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
      .opening, "the open source is closed even if the next can't be opened",
      needs: [.files, .refusesOtherFiles]
    ) { subject in
      try subject.workspace.write(Array(repeating: 0xFF, count: 600), to: subject.path("u"))
      let provider = try subject.providerWithRows()
      try subject.expectError("garbage is opened") { try provider.openSource(subject.file("u")) }
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows of the first")
    },
    rule(.opening, "a folder is not a source", needs: .files) { subject in
      try subject.workspace.makeFolder(subject.path())
      let provider = subject.provider()
      try subject.expectError("a folder is opened") { try provider.openSource(subject.file()) }
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.opening, "a path in a missing folder is refused", needs: .files) { subject in
      let provider = subject.provider()
      let path = "\(subject.workspace.root)/nowhere/\(subject.file())"
      try subject.expectError("a file in a missing folder is created") {
        try provider.createSource(atPath: path)
      }
      try subject.expect(provider.isOpen, false, "isOpen")
    },
    rule(.opening, "a provider can open a source after a failure", needs: .files) { subject in
      let provider = subject.provider()
      try subject.expectError("no source is opened") {
        try provider.openSource("nix", readOnly: true)
      }
      try subject.fileWithRows()
      try provider.openSource(subject.file())
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
  ]

  private static let memoryCases: [Case] = [
    rule(.opening, "a source in memory has no path") { subject in
      let provider = subject.provider()
      try provider.createSourceInMemory()
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(provider.path, nil, "path")
      try subject.fill(provider)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.opening, "a source in memory is lost when it is closed") { subject in
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
    rule(.opening, "sources in memory are separate") { subject in
      let first = subject.provider()
      let second = subject.provider()
      try first.createSourceInMemory()
      try second.createSourceInMemory()
      try subject.fill(first)
      try subject.expect(second.tableNames(), [], "the tables of the second")
    },
  ]
}

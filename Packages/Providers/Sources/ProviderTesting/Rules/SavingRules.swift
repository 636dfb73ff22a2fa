internal import Providers

extension ProviderConformance {
  static let savingCases: [Case] = [
    rule(.saving, "a saved source continues with its new name", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.saveSource(subject.file("u"))
      try subject.expect(provider.path, subject.path("u"), "path")
      try subject.expect(provider.isOpen, true, "isOpen")
      try subject.expect(provider.hasUnsavedChanges, false, "hasUnsavedChanges")
      try subject.expect(subject.contents(provider), Subject.initialRows, "the rows")
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.initialRows, "the rows of the file")
    },
    rule(.saving, "later changes are only in the new file", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.saveSource(subject.file("u"))
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: path), Subject.initialRows, "the first")
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.changedRows, "the second")
    },
    rule(
      .saving, "the original file keeps its last written content", needs: [.files, .persists]
    ) { subject in
      let path = try subject.fileWithRows()
      try subject.workspace.backdate(path)
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try subject.change(provider)
      try subject.expectUntouched(path, "the source was saved elsewhere") {
        try provider.saveSource(subject.file("u"))
        try provider.closeSource()
      }
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.changedRows, "the second")
    },
    rule(.saving, "an existing file is replaced", needs: .files) { subject in
      let other = try subject.opened(
        "CREATE TABLE old (a)", "INSERT INTO old VALUES (1)", named: "u")
      try other.closeSource()
      let provider = try subject.providerWithRows()
      try provider.saveSource(subject.file("u"))
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path("u")), Subject.initialRows, "the rows of the file")
    },
    rule(.saving, "a source in memory becomes a file", needs: .files) { subject in
      let provider = subject.provider()
      try provider.createSourceInMemory()
      try subject.fill(provider)
      try provider.saveSource(subject.file())
      try subject.expect(provider.path, subject.path(), "path")
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.changedRows, "the rows of the file")
    },
    rule(.saving, "a source can be saved to its own file", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.saveSource(subject.file())
      try subject.change(provider)
      try provider.saveSource(atPath: subject.path())
      try subject.expect(provider.path, subject.path(), "path")
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.changedRows, "the rows of the file")
    },
    rule(.saving, "a source can be saved to a path", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      let path = "\(subject.workspace.root)/\(subject.file("x"))"
      try provider.saveSource(atPath: path)
      try subject.expect(provider.path, path, "path")
      try subject.expect(subject.contents(ofFile: path), Subject.initialRows, "the rows")
    },
    rule(.saving, "a source that can't be saved stays open", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try subject.expectError("it is saved in a missing folder") {
        try provider.saveSource(atPath: "\(subject.workspace.root)/no/\(subject.file())")
      }
      try subject.workspace.makeFolder(subject.path("u"))
      try subject.expectError("it is saved as a folder") {
        try provider.saveSource(subject.file("u"))
      }
      try subject.expect(provider.path, subject.path(), "path")
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.changedRows, "the rows of the file")
    },
    rule(.saving, "saving is refused while a transaction is open", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.beginTransaction()
      try subject.change(provider)
      try subject.expectCode(.transactionOpen, doing: "it is saved") {
        try provider.saveSource(subject.file("u"))
      }
      try subject.expect(subject.workspace.exists(subject.path("u")), false, "the file exists")
      try provider.rollbackTransaction()
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.saving, "no other file is left", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try provider.saveSource(subject.file("u"))
      try provider.saveSource(subject.file("v"))
      try provider.closeSource()
      let names = try subject.workspace.names(in: subject.workspace.documents)
      try subject.expect(
        names.filter { $0 != subject.file() }, [subject.file("u"), subject.file("v")],
        "the document directory")
    },
    rule(.saving, "an empty new source can be saved", needs: .files) { subject in
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.saveSource(subject.file("u"))
      try provider.closeSource()
      try provider.openSource(subject.file("u"), readOnly: true)
      try subject.expect(provider.tableNames(), [], "the tables")
    },
  ]

  static let deletingCases: [Case] = [
    rule(.deleting, "a source that is not open can be deleted", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let provider = subject.provider()
      try provider.deleteSource(subject.file())
      try subject.expect(subject.workspace.exists(path), false, "the file exists")
    },
    rule(.deleting, "a source at a path can be deleted", needs: .files) { subject in
      let path = try subject.fileWithRows()
      try subject.provider().deleteSource(atPath: path)
      try subject.expect(subject.workspace.exists(path), false, "the file exists")
    },
    rule(.deleting, "deleting the open source closes it first", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try subject.change(provider)
      try provider.deleteSource(subject.file())
      try subject.expect(provider.isOpen, false, "isOpen")
      try provider.closeSource()
      try subject.expect(subject.workspace.exists(path), false, "the file exists")
    },
    rule(.deleting, "an open transaction is rolled back", needs: .files) { subject in
      let path = try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.beginTransaction()
      try subject.change(provider)
      try provider.deleteSource(atPath: path)
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(subject.workspace.exists(path), false, "the file exists")
    },
    rule(.deleting, "another source stays open", needs: .files) { subject in
      try subject.fileWithRows(named: "u")
      let provider = try subject.providerWithRows()
      try provider.deleteSource(subject.file("u"))
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
    },
    rule(.deleting, "the open source is recognized by another path", needs: .files) { subject in
      try subject.fileWithRows()
      let link = "\(subject.workspace.root)/link"
      try subject.workspace.makeLink(link, to: subject.workspace.documents)
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try provider.deleteSource(atPath: "\(link)/\(subject.file())")
      try subject.expect(provider.isOpen, false, "isOpen")
      try subject.expect(subject.workspace.exists(subject.path()), false, "the file exists")
    },
    rule(.deleting, "a missing source is not found", needs: .files) { subject in
      let provider = try subject.providerWithRows()
      try subject.expectCode(.notFound, doing: "a missing file is deleted") {
        try provider.deleteSource(subject.file("u"))
      }
      try subject.expectCode(.notFound, doing: "a missing path is deleted") {
        try provider.deleteSource(atPath: subject.path("u"))
      }
      try subject.expect(provider.isOpen, true, "isOpen")
    },
    rule(.deleting, "a folder is not deleted", needs: .files) { subject in
      try subject.workspace.makeFolder(subject.path("a"))
      try subject.workspace.write([1], to: "\(subject.path("a"))/file")
      try subject.expectError("a folder is deleted") {
        try subject.provider().deleteSource(subject.file("a"))
      }
      try subject.expect(
        subject.workspace.bytes(of: "\(subject.path("a"))/file"), [1], "what is in the folder")
    },
    rule(.deleting, "no file is left, and the name can be used again", needs: .files) { subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file())
      try subject.change(provider)
      try provider.deleteSource(subject.file())
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
      try provider.openSource(subject.file())
      try subject.expect(provider.tableNames(), [], "the tables")
    },
  ]
}

internal import Providers

extension ProviderConformance {
  static let fileNameCases: [Case] = refusedNameCases + unusualNameCases + folderCases

  private static let refusedNames = [
    "../x", "a/../../x", "a/../x", "/x", "//x", "", ".", "..", "a//x", "a/", "./x", "a/./x", "x\0y",
    "\0",
  ]

  private static let refusedNameCases: [Case] = refusedNames.map { name in
    rule(.fileNames, "\(quoted(name)) is not a valid name", needs: .files) { subject in
      let provider = try subject.providerWithRows(named: "open")
      for (operation, body) in [
        ("opened", { try provider.openSource(name) }),
        ("opened to be read", { try provider.openSource(name, readOnly: true) }),
        ("made", { try provider.createSource(name) }),
        ("opened in the bundle", { try provider.openSource(name, fromBundle: true) }),
        (
          "read in the bundle",
          { try provider.openSource(name, fromBundle: true, readOnly: true) }
        ), ("saved", { try provider.saveSource(name) }),
        ("deleted", { try provider.deleteSource(name) }),
      ] as [(String, () throws -> Void)] {
        try subject.expectCode(.invalidName, doing: "it is \(operation)", body)
      }
      try subject.expect(provider.path, subject.path("open"), "the path of what was open")
      try subject.expect(subject.contents(provider), Subject.initialRows, "its rows")
      try subject.expect(
        subject.workspace.names(in: subject.workspace.root), ["bundle", "documents"],
        "the folder around the directories")
    }
  }

  private static let unusualNames = [
    "with space", "it's", "100%", "100%41", "a?b#c", "file:x", "a.b", "-x", "ключ", "名前",
    "e\u{301}", "é", "a;b", "a&b=c", "$HOME", "~", "*", "[x]", "a\\b", "a\"b", "CAPITALS",
    ":memory:",
    "line\nfeed",
  ]

  private static let unusualNameCases: [Case] = unusualNames.map { name in
    rule(.fileNames, "\(quoted(name)) is a valid name", needs: .files) { subject in
      let provider = try subject.providerWithRows(named: name)
      try provider.closeSource()
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file(name)],
        "the document directory")
      try provider.openSource(subject.file(name))
      try subject.expect(subject.contents(provider), Subject.initialRows, "the rows")
      try provider.saveSource(subject.file("\(name) 2"))
      try provider.closeSource()
      try provider.deleteSource(subject.file(name))
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [subject.file("\(name) 2")],
        "the document directory")
    }
  }

  private static let folderCases: [Case] = [
    rule(.fileNames, "folders are created", needs: .files) { subject in
      let provider = try subject.providerWithRows(named: "a/b/c")
      try provider.closeSource()
      try subject.expect(subject.workspace.exists(subject.path("a/b/c")), true, "the file exists")
      try provider.createSource(subject.file("d/e"))
      try subject.fill(provider)
      try provider.saveSource(subject.file("f/g"))
      try subject.expect(subject.workspace.exists(subject.path("f/g")), true, "the file exists")
    },
    rule(.fileNames, "the document directory is created", needs: .files) { subject in
      try subject.workspace.delete(subject.workspace.documents)
      let provider = try subject.providerWithRows()
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.initialRows, "the rows")
    },
    rule(.fileNames, "a path must not be empty or contain zero bytes", needs: .files) { subject in
      let provider = subject.provider()
      for path in ["", "\0", "\(subject.path())\0", "\(subject.workspace.root)/x\0y"] {
        try subject.expectCode(.invalidName, .notFound, doing: "it is opened") {
          try provider.openSource(atPath: path)
        }
        try subject.expectCode(.invalidName, .notFound, doing: "it is made") {
          try provider.createSource(atPath: path)
        }
        try subject.expectCode(.invalidName, .notFound, doing: "it is deleted") {
          try provider.deleteSource(atPath: path)
        }
      }
      try provider.createSourceInMemory()
      try subject.expectCode(.invalidName, .notFound, doing: "it is saved") {
        try provider.saveSource(atPath: "\(subject.path())\0")
      }
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(.fileNames, "are long", needs: .files) { subject in
      let name = String(repeating: "n", count: 230)
      let provider = try subject.providerWithRows(named: name)
      try provider.closeSource()
      try subject.expect(
        subject.contents(ofFile: subject.path(name)), Subject.initialRows, "the rows")
    },
  ]
}

extension ProviderConformance {
  static let bundleCases: [Case] = [
    rule(.bundle, "a template is copied to the document directory", needs: .files) { subject in
      let template = try subject.bundleFileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true)
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: template), Subject.initialRows, "the template")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.changedRows, "the copy")
    },
    rule(.bundle, "an existing copy is opened unchanged", needs: .files) { subject in
      try subject.bundleFileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true)
      try subject.change(provider)
      try provider.closeSource()
      try provider.openSource(subject.file(), fromBundle: true, readOnly: false)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.bundle, "a template in a folder is copied to the same folder", needs: .files) { subject in
      try subject.workspace.makeFolder("\(subject.workspace.bundle)/a")
      try subject.bundleFileWithRows(named: "a/b")
      let provider = subject.provider()
      try provider.openSource(subject.file("a/b"), fromBundle: true)
      try subject.expect(provider.path, subject.path("a/b"), "path")
      try subject.expect(subject.contents(provider), Subject.initialRows, "the rows")
    },
    rule(.bundle, "a read-only template is read in the bundle", needs: .files) { subject in
      let template = try subject.bundleFileWithRows()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true, readOnly: true)
      try subject.expect(provider.path, template, "path")
      try subject.expect(provider.isReadOnly, true, "isReadOnly")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.initialRows)
      try subject.expectCode(.readOnly, doing: "a row is inserted") { try subject.change(provider) }
      try provider.closeSource()
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(.bundle, "nothing is left in it", needs: .files) { subject in
      let template = try subject.bundleFileWithRows()
      try subject.workspace.backdate(template)
      let provider = subject.provider()
      try subject.expectUntouched(template, "it was opened") {
        for readOnly in [true, false] {
          try provider.openSource(subject.file(), fromBundle: true, readOnly: readOnly)
          _ = try subject.contents(provider)
          try subject.expect(
            subject.workspace.names(in: subject.workspace.bundle), [subject.file()], "the bundle")
          try provider.closeSource()
        }
      }
      try subject.expect(
        subject.workspace.names(in: subject.workspace.bundle), [subject.file()], "the bundle")
    },
    rule(.bundle, "a missing template is not found, and not created", needs: .files) { subject in
      let provider = subject.provider()
      for readOnly in [true, false] {
        try subject.expectCode(.notFound, doing: "a missing template is opened") {
          try provider.openSource(subject.file(), fromBundle: true, readOnly: readOnly)
        }
        try subject.expect(provider.isOpen, false, "isOpen")
      }
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
      try subject.expect(
        subject.workspace.names(in: subject.workspace.bundle), [], "the bundle")
    },
    rule(.bundle, "a source in the document directory is not in the bundle", needs: .files) {
      subject in
      try subject.fileWithRows()
      let provider = subject.provider()
      try subject.expectCode(.notFound, doing: "it is opened in the bundle") {
        try provider.openSource(subject.file(), fromBundle: true, readOnly: true)
      }
    },
  ]
}

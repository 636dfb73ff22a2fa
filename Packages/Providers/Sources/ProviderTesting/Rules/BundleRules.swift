internal import Providers

extension ProviderConformance {
  static let bundleCases: [Case] = [
    rule(.bundle, "a template is copied to the documents", needs: .files) { subject in
      let template = try subject.filledBundle()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true)
      try subject.expect(provider.path, subject.path(), "path")
      try subject.expect(provider.isReadOnly, false, "isReadOnly")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
      try subject.change(provider)
      try provider.closeSource()
      try subject.expect(subject.contents(ofFile: template), Subject.filledRows, "the template")
      try subject.expect(
        subject.contents(ofFile: subject.path()), Subject.changedRows, "the copy")
    },
    rule(.bundle, "a copy that is there already is opened as it is", needs: .files) { subject in
      try subject.filledBundle()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true)
      try subject.change(provider)
      try provider.closeSource()
      try provider.openSource(subject.file(), fromBundle: true, readOnly: false)
      try subject.expectRows(provider, "SELECT * FROM t", Subject.changedRows)
    },
    rule(.bundle, "a template of a folder is copied to one", needs: .files) { subject in
      try subject.workspace.makeFolder("\(subject.workspace.bundle)/a")
      try subject.filledBundle(named: "a/b")
      let provider = subject.provider()
      try provider.openSource(subject.file("a/b"), fromBundle: true)
      try subject.expect(provider.path, subject.path("a/b"), "path")
      try subject.expect(subject.contents(provider), Subject.filledRows, "the rows")
    },
    rule(.bundle, "what is only read is read in the bundle", needs: .files) { subject in
      let template = try subject.filledBundle()
      let provider = subject.provider()
      try provider.openSource(subject.file(), fromBundle: true, readOnly: true)
      try subject.expect(provider.path, template, "path")
      try subject.expect(provider.isReadOnly, true, "isReadOnly")
      try subject.expectRows(provider, "SELECT * FROM t", Subject.filledRows)
      try subject.expectCode(.readOnly, doing: "a row is inserted") { try subject.change(provider) }
      try provider.closeSource()
      try subject.expect(
        subject.workspace.names(in: subject.workspace.documents), [], "the document directory")
    },
    rule(.bundle, "nothing is left in it", needs: .files) { subject in
      let template = try subject.filledBundle()
      try subject.workspace.age(template)
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
    rule(.bundle, "what is not in it is not found, and not made", needs: .files) { subject in
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
    rule(.bundle, "a source of the documents is none of the bundle's", needs: .files) { subject in
      try subject.filledFile()
      let provider = subject.provider()
      try subject.expectCode(.notFound, doing: "it is opened in the bundle") {
        try provider.openSource(subject.file(), fromBundle: true, readOnly: true)
      }
    },
  ]
}

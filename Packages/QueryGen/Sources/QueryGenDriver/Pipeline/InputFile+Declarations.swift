internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

extension InputFile {
  /// Adds declarations in the file's comments, and reports those that are in conflict.
  mutating func collect(_ declarations: [Declaration], _ collector: inout DeclarationCollector) {
    for declaration in declarations {
      collector.add(declaration, in: source, path: path, diagnostics: &diagnostics)
    }
  }

  /// Parses and adds the declarations of a configuration, and reports those that are malformed or in
  /// conflict.
  mutating func collect(
    _ declarations: [ProjectConfiguration.Declared], _ collector: inout DeclarationCollector
  ) {
    for declared in declarations {
      if source[declared.span] == declared.text {
        add(declared, in: source, at: declared.span, &diagnostics, &collector)
        continue
      }
      // The text of a quoted string has other positions than the file.
      let text = SourceText(declared.text)
      var found = DiagnosticList()
      add(declared, in: text, at: ByteSpan(0..<text.byteCount), &found, &collector)
      for var diagnostic in found.diagnostics {
        diagnostic.span = declared.span
        diagnostic.fixIt = nil
        for index in diagnostic.notes.indices { diagnostic.notes[index].span = nil }
        diagnostics.append(diagnostic)
      }
    }
  }

  private func add(
    _ declared: ProjectConfiguration.Declared, in text: SourceText, at span: ByteSpan,
    _ diagnostics: inout DiagnosticList, _ collector: inout DeclarationCollector
  ) {
    let declaration = Parser.parseDeclaration(
      declared.kind, in: text, at: span, diagnostics: &diagnostics)
    guard let declaration else { return }
    collector.add(
      declaration, in: text, path: path, place: text == source ? nil : declared.span,
      diagnostics: &diagnostics)
  }
}

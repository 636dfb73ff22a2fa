internal import SQLSyntax

/// Draws diagnostics for a person: place, message, the line, and a caret under what is meant.
///
///     Queries/Todo.sql:2:8: error: todo has no column 'nmae'
///       SELECT nmae FROM todo;
///              ^~~~
struct Rendering {
  var usesColor: Bool
  private(set) var text = ""

  init(usesColor: Bool) { self.usesColor = usesColor }

  mutating func add(_ failure: FileFailure) {
    head(failure.path, failure.isWarning ? .warning : .error, failure.message)
  }

  /// Adds what was found in a file, in the order of the places.
  mutating func add(_ file: InputFile) {
    guard !file.diagnostics.diagnostics.isEmpty else { return }
    let lines = file.source.lineTable()
    for diagnostic in file.diagnostics.inOrder {
      add(
        diagnostic.message, diagnostic.severity == .error ? .error : .warning, diagnostic.span,
        diagnostic.fixIt, in: file, lines)
      for note in diagnostic.notes {
        if let span = note.span {
          add(note.message, .note, span, nil, in: file, lines)
        } else {
          head(file.path, .note, note.message)
        }
      }
    }
  }

  private mutating func add(
    _ message: String, _ kind: Kind, _ span: ByteSpan, _ fixIt: Diagnostic.FixIt?,
    in file: InputFile, _ lines: LineTable
  ) {
    let place = lines.position(of: span.start)
    let excerpt = Excerpt(file.source, lines, line: place.line, span: span)
    head("\(file.path):\(place.line):\(excerpt.column)", kind, message)
    text += "  " + excerpt.line + "\n"
    text += "  " + excerpt.indentation + colored(excerpt.underline, "32;1") + "\n"
    if let fixIt, lines.position(of: fixIt.span.start).line == place.line,
      !fixIt.replacement.isEmpty, !fixIt.replacement.contains("\n")
    {
      let change = Excerpt(file.source, lines, line: place.line, span: fixIt.span)
      if change.isAligned(with: excerpt) {
        text += "  " + change.indentation + colored(fixIt.replacement, "32") + "\n"
      }
    }
  }

  private enum Kind: String {
    case error, warning, note

    var color: String {
      switch self {
      case .error: "31;1"
      case .warning: "35;1"
      case .note: "36;1"
      }
    }
  }

  private mutating func head(_ place: String, _ kind: Kind, _ message: String) {
    text += colored("\(place):", "1") + " " + colored("\(kind.rawValue):", kind.color) + " "
    text += colored(message, "1") + "\n"
  }

  private func colored(_ text: String, _ code: String) -> String {
    usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

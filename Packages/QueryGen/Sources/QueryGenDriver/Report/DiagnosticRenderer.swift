internal import SQLSyntax

/// Renders diagnostics as text: the location, the message, the source line, and a caret below the
/// span.
///
///     Queries/Todo.sql:2:8: error: todo has no column 'nmae'
///       SELECT nmae FROM todo;
///              ^~~~
struct DiagnosticRenderer {
  var usesColor: Bool
  private(set) var text = ""

  init(usesColor: Bool) { self.usesColor = usesColor }

  mutating func add(_ failure: FileFailure) {
    head(failure.path, failure.isWarning ? .warning : .error, failure.message)
  }

  /// Adds the diagnostics of a file, sorted by location.
  mutating func add(_ file: InputFile) {
    guard !file.diagnostics.diagnostics.isEmpty else { return }
    let lines = file.source.lineTable()
    for diagnostic in file.diagnostics.sortedByLocation {
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
    let excerpt = SourceExcerpt(file.source, lines, line: place.line, span: span)
    head("\(file.path):\(place.line):\(excerpt.column)", kind, message)
    text += "  " + excerpt.line + "\n"
    text += "  " + excerpt.indentation + colored(excerpt.underline, "32;1") + "\n"
    if let fixIt, lines.position(of: fixIt.span.start).line == place.line,
      !fixIt.replacement.isEmpty, !fixIt.replacement.contains("\n")
    {
      let change = SourceExcerpt(file.source, lines, line: place.line, span: fixIt.span)
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

/// A source line in a report, with an underline below it.
struct SourceExcerpt {
  /// The line without its ending, or the part around the location if the line is very long.
  let line: String
  /// The spaces before the underline, with the same tabs as the line.
  let indentation: String
  /// `^~~~`, covering the part of the span that is in this line.
  let underline: String
  /// The location's column, counted in characters from 1.
  let column: Int
  private let start: Int

  /// The maximum number of characters to show.
  private static let width = 160
  /// The number of bytes to search for them on each side.
  private static let window = 4_096

  init(_ source: SourceText, _ lines: LineTable, line number: Int, span: ByteSpan) {
    let bytes = lines.span(ofLine: number) ?? ByteSpan(0..<0)
    let from = min(max(span.start.value, bytes.start.value), bytes.end.value)
    let to = min(max(span.end.value, from), bytes.end.value)
    let near = max(bytes.start.value, from - SourceExcerpt.window)
    let before = SourceExcerpt.characters(source, near..<from)
    let marked = SourceExcerpt.characters(source, from..<min(to, from + SourceExcerpt.window))
    let after = SourceExcerpt.characters(
      source, to..<min(bytes.end.value, to + SourceExcerpt.window))
    column = SourceExcerpt.characterCount(source, bytes.start.value..<near) + before.count + 1

    // A generated script may have a line of a million characters; only the part near the location
    // is shown.
    let dropped = max(near > bytes.start.value ? 1 : 0, before.count - SourceExcerpt.width / 2)
    let shownBefore = before.dropFirst(dropped)
    let shownMarked = marked.prefix(SourceExcerpt.width)
    let room = max(0, SourceExcerpt.width - shownBefore.count - shownMarked.count)
    let isCut = marked.count > shownMarked.count || after.count > room
    let shown =
      shownBefore + shownMarked + (marked.count > shownMarked.count ? [] : after.prefix(room))
    start = column - shownBefore.count
    line = (dropped > 0 ? "…" : "") + String(shown) + (isCut ? "…" : "")
    indentation =
      (dropped > 0 ? " " : "")
      + shownBefore.map {
        $0 == "\t" ? "\t" : String(repeating: " ", count: SourceExcerpt.terminalWidth($0))
      }
      .joined()
    let terminalWidth = shownMarked.reduce(0) { $0 + SourceExcerpt.terminalWidth($1) }
    underline = "^" + String(repeating: "~", count: max(0, terminalWidth - 1))
  }

  /// Returns whether both excerpts show the same part of the line.
  func isAligned(with other: SourceExcerpt) -> Bool { start == other.start }

  /// Returns the number of characters in a range, which may be very long.
  private static func characterCount(_ source: SourceText, _ range: Range<Int>) -> Int {
    let bytes = source.bytes[range]
    return bytes.allSatisfy { $0 < 0x80 } ? bytes.count : source[ByteSpan(range)].count
  }

  /// Returns the characters of a range. Control characters are replaced by `�`, so that a file
  /// can't control the terminal.
  private static func characters(_ source: SourceText, _ range: Range<Int>) -> [Character] {
    // A window may begin or end inside a character.
    let bytes = source.bytes
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = range.upperBound
    while end > start, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var characters = Array(source[ByteSpan(start..<end)])
    while let last = characters.last, last.isNewline { characters.removeLast() }
    return characters.map { character in
      guard character != "\t" else { return character }
      let isControl = character.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default:
          (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
      }
      return isControl ? "\u{FFFD}" : character
    }
  }

  /// Returns the number of terminal columns that a character occupies: two for East Asian
  /// characters and emoji.
  private static func terminalWidth(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

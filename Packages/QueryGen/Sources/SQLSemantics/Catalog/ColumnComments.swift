internal import QueryModel
internal import SQLSyntax

/// The annotations and documentation in the comments around a column's definition.
///
/// A comment belongs to the column directly below it, the column that contains it, or the column
/// whose last line it is on. `AS Type` and `AS Type USING Format` set the column's Swift type, and
/// `AS ENUM a, b` names the values listed by its `CHECK`. Documentation may follow after a
/// semicolon. All other comments are documentation.
struct ColumnComments {
  var annotation: ColumnAnnotation?
  /// The names of the enumerated values, and the comment's span.
  var caseNames: (names: [String], span: ByteSpan)?
  var documentation: [String] = []
  /// The spans of malformed annotations.
  var malformed: [ByteSpan] = []

  /// Reads the comments in a part of a text.
  ///
  /// - Parameters:
  ///   - source: The text.
  ///   - span: The part of the text whose comments can refer to the columns.
  ///   - columns: The spans of the columns' definitions, in order.
  /// - Returns: The comments of each column, or an empty array if there are no comments at all.
  static func read(_ source: SourceText, in span: ByteSpan, columns: [ByteSpan]) -> [ColumnComments]
  {
    let range = span.range.clamped(to: 0..<source.byteCount)
    guard source.mayHoldComment(in: range) else { return [] }
    let text = SourceText(bytes: Array(source.bytes[range]))
    var reader = ColumnCommentReader(source, columns)
    for comment in Lexer.tokenize(text).comments {
      reader.read(
        ByteSpan(
          comment.start.advanced(by: range.lowerBound), comment.end.advanced(by: range.lowerBound)))
    }
    return reader.finish()
  }
}

/// Assigns comments to the columns that they belong to.
private struct ColumnCommentReader {
  let source: SourceText
  let columns: [ByteSpan]
  var notes: [ColumnComments]
  /// The index of the column before or around the current comment.
  private var current = -1
  /// The end of the current column's text, or of the last comment that follows it.
  private var end = 0
  /// The comments that may belong to the next column.
  private var pending: [ByteSpan] = []

  init(_ source: SourceText, _ columns: [ByteSpan]) {
    self.source = source
    self.columns = columns
    notes = columns.map { _ in ColumnComments() }
  }

  mutating func read(_ comment: ByteSpan) {
    advance(to: comment.start.value)
    if current >= 0 {
      let isInside = comment.start.value < columns[current].end.value
      let isOnSameLine =
        comment.start.value >= end
        && source.bytes[end..<comment.start.value].allSatisfy { " \t\r,;".utf8.contains($0) }
      if isInside || isOnSameLine {
        add(comment, to: current)
        end = max(end, comment.end.value)
        return
      }
    }
    if let last = pending.last, hasBlankLine(last.end.value..<comment.start.value) { pending = [] }
    pending.append(comment)
  }

  mutating func finish() -> [ColumnComments] {
    advance(to: Int.max)
    return notes
  }

  /// Advances to the last column that starts at or before `offset`.
  private mutating func advance(to offset: Int) {
    while current + 1 < columns.count, columns[current + 1].start.value <= offset {
      current += 1
      end = columns[current].end.value
      let start = columns[current].start.value
      if let last = pending.last, !hasBlankLine(last.end.value..<start) {
        for comment in pending { add(comment, to: current) }
      }
      pending = []
    }
  }

  private func hasBlankLine(_ range: Range<Int>) -> Bool {
    source.bytes[range].count { $0 == UInt8(ascii: "\n") } > 1
  }

  private mutating func add(_ comment: ByteSpan, to column: Int) {
    let lines = source.commentLines(comment)
    guard lines.count == 1, let line = lines.first, line.hasPrefix("AS ") else {
      notes[column].documentation += lines
      return
    }
    let parts = line.dropFirst(3).split(separator: ";", maxSplits: 1)
    if let first = parts.first, let names = [String](caseNames: first) {
      notes[column].caseNames = (names, comment)
    } else if let first = parts.first, let annotation = ColumnAnnotation(written: first) {
      notes[column].annotation = annotation
    } else {
      notes[column].malformed.append(comment)
      return
    }
    if parts.count > 1 { notes[column].documentation.append(String(parts[1].drop { $0 == " " })) }
  }
}

extension [String] {
  /// Reads `ENUM low, high`: distinct, comma-separated names.
  fileprivate init?(caseNames written: Substring) {
    let words = written.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0] == "ENUM" else { return nil }
    let names = words[1].split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let areNames = names.allSatisfy { name in
      name.first.map { $0.isLetter || $0 == "_" } == true
        && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    guard areNames, Set(names).count == names.count else { return nil }
    self = names
  }
}

extension ColumnAnnotation {
  /// Reads `Type` or `Type USING Format`.
  init?(written: Substring) {
    let words = written.split(separator: " ", omittingEmptySubsequences: true)
    let using = words.firstIndex { $0 == "USING" } ?? words.endIndex
    let type = words[..<using].joined(separator: " ")
    guard Self.isType(type) else { return nil }
    guard using < words.endIndex else {
      self.init(type: type)
      return
    }
    let format = words[(using + 1)...].joined(separator: " ")
    guard Self.isType(format) else { return nil }
    self.init(type: type, format: format)
  }

  /// Returns whether a text could be a type name: `Todo.ID`, `[String: [Int]]`, `Range<Int>`.
  private static func isType(_ text: String) -> Bool {
    guard let first = text.first, first == "[" || first == "_" || first.isUppercase else {
      return false
    }
    var open: [Character] = []
    var last: Character?
    for character in text {
      switch character {
      case "[", "<": open.append(character)
      case "]", ">":
        guard open.popLast() == (character == "]" ? "[" : "<"), last != ",", last != ":" else {
          return false
        }
      case ".": break
      case ",", ":": guard !open.isEmpty else { return false }
      // Two words without punctuation between them are prose.
      case " ": guard last == "," || last == ":" else { return false }
      default:
        guard character.isLetter || character.isNumber || character == "_" else { return false }
      }
      last = character
    }
    return open.isEmpty && last != "." && last != "," && last != ":"
  }
}

extension SourceText {
  /// Returns the end of the line that contains `offset`.
  func lineEnd(after offset: ByteOffset) -> ByteOffset {
    let start = min(offset.value, byteCount)
    return ByteOffset(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? byteCount)
  }

  /// Returns whether the range contains `--` or `/*`, possibly within a string literal.
  fileprivate func mayHoldComment(in range: Range<Int>) -> Bool {
    let bytes = bytes[range]
    return bytes.indices.dropLast().contains { index in
      switch bytes[index] {
      case UInt8(ascii: "-"): bytes[index + 1] == UInt8(ascii: "-")
      case UInt8(ascii: "/"): bytes[index + 1] == UInt8(ascii: "*")
      default: false
      }
    }
  }
}

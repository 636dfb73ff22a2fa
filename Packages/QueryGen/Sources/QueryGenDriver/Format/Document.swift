/// A text that can be laid out on one line or on several.
indirect enum Document: Sendable {
  case text([UInt8])
  /// A comment. If it ends its line, the next text begins a new one.
  case comment([UInt8], endsLine: Bool)
  /// A line break before the next text, and an empty line before that if `leavesBlankLine`. At the
  /// start of a line, only the empty line is added.
  case freshLine(leavesBlankLine: Bool)
  /// A space, or a line break if its group is broken.
  case line
  /// Empty, or a line break if its group is broken.
  case softLine
  case hardLine
  case sequence([Document])
  /// A document that is indented by one level.
  case nested(Document)
  /// A document on one line if it fits; otherwise, the group's lines are broken, but not the lines
  /// of nested groups.
  case group(Document)

  /// Returns a group that is not broken by the comment lines before it.
  static func grouped(_ document: Document) -> Document {
    let (comments, rest) = document.hoisted
    return comments.isEmpty ? .group(rest) : .sequence(comments + [.group(rest)])
  }

  /// The leading comments, and the document after them.
  private var hoisted: (comments: [Document], rest: Document) {
    switch self {
    case .group(let inner):
      let (comments, rest) = inner.hoisted
      return (comments, .group(rest))
    case .sequence(let parts):
      let count =
        parts.firstIndex { part in
          switch part {
          case .comment, .freshLine, .text([32]): false
          default: true
          }
        } ?? 0
      guard count == 0 else {
        return (Array(parts[..<count]), .sequence(Array(parts[count...])))
      }
      guard let first = parts.first else { return ([], self) }
      let (comments, rest) = first.hoisted
      return (comments, comments.isEmpty ? self : .sequence([rest] + parts.dropFirst()))
    default: return ([], self)
    }
  }

  static let space = Document.text([32])
  static let nothing = Document.sequence([])
}

/// Lays out a ``Document``.
struct DocumentPrinter {
  private let width: Int
  private let indentation: Int
  private let lineEnd: [UInt8]
  private(set) var output: [UInt8] = []
  /// The column of the next byte, in characters.
  private var column = 0
  /// Indicates whether a space is written before the next text, unless the line ends there.
  private var pendingSpace = false
  private var isAtLineStart = true
  /// Indicates whether the next text must begin a new line.
  private var mustBreak = false

  init(options: FormatOptions, lineEnd: [UInt8]) {
    width = options.width
    indentation = options.indentation
    self.lineEnd = lineEnd
  }

  mutating func print(_ document: Document) {
    print(document, level: 0, isFlat: false)
  }

  /// Ends the last line.
  mutating func finish() {
    if !isAtLineStart { newLine() }
    mustBreak = false
  }

  private mutating func print(_ document: Document, level: Int, isFlat: Bool) {
    switch document {
    case .text([32]): pendingSpace = true
    case .text(let bytes): write(bytes, level: level)
    case .comment(let bytes, let endsLine):
      write(bytes, level: level)
      mustBreak = endsLine
    case .freshLine(let leavesBlankLine):
      if !isAtLineStart { newLine() }
      mustBreak = false
      if leavesBlankLine, !output.isEmpty { emptyLine() }
    case .line: if isFlat, !mustBreak { pendingSpace = true } else { breakLine() }
    case .softLine: if !isFlat || mustBreak { breakLine() }
    case .hardLine: breakLine()
    case .sequence(let parts): for part in parts { print(part, level: level, isFlat: isFlat) }
    case .nested(let inner): print(inner, level: level + 1, isFlat: isFlat)
    case .group(let inner):
      print(inner, level: level, isFlat: isFlat || fits(inner, level: level))
    }
  }

  private mutating func breakLine() {
    if !isAtLineStart { newLine() }
    mustBreak = false
  }

  private mutating func newLine() {
    output += lineEnd
    column = 0
    pendingSpace = false
    isAtLineStart = true
  }

  /// Adds an empty line, unless the output already ends with one.
  private mutating func emptyLine() {
    if !output.suffix(2 * lineEnd.count).elementsEqual(lineEnd + lineEnd) { output += lineEnd }
  }

  private mutating func write(_ bytes: [UInt8], level: Int) {
    if mustBreak { breakLine() }
    if isAtLineStart {
      column = level * indentation
      output += [UInt8](repeating: 32, count: column)
    } else if pendingSpace {
      output.append(32)
      column += 1
    }
    pendingSpace = false
    isAtLineStart = false
    output += bytes
    // After a text with line breaks, the column continues from its last line.
    let last = bytes.lastIndex(of: 10).map { bytes[($0 + 1)...] } ?? bytes[...]
    column = (last.count < bytes.count ? 0 : column) + Self.characters(last)
  }

  static func characters(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

  /// Returns whether a group fits on the rest of the line, with room for a comma after it.
  private func fits(_ document: Document, level: Int) -> Bool {
    let start = isAtLineStart || mustBreak ? level * indentation : column
    var measure = Measure(width: width, room: width - 1 - start)
    return measure.add(document)
  }

  /// The room that is left on a line.
  private struct Measure {
    let width: Int
    var room: Int
    var mustBreak = false

    mutating func add(_ document: Document) -> Bool {
      switch document {
      case .text(let bytes): return take(bytes)
      case .comment(let bytes, let endsLine):
        guard take(bytes) else { return false }
        mustBreak = endsLine
        return true
      case .freshLine, .hardLine: return false
      case .line: return take([32])
      case .softLine: return !mustBreak
      case .sequence(let parts):
        for part in parts {
          guard add(part) else { return false }
        }
        return true
      case .nested(let inner), .group(let inner): return add(inner)
      }
    }

    private mutating func take(_ bytes: [UInt8]) -> Bool {
      guard !mustBreak else { return false }
      guard let last = bytes.lastIndex(of: 10), let first = bytes.firstIndex(of: 10) else {
        room -= DocumentPrinter.characters(bytes[...])
        return room >= 0
      }
      // After a text with line breaks, the room depends on its last line.
      guard room >= DocumentPrinter.characters(bytes[..<first]) else { return false }
      room = width - 1 - DocumentPrinter.characters(bytes[(last + 1)...])
      return room >= 0
    }
  }
}

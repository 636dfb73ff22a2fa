import Foundation
import Primitives
import Terminal

/// Formats notes as text, for a terminal or for other output.
struct NotePages: Sendable {
  /// Whether to highlight matches and titles with terminal styles.
  var isPainted = false
  /// The available width in columns.
  var width = 80
  var timeZone = TimeZone.current

  /// Returns a table with a row for each note.
  func list(_ notes: [TaggedNote]) -> String {
    if notes.isEmpty { return "no notes\n" }
    let tagWidth = 20
    var table = TextTable([
      .right("#"), .left("Title", limit: max(16, width - tagWidth - 30)),
      .left("Tags", limit: tagWidth), .left("Edited"),
    ])
    for note in notes {
      table.add([
        "\(note.note.id)", Self.plain(note.note.title), Self.names(note.tags),
        time(note.note.edited),
      ])
    }
    return Self.text(table)
  }

  /// Returns the complete note.
  func page(_ note: TaggedNote) -> String {
    let tags = note.tags.isEmpty ? "no tags" : Self.names(note.tags)
    var facts = "\(tags), created \(time(note.note.created)), edited \(time(note.note.edited))"
    if let deleted = note.note.deleted { facts += ", deleted \(time(deleted))" }
    let title = TerminalStyle.bold(
      "#\(note.note.id)  \(Self.plain(note.note.title))", if: isPainted)
    let body = Self.plain(note.note.body)
    let end = body.isEmpty ? "" : "\n\(body)\(body.hasSuffix("\n") ? "" : "\n")"
    return "\(title)\n\(TerminalStyle.dim(facts, if: isPainted))\n\(end)"
  }

  /// Returns the results of a search.
  func found(_ rows: [FindNotesRow]) -> String {
    rows.map { row in
      let excerpt = marked(row.excerpt ?? "").split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      let title = "#\(row.id)  \(marked(row.title ?? ""))"
      return excerpt.isEmpty ? "\(title)\n" : "\(title)\n    \(excerpt)\n"
    }.joined()
  }

  func stats(_ stats: NoteStatsRow, _ tags: [TagCountsRow], _ months: [NotesByMonthRow]) -> String {
    var text = "\(Self.count(stats.notes, "note")), \(Self.count(stats.characters, "character"))"
    if stats.untagged > 0 { text += ", \(stats.untagged) without tags" }
    if stats.deleted > 0 { text += ", \(stats.deleted) deleted" }
    text += "\n"
    if let oldest = stats.oldest, let newest = stats.newest {
      text += "first created \(time(oldest)), last edited \(time(newest))\n"
    }
    if !tags.isEmpty {
      text += "\n" + bars("Tag", tags.map { ($0.name, $0.notes) })
    }
    if !months.isEmpty {
      text += "\n" + bars("Month", months.map { ($0.month ?? "–", $0.notes) })
    }
    return text
  }

  private func bars(_ title: String, _ rows: [(name: String, count: Int)]) -> String {
    let most = rows.reduce(1) { max($0, $1.count) }
    var table = TextTable([.left(title), .right("Notes"), .left("")])
    for row in rows {
      let length = max(1, row.count * 30 / most)
      table.add([row.name, "\(row.count)", String(repeating: "█", count: length)])
    }
    return Self.text(table)
  }

  // MARK: Pieces

  /// Marks the matches, which the query delimits with U+0002 and U+0003, with bold text or
  /// asterisks.
  private func marked(_ text: String) -> String {
    let (opening, closing) = isPainted ? ("\u{1B}[1m", "\u{1B}[0m") : ("*", "*")
    return text.split(separator: "\u{2}", omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        guard index > 0, let end = part.firstIndex(of: "\u{3}") else { return Self.plain(part) }
        let rest = part[part.index(after: end)...]
        return opening + Self.plain(part[..<end]) + closing + Self.plain(rest)
      }.joined()
  }

  private func time(_ date: Date) -> String {
    let style = Date.ISO8601FormatStyle(
      dateTimeSeparator: .space, includingFractionalSeconds: false, timeZone: timeZone)
    return String(
      date.formatted(style.year().month().day().time(includingFractionalSeconds: false)).prefix(16))
  }

  private static func names(_ tags: [Tag]) -> String {
    tags.map(\.name).joined(separator: " ")
  }

  private static func text(_ table: TextTable) -> String {
    table.lines.map { $0 + "\n" }.joined()
  }

  static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  /// Returns the text without control characters.
  private static func plain(_ text: some StringProtocol) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
        }))
  }
}

import Foundation
import Providers
import SQLiteCore

/// A file of notes, in any format that a provider supports.
///
/// A written file contains a table `note`. A file to read can have any layout in which exactly one table
/// has a column `title`, for example an array of objects in JSON, or a table in CSV.
struct NoteFile {
  let path: String
  private let makeProvider: () -> any DataProvider

  /// The extensions of formats that can be written. JSON lines can only be read.
  static let extensions = [".json", ".spon", ".xml", ".csv"]

  /// - Throws: ``NoteError/unknownFormat(_:)``.
  init(_ path: String) throws(NoteError) {
    self.path = path
    switch URL(filePath: path).pathExtension.lowercased() {
    case "json", "jsonl": makeProvider = { JSONProvider() }
    case "spon": makeProvider = { SPONProvider() }
    case "xml": makeProvider = { XMLProvider() }
    case "csv": makeProvider = { CSVProvider() }
    default: throw .unknownFormat(path)
    }
  }

  // MARK: Writing

  /// Writes notes to the file atomically.
  ///
  /// - Throws: ``NoteError/unknownFormat(_:)`` for JSON lines; ``NoteError/fileExists(_:)``; `ProviderError`.
  func write(_ notes: [TaggedNote], replacing: Bool) throws {
    guard Self.extensions.contains(where: path.lowercased().hasSuffix) else {
      throw NoteError.unknownFormat(path)
    }
    if !replacing, FileManager.default.fileExists(atPath: path) {
      throw NoteError.fileExists(path)
    }
    let provider = makeProvider()
    try provider.createSourceInMemory()
    try provider.execute(
      "CREATE TABLE note (title TEXT, body TEXT, tags JSON, created TEXT, edited TEXT)")
    try provider.transaction { transaction in
      for note in notes {
        try transaction.execute(
          "INSERT INTO note VALUES (?, ?, ?, ?, ?)",
          withParameters: [
            note.note.title, note.note.body, Self.text(of: note.tags.map(\.name)),
            note.note.created.formatted(.iso8601), note.note.edited.formatted(.iso8601),
          ])
      }
    }
    try provider.saveSource(atPath: path)
    try provider.closeSource()
  }

  private static func text(of tags: [String]) throws -> String {
    String(decoding: try JSONEncoder().encode(tags), as: UTF8.self)
  }

  // MARK: Reading

  /// Reads the notes from the file.
  ///
  /// - Throws: ``NoteError/noNotes(path:reason:)`` if the file does not contain notes; `ProviderError` with
  ///   the line if the file is malformed.
  func read() throws -> [FiledNote] {
    let provider = makeProvider()
    try provider.openSource(atPath: path, readOnly: true)
    defer { try? provider.closeSource() }
    let tables = try provider.tableNames().filter { name in
      try provider.getTableSchema(forTableName: name).columns.contains {
        SQLName.isSame($0.name, "title")
      }
    }
    guard let table = tables.first, tables.count == 1 else {
      throw NoteError.noNotes(
        path: path,
        reason: tables.isEmpty
          ? "no table has a column `title`"
          : "several tables have a column `title`: \(tables.joined(separator: ", "))")
    }
    var notes: [FiledNote] = []
    try provider.forEachRecord("SELECT * FROM \(identifier: table)") { record in
      notes.append(try note(record, number: notes.count + 1))
    }
    return notes
  }

  private func note(_ record: Record, number: Int) throws(NoteError) -> FiledNote {
    guard let title = Self.text(record["title"]) else {
      throw .noNotes(path: path, reason: "row \(number) has no title")
    }
    return FiledNote(
      title: title, body: Self.text(record["body"]) ?? "", tags: Self.tags(record["tags"]),
      created: try date(record["created"], number), edited: try date(record["edited"], number))
  }

  private static func text(_ value: SQLiteValue?) -> String? {
    switch value {
    case nil, .null?, .blob?: nil
    case .text(let text)?: text
    case .integer(let number)?: "\(number)"
    case .real(let number)?: "\(number)"
    }
  }

  /// Parses a JSON array, or words separated by spaces or commas.
  private static func tags(_ value: SQLiteValue?) -> [String] {
    guard let text = text(value) else { return [] }
    if let list = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) { return list }
    return text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  private func date(_ value: SQLiteValue?, _ number: Int) throws(NoteError) -> Date? {
    if case .integer(let seconds)? = value { return Date(timeIntervalSince1970: Double(seconds)) }
    guard let text = Self.text(value) else { return nil }
    for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle().year().month().day()] {
      if let date = try? style.parse(text) { return date }
    }
    throw .noNotes(
      path: path, reason: "row \(number): \"\(text)\" is not a date such as 2026-11-22")
  }
}

/// A note in a file.
struct FiledNote: Hashable {
  var title: String
  var body = ""
  var tags: [String] = []
  var created: Date?
  var edited: Date?
}

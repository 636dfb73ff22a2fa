import Foundation
import Primitives
import SQLiteCore

/// The files that match a pattern, as one table with the columns of all files by name.
struct FileUnion {
  private let pattern: FilePattern
  private let source: SourceArgument

  init(_ pattern: FilePattern, _ source: SourceArgument) {
    (self.pattern, self.source) = (pattern, source)
  }

  /// A file's table.
  private struct Part {
    let file: OpenedFile
    let table: TableSchema
  }

  /// The name of the column that contains the file's path.
  private static let fileColumn = "file"

  /// - Throws: `ToolError` if no file matches, if a file does not contain exactly one table, or if the
  ///   files are to be changed; the errors of opening a file.
  func opened(
    _ options: ReadingOptions, _ temporaryFiles: TemporaryFiles, writes: Bool
  ) throws -> OpenedFile {
    let paths = pattern.files()
    guard !paths.isEmpty else {
      throw ToolError("no file matches the pattern", file: source.path)
    }
    if writes {
      throw ToolError(
        "several files that are read as one table can't be changed", file: source.path)
    }
    let options = options.forSeveralFiles(paths.count)
    let parts = try paths.map { path in
      try part(
        OpenedFile(
          SourceArgument(path: path), options, temporaryFiles: temporaryFiles, writes: false))
    }
    let database = try temporaryFiles.newPath()
    let name = source.name ?? pattern.stem
    let connection = try Connection(path: database, configuration: .staging)
    try ActivityIndicator.showing("combining \(paths.count.counted("file"))") {
      try combine(parts, into: name, connection)
    }
    try connection.close()
    return OpenedFile(
      name: name, path: source.path,
      format: parts[0].file.format.isDatabase ? .csv : parts[0].file.format,
      database: database)
  }

  private func part(_ file: OpenedFile) throws -> Part {
    let connection = try DatabaseFile.open(file.database)
    let tables = try connection.databaseSchema().tables.filter { $0.kind == .table }
    guard tables.count == 1 else {
      throw ToolError(
        "the file contains \(tables.count.counted("table")), but only files with one table can be "
          + "read as one table", file: file.path)
    }
    return Part(file: file, table: tables[0])
  }

  private func combine(
    _ parts: [Part], into name: String, _ connection: Connection
  ) throws {
    var columns: [(name: String, type: String)] = []
    for column in parts.flatMap(\.table.columns) where column.kind != .hidden {
      let known = columns.firstIndex { SQLName.isSame($0.name, column.name) }
      if let known {
        columns[known].type = Self.union(columns[known].type, column.declaredType)
      } else {
        columns.append((column.name, column.declaredType))
      }
    }
    var fileColumn = Self.fileColumn
    while columns.contains(where: { SQLName.isSame($0.name, fileColumn) }) { fileColumn += "_" }
    let definitions = columns.map { "\(SQLName.quoted($0.name)) \($0.type)" }
    try connection.execute(
      "CREATE TABLE \(identifier: name) (\(identifier: fileColumn) TEXT, \(unsafe: definitions.joined(separator: ", ")))"
    )
    for part in parts {
      try connection.attach(.file(part.file.database), as: "part", isReadOnly: true)
      let own = part.table.columns.filter { $0.kind != .hidden }.map { SQLName.quoted($0.name) }
        .joined(separator: ", ")
      try connection.run(
        "INSERT INTO \(identifier: name) (\(identifier: fileColumn), \(unsafe: own)) SELECT \(part.file.path), \(unsafe: own) FROM part.\(identifier: part.table.name.name)"
      )
      try connection.detach("part")
      if part.file.provider != nil {
        try? FileManager.default.removeItem(atPath: part.file.database)
      }
    }
  }

  /// Returns a type in which SQLite converts no value of two columns: none if their types differ.
  private static func union(_ a: String, _ b: String) -> String {
    if a == b { return a }
    return Set([a, b]) == ["INTEGER", "REAL"] ? "REAL" : ""
  }
}

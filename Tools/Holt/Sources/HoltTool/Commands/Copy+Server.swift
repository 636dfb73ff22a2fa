import ArgumentParser
import Foundation
import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

extension Copy {
  static func columnType(_ text: String) -> (name: String, type: ColumnType)? {
    guard let equals = text.firstIndex(of: "="), text[..<equals].contains(".") else { return nil }
    let type = ColumnType(postgreSQL: String(text[text.index(after: equals)...]))
    return type.isWritable ? (String(text[..<equals]), type) : nil
  }

  /// Copies tables from or to a PostgreSQL database.
  func copyWithServer() async throws -> TableReport {
    var options = MovingOptions()
    (options.tables, options.existing, options.schema) = (table, existing, schema)
    (options.skipsUnsupported, options.restarts) = (skipUnsupported, restart)
    options.newName = target.name ?? (table.count == 1 ? source.name : nil)
    for text in columnType {
      if let (name, type) = Self.columnType(text) { options.types[name] = type }
    }
    let report: MovingReport
    var shown = TableReport(file: destination)
    switch (source.isServer, target.isServer) {
    case (true, true):
      throw ToolError(
        "both databases are PostgreSQL's", hint: "use pg_dump and pg_restore, which lose nothing")
    case (true, false) where !isDatabase(target.path):
      let temporaryFiles = TemporaryFiles()
      var copy = self
      copy.source = try await ServerSource(source, schema: schema).staged(
        temporaryFiles, tables: table)
      return try copy.copyTables()
    case (true, false):
      let address = try ServerAddress(url: source.path)
      report = try await CopyFromServer(from: address, to: destination, options).run()
    default:
      let address = try ServerAddress(url: target.path)
      shown.file = address.description
      let temporaryFiles = TemporaryFiles()
      let file = try OpenedFile(
        source, input.values(format: format), temporaryFiles: temporaryFiles, writes: false)
      if options.newName == nil, let name = source.name, !file.format.isDatabase {
        options.newName = name
      }
      let connection = try Connection(path: file.database, configuration: .reading)
      report = try await CopyToServer(
        from: connection, file: source.path, to: address, options
      ).run()
    }
    shown.tables = report.tables
    for problem in report.problems {
      StandardStream.error.write("\(problem.isNote ? "note" : "not copied"): \(problem.text)\n")
    }
    return shown
  }

  /// Returns whether a destination is an SQLite database, also if it does not exist.
  private func isDatabase(_ path: String) -> Bool {
    guard OpenedFile.exists(path) else { return FileFormat(path: path)?.isDatabase ?? true }
    return (try? OpenedFile.format(of: path).isDatabase) ?? false
  }
}

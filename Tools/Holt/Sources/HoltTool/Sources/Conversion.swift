import Foundation
import Providers
import SQLiteCore
import Terminal

/// The conversion of a file's tables to another file.
struct Conversion {
  let source: SourceArgument
  let format: FileFormat?
  /// The tables to write; empty for all tables.
  let tables: [String]
  let destination: String
  let target: FileFormat
  let replaces: Bool
  /// Whether to write Holt's layout, which stores everything that a database contains.
  let isFull: Bool

  private var holdsAll: Bool { isFull || target == .sqlite || target == .xml }

  func run() throws -> TableReport {
    if destination != "-", !replaces {
      try SourceSession.FileWriting.requireNoFile(at: destination)
    }
    return holdsAll ? try writeDatabase() : try writeValues()
  }

  // MARK: Databases

  private func writeDatabase() throws -> TableReport {
    let temporaryFiles = TemporaryFiles()
    let file = try OpenedFile(source, format: format, temporaryFiles: temporaryFiles, writes: false)
    let input: any DataProvider = file.provider ?? FileFormat.sqlite.provider()
    if file.provider == nil { try input.openSource(atPath: file.database, readOnly: true) }
    let made = try temporaryFiles.newPath()
    var configuration = Configuration.preservingSettings
    // No other process uses the file before the conversion is done, and the result must be one
    // file.
    configuration.journalMode = .delete
    configuration.synchronous = .off
    let output: any DataProvider =
      target == .sqlite ? SQLiteProvider(configuration: configuration) : target.provider()
    if target == .sqlite {
      try output.openSource(atPath: made)
    } else {
      try output.createSourceInMemory()
    }
    let bar = ProgressBar("converting")
    var transfer = DataTransfer(tables: tables.isEmpty ? nil : tables)
    transfer.batchSize = 20_000
    let report = try transfer.copy(from: input, to: output) {
      bar.show($0.completedRows, of: $0.totalRows, $0.table)
    }
    bar.end()
    if target == .sqlite {
      try output.closeSource()
      try ActivityIndicator.showing("writing \(destination)") { try place(made) }
    } else if destination == "-" {
      try output.saveSource(atPath: made)
      try stream(made) { try FileHandle.standardOutput.write(contentsOf: $0) }
    } else {
      try ActivityIndicator.showing("writing \(destination)") {
        try output.saveSource(atPath: destination)
      }
    }
    return TableReport(
      file: destination, tables: report.tables.map { .init(name: $0.name, rowCount: $0.rowCount) })
  }

  /// Copies a finished database to its destination.
  private func place(_ made: String) throws {
    if destination == "-" {
      return try stream(made) { try FileHandle.standardOutput.write(contentsOf: $0) }
    }
    try SourceSession.FileWriting.write(toPath: destination, replacing: replaces) { output in
      try stream(made) { try output.write($0) }
      // SQLite would treat leftover companion files as part of the new database.
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: destination + suffix)
      }
    }
  }

  private func stream(_ path: String, to body: ([UInt8]) throws -> Void) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ToolError("the file can't be read", file: path)
    }
    defer { try? handle.close() }
    while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
      try body([UInt8](piece))
    }
  }

  // MARK: Values

  private func writeValues() throws -> TableReport {
    let workspace = try Workspace([source], format: format)
    let connection = workspace.connection
    return try connection.transaction(.deferred) {
      let selected = try selection(connection)
      if TableFile.holdsOneTable(target), selected.count != 1 {
        throw ToolError(
          "a \(target.rawValue) file holds one table, but the source has \(selected.count)"
            + (selected.isEmpty ? "" : ": \(selected.map(\.name.name).joined(separator: ", "))"),
          file: source.path, hint: "pass --table with the table to write")
      }
      var report = TableReport(file: destination)
      func write(to sink: @escaping ([UInt8]) throws -> Void) throws {
        var file = TableFile(target, isObject: selected.count != 1, to: sink)
        for table in selected { report.tables.append(try rows(of: table, connection, to: &file)) }
        try file.finish()
      }
      if destination == "-" {
        let out = Output()
        try write {
          out.write($0)
          try out.check()
        }
        try out.finish()
      } else {
        try SourceSession.FileWriting.write(toPath: destination, replacing: replaces) { output in
          try write { try output.write($0) }
        }
      }
      return report
    }
  }

  private func selection(_ connection: Connection) throws -> [TableSchema] {
    let all = try connection.tables()
    guard !tables.isEmpty else { return all.filter { $0.kind == .table } }
    return try tables.map { name in
      guard let table = all.first(where: { SQLName.isSame($0.name.name, name) }) else {
        throw ToolError(
          "no such table: \(name)", file: source.path,
          hint: "existing tables: \(all.map(\.name.name).joined(separator: ", "))")
      }
      return table
    }
  }

  private func rows(
    of table: TableSchema, _ connection: Connection, to file: inout TableFile
  ) throws -> TableReport.Table {
    let bar = ProgressBar("converting")
    let name = SQLName.quoted(table.name.name)
    let columns = table.columns.filter { $0.kind != .hidden }
    let total = try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: name)") ?? 0
    var count = 0
    try file.beginTable(
      table.name.name, columns: columns.map { ($0.name, $0.declaredType) })
    let list = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    try connection.forEach("SELECT \(unsafe: list) FROM \(unsafe: name)") { row in
      try file.add(row.values)
      count += 1
      if count.isMultiple(of: 1_000) { bar.show(count, of: total, table.name.name) }
    }
    try file.endTable()
    bar.end()
    return TableReport.Table(name: table.name.name, rowCount: count)
  }
}

/// The tables that were written, with their row counts.
struct TableReport {
  var file: String
  var tables: [Table] = []

  struct Table {
    var name: String
    var rowCount: Int
  }

  var text: String {
    let parts = tables.map { "\($0.name): \($0.rowCount.counted("row"))" }
    return "\(file): \(parts.isEmpty ? "no tables" : parts.joined(separator: ", "))\n"
  }

  var json: String {
    let tables = tables.map {
      JSONText.object([("name", .text($0.name)), ("rows", .integer($0.rowCount))])
    }
    return JSONText.object([("file", .text(file)), ("tables", .array(tables))]).description + "\n"
  }
}

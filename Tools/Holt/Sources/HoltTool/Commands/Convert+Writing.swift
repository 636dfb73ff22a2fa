import Foundation
@_spi(Formats) import Providers
import SQLiteCore
import Terminal

// Writing the destination.
extension Convert {
  func convert(to target: FileFormat) throws -> TableReport {
    if destination != "-", !force {
      try SourceSession.FileWriting.requireNoFile(at: destination)
    }
    guard !full, let ordinary = target.rowFormat else { return try writeDatabase(as: target) }
    return try writeValues(as: ordinary)
  }

  // MARK: Databases

  private func writeDatabase(as target: FileFormat) throws -> TableReport {
    let temporaryFiles = TemporaryFiles()
    if target == .sqlite, destination != "-" { return try writeSQLite(temporaryFiles) }
    let file = try open(temporaryFiles)
    guard destination == "-" else { return try copy(file, as: target, to: destination) }
    let path = try temporaryFiles.newPath()
    let report = try copy(file, as: target, to: path)
    try stream(path) { try FileHandle.standardOutput.write(contentsOf: $0) }
    return report
  }

  private func writeSQLite(_ temporaryFiles: TemporaryFiles) throws -> TableReport {
    var report = TableReport(file: destination)
    try SourceSession.FileWriting.write(toPath: destination, replacing: force) { output in
      let file = try open(temporaryFiles, loadingInto: loadsWholeFile ? output.temporaryPath : nil)
      if let provider = file.provider, file.database == output.temporaryPath {
        report.tables = try provider.read(Self.tables)
        try provider.closeSource()
      } else {
        let path = try temporaryFiles.newPath()
        report = try copy(file, as: .sqlite, to: path)
        try ActivityIndicator.showing("writing \(destination)") {
          try stream(path) { try output.write($0) }
        }
      }
      // SQLite would treat leftover companion files as part of the new database.
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: destination + suffix)
      }
    }
    return report
  }

  /// A Boolean value that indicates whether the new database contains exactly the source's tables,
  /// so that the source can be loaded into the destination.
  private var loadsWholeFile: Bool {
    table.isEmpty && !input.cache && input.badRows != .skip
  }

  private func open(
    _ temporaryFiles: TemporaryFiles, loadingInto path: String? = nil
  ) throws -> OpenedFile {
    try OpenedFile(
      source, input.values(format: format, keepsTrees: true), temporaryFiles: temporaryFiles,
      writes: false, loadingInto: path)
  }

  /// Returns the tables in the order of their creation, with their row counts.
  private static func tables(
    of connection: Connection
  ) throws -> [(name: String, rowCount: Int)] {
    let known = Set(try connection.tables().map(\.name))
    let names = try connection.values(
      String.self, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    return try names.filter { known.contains(TableName($0)) }.map { name in
      let count = try connection.value(Int.self, "SELECT count(*) FROM \(identifier: name)")
      return (name, count ?? 0)
    }
  }

  /// Copies the tables of a file to a new file, which is a database or has Holt's layout.
  private func copy(
    _ file: OpenedFile, as target: FileFormat, to path: String
  ) throws -> TableReport {
    let input: any DataProvider = file.provider ?? FileFormat.sqlite.provider()
    if file.provider == nil { try input.openSource(atPath: file.database, readOnly: true) }
    // No other process uses the file before the conversion is done, and the result must be one
    // file.
    let output: any DataProvider =
      target == .sqlite ? SQLiteProvider(configuration: .staging) : target.provider()
    if target == .sqlite {
      try output.openSource(atPath: path)
    } else {
      try output.createSourceInMemory()
    }
    let bar = ProgressBar("converting")
    var transfer = DataTransfer(tables: table.isEmpty ? nil : table)
    transfer.batchSize = 20_000
    let report = try transfer.copy(from: input, to: output) {
      bar.show($0.completedRows, of: $0.totalRows, $0.table)
    }
    bar.end()
    if target == .sqlite {
      try output.closeSource()
    } else {
      try ActivityIndicator.showing("writing \(destination)") {
        try output.saveSource(atPath: path)
      }
    }
    return TableReport(
      file: destination, tables: report.tables.map { ($0.name, $0.rowCount) })
  }

  private func stream(_ path: String, to body: ([UInt8]) throws -> Void) throws {
    let handle = try OpenedFile.handle(reading: path)
    defer { try? handle.close() }
    while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
      try body([UInt8](piece))
    }
  }

  // MARK: Values

  private func writeValues(as target: RowWriter.Format) throws -> TableReport {
    let workspace = try Workspace(
      [source], input.values(format: format, keepsTrees: target != .csv))
    let connection = workspace.connection
    return try connection.transaction(.deferred) {
      let selected = try workspace.tables(named: table, in: source.path)
      // Lines can also be no lines.
      if target == .csv && selected.count != 1 || target == .jsonLines && selected.count > 1 {
        throw ToolError(
          "a \(target == .csv ? "csv" : "jsonl") file holds one table, but the source has "
            + "\(selected.count)"
            + (selected.isEmpty ? "" : ": \(selected.map(\.name.name).joined(separator: ", "))"),
          file: source.path, hint: "pass --table with the table to write")
      }
      do {
        return try write(selected, of: connection, as: target)
      } catch let error as ProviderError
        where error.code == .unrepresentable && target != .csv && target != .jsonLines
      {
        var error = ProviderError(
          error.code, "\(error.message); pass --full to write Holt's layout", table: error.table,
          column: error.column)
        error.file = destination == "-" ? nil : destination
        throw error
      }
    }
  }

  private func write(
    _ tables: [TableSchema], of connection: Connection, as target: RowWriter.Format
  ) throws -> TableReport {
    func report(to sink: @escaping ([UInt8]) throws -> Void) throws -> TableReport {
      var file = RowWriter(target, isObject: tables.count != 1, write: sink)
      var report = TableReport(file: destination)
      for table in tables { report.tables.append(try rows(of: table, connection, to: &file)) }
      try file.finish()
      return report
    }
    guard destination == "-" else {
      var written = TableReport(file: destination)
      try SourceSession.FileWriting.write(toPath: destination, replacing: force) { output in
        written = try report { try output.write($0) }
      }
      return written
    }
    // A value that the format can't represent is refused before anything is written.
    _ = try report { _ in }
    let out = Output()
    let written = try report {
      out.write($0)
      try out.check()
    }
    try out.finish()
    return written
  }

  private func rows(
    of table: TableSchema, _ connection: Connection, to file: inout RowWriter
  ) throws -> (name: String, rowCount: Int) {
    let bar = ProgressBar("converting")
    let name = SQLName.quoted(table.name.name)
    let columns = table.columns.filter { $0.kind != .hidden }
    let total = try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: name)") ?? 0
    var count = 0
    try file.beginTable(
      table.name.name, columns: columns.map { ($0.name, $0.declaredType) })
    let list = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    try connection.forEach("SELECT \(unsafe: list) FROM \(unsafe: name)") { row in
      try file.add(row)
      count += 1
      if count.isMultiple(of: 1_000) { bar.show(count, of: total, table.name.name) }
    }
    try file.endTable()
    bar.end()
    return (table.name.name, count)
  }
}

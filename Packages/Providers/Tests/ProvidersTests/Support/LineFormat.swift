@_spi(Formats) @testable import Providers
import Primitives
import SQLiteCore

/// A test format. Each line is a row of a table: `table name=value other=value`.
///
/// A value is read as a field; after `$` as a text, after `#` as a number, after `?` as a Boolean, after `{` as JSON,
/// after `%` as a number that no type can represent. Fields are written.
struct LineFormat: TableFormat {
  var types: [String: [String: TableCollector.ColumnType]] = [:]
  var keys: [String: String] = [:]

  typealias Layout = [String]
  var newLayout: Layout { [] }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> Layout {
    tables.declaredTypes = types
    tables.declaredKeys = keys
    var bytes: [UInt8] = []
    while let piece = try input.next() { bytes += piece }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    for (number, line) in lines.enumerated() {
      if line == "!" {
        throw ProviderError(.malformed, "expected a row", position: .init(line: number + 1))
      }
      let parts = line.split(separator: " ")
      let names = parts[0].split(separator: "<")
      let parent = names.count > 1 ? tables.table(String(names[1])) : nil
      let table = tables.table(String(names[0]), childOf: parent)
      for part in parts.dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        set(table, table.column(String(pair[0])), String(pair[1]))
      }
      try table.endRow()
    }
    return lines.map(String.init)
  }

  private func set(_ table: TableCollector.Builder, _ column: Int, _ value: String) {
    let rest = String(value.dropFirst())
    switch value.first {
    case "$": table.set(column, text: [UInt8](rest.utf8).elementSpan)
    case "#":
      if let integer = Int64(rest) {
        table.set(column, integer: integer)
      } else {
        table.set(column, real: Double(rest) ?? 0)
      }
    case "?": table.set(column, boolean: rest == "true")
    case "{": table.set(column, container: [UInt8](value.utf8).elementSpan)
    case "%": table.set(column, number: [UInt8](rest.utf8).elementSpan)
    default: table.set(column, field: [UInt8](value.utf8).elementSpan)
    }
  }

  func write(
    _ contents: Connection, as layout: Layout, to output: SourceSession.ByteOutput
  ) throws -> Layout {
    var lines: [String] = []
    for table in try DatabaseContents(contents).tables {
      try table.forEachRow(of: contents) { row in
        var line = table.name
        for (index, column) in table.columns.enumerated() {
          switch try row.value(at: ColumnIndex(index)) {
          case .null: continue
          case .integer(let value): line += " \(column.name)=\(value)"
          case .real(let value): line += " \(column.name)=\(value)"
          case .text(let value): line += " \(column.name)=\(value)"
          case .blob:
            throw ProviderError(
              .unrepresentable, "a line can't contain bytes", table: table.name, column: column.name
            )
          }
        }
        lines.append(line)
      }
    }
    try output.write([UInt8](lines.map { $0 + "\n" }.joined().utf8))
    return lines
  }
}

/// A provider of ``LineFormat``.
final class LineProvider: DataProvider {
  static let shared = LineProvider()
  let session: SourceSession

  convenience init() { self.init(LineFormat()) }

  init(
    _ format: LineFormat, _ directories: SourceSession.Directories = .standard,
    place: SourceSession.StagingPlace = .memory
  ) {
    session = SourceSession(
      store: SourceSession.FileStore(format: format, place: place), directories: directories)
  }
}

internal import Primitives
internal import SPON
public import SQLiteCore

/// Writes tables row by row as an ordinary file, which stores only their values.
///
/// A value is written according to its storage class and its column's declared type: the table in
/// the package's README lists all types. A single table is an array, or lines; several tables are
/// an object of arrays.
///
/// ```swift
/// var writer = RowWriter(.json) { try file.write($0) }
/// try writer.beginTable("task", columns: [("id", "INTEGER"), ("done", "BOOLEAN")])
/// try writer.add([1, 0])  // {"id":1,"done":false}
/// try writer.endTable()
/// try writer.finish()
/// ```
@_spi(Formats) public struct RowWriter {
  /// A format that stores rows.
  public enum Format: Hashable, Sendable { case csv, json, jsonLines, spon }

  /// The use of the written text.
  public enum Purpose: Hashable, Sendable {
    /// A file that Holt reads as the same values. Values for which this is not possible are
    /// refused: blobs in CSV and JSON, and text in a JSON column that is not JSON.
    case file
    /// A result for other programs, which is written while it is read. Blobs are Base64, and text
    /// in a JSON column that is not JSON is a string.
    case result
  }

  /// A column of the current table.
  private struct Column {
    let name: String
    let key: [UInt8]
    let type: ValueType
    let csv: CSVColumnWriter
  }

  private let format: Format
  private let isObject: Bool
  private let isResult: Bool
  private let write: ([UInt8]) throws -> Void
  private var json: JSONProvider.EventWriter
  private var csv: CSVProvider.Writer
  private var spon = SPONStreamWriter(formatting: .prettyPrinted)
  private var table = ""
  private var columns: [Column] = []
  private var tableCount = 0
  private var rowCount = 0

  /// - Parameters:
  ///   - isObject: Whether to write an object with the tables' names as keys, in JSON and SPON.
  ///   - write: Receives the text in pieces; in a result, after each row.
  public init(
    _ format: Format, isObject: Bool = false, for purpose: Purpose = .file,
    write: @escaping ([UInt8]) throws -> Void
  ) {
    self.format = format
    self.isObject = isObject
    self.write = write
    isResult = purpose == .result
    var formatting = JSONProvider.Formatting.lines
    if format == .json {
      formatting = isResult ? .separatedLines : .rows(depth: isObject ? 2 : 1)
    }
    json = JSONProvider.EventWriter(formatting, write: write)
    csv = CSVProvider.Writer(lineBreak: "\r\n", write: write)
  }

  /// Returns whether the values 0 and 1 of a column with a declared type are Booleans.
  public static func isBoolean(_ type: String) -> Bool { ValueType(declared: type) == .boolean }

  /// Returns whether the texts of a column with a declared type are decimal numbers.
  public static func isDecimal(_ type: String) -> Bool {
    [.decimal, .sponDecimal].contains(ValueType(declared: type))
  }

  /// Begins a table.
  ///
  /// - Parameter schema: The columns with their declared types, which may be empty. In JSON and
  ///   SPON, the names must be unique.
  public mutating func beginTable(
    _ name: String, columns schema: [(name: String, type: String)]
  ) throws {
    table = name
    rowCount = 0
    let layout = CSVLayout(dialect: CSVProvider.Dialect(), isExplicit: true, nullText: nil)
    columns = schema.map { column in
      var csv = CSVColumnWriter(column.name, type: column.type, table: name, layout)
      csv.quotesSpaces = true
      csv.writesBlobs = isResult
      return Column(
        name: column.name, key: Array(column.name.utf8), type: ValueType(declared: column.type),
        csv: csv)
    }
    switch format {
    case .csv:
      for column in columns {
        try column.csv.addingContext(row: nil) {
          try csv.field(column.name, isQuoted: column.name.utf8.contains(0x20))
        }
      }
      try csv.endRecord()
    case .json where isResult: try write([0x5B])
    case .json:
      if isObject, tableCount == 0 { try json.beginObject() }
      if isObject { try json.key(name) }
      try json.beginArray()
    case .jsonLines: break
    case .spon:
      if isObject, tableCount == 0 { try spon.beginObject() }
      if isObject { try spon.key(name) }
      try spon.beginArray()
    }
    tableCount += 1
    try flush()
  }

  /// Writes a row.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the
  ///   column, if the format can't represent a value.
  public mutating func add(_ row: borrowing Row) throws {
    try beginRow()
    for index in columns.indices {
      do {
        try addValue(at: index, of: row)
      } catch {
        throw addingContext(error, index)
      }
    }
    try endRow()
  }

  /// Writes a row, with a value for each column.
  ///
  /// - Throws: See ``add(_:)-(Row)``.
  public mutating func add(_ values: [SQLiteValue]) throws {
    try beginRow()
    for (index, value) in values.enumerated() where index < columns.count {
      let column = columns[index]
      do {
        switch format {
        case .csv: try csv.write(value, as: column.type, column.csv)
        case .json, .jsonLines:
          try json.key(utf8: column.key.elementSpan)
          try json.write(value, as: column.type, notation)
        case .spon:
          var sink = SPONValueSink()
          try sink.write(value, as: column.type, ())
          try spon.write(sink.value, forKey: column.name)
        }
      } catch {
        throw addingContext(error, index)
      }
    }
    try endRow()
  }

  private mutating func addValue(at index: Int, of row: borrowing Row) throws {
    let column = columns[index]
    let position = ColumnIndex(index)
    switch format {
    case .csv: try csv.write(row, at: position, as: column.type, column.csv)
    case .json, .jsonLines:
      try json.key(utf8: column.key.elementSpan)
      try json.write(row, at: position, as: column.type, notation)
    case .spon:
      var sink = SPONValueSink()
      try sink.write(row, at: position, as: column.type, ())
      try spon.write(sink.value, forKey: column.name)
    }
  }

  private var notation: JSONProvider.EventWriter.Notation { .init(isLenient: isResult) }

  private mutating func beginRow() throws {
    rowCount += 1
    switch format {
    case .csv: break
    case .json, .jsonLines: try json.beginObject()
    case .spon: try spon.beginObject()
    }
  }

  private mutating func endRow() throws {
    switch format {
    case .csv: try csv.endRecord()
    case .json, .jsonLines: try json.endObject()
    case .spon: try spon.end()
    }
    if isResult || spon.pendingCount > 1 << 16 { try flush() }
  }

  /// Ends the table.
  public mutating func endTable() throws {
    switch format {
    case .csv, .jsonLines: break
    case .json: if !isResult { try json.endArray() }
    case .spon: try spon.end()
    }
  }

  /// Writes the end of the text.
  public mutating func finish() throws {
    switch format {
    case .csv: try csv.finish()
    case .jsonLines: try json.finish()
    case .json where isResult:
      try json.finish()
      try write(Array("]\n".utf8))
    case .json:
      if isObject {
        if tableCount == 0 { try json.beginObject() }
        try json.endObject()
      }
      try json.finish()
    case .spon:
      if isObject {
        if tableCount == 0 { try spon.beginObject() }
        try spon.end()
      }
      try spon.finish()
      try write(spon.take())
      if isResult { try write([0x0A]) }
    }
  }

  /// Writes the buffered text.
  private mutating func flush() throws {
    switch format {
    case .csv: if isResult { try csv.flush() }
    case .json, .jsonLines: if isResult { try json.flush() }
    case .spon: try write(spon.take())
    }
  }

  /// Adds the table, the column and the row to an error.
  private func addingContext(_ error: any Error, _ index: Int) -> any Error {
    let known = error as? ProviderError
    let message = known?.message ?? (error as? SPONError)?.message
    guard let message, known == nil || known?.code == .unrepresentable else { return error }
    return ProviderError(
      .unrepresentable, "\(message), in row \(rowCount)", table: table,
      column: columns[index].name)
  }
}

public import SQLiteCore

/// The rows of a result, in their order.
///
/// ```swift
/// let record = try provider.query("SELECT * FROM Category WHERE id = ?", withParameters: [1])
/// print(record["name"])  // of the first row
/// print(record)          // a table of all of them
/// ```
public struct RecordSet: Hashable, Sendable {
  let header: RecordColumns
  private var rows: [[SQLiteValue]]

  /// - Precondition: Each row has a value for each column.
  public init(columns: [String], rows: [[SQLiteValue]] = []) {
    precondition(
      rows.allSatisfy { $0.count == columns.count }, "a row has a value for each column")
    self.init(RecordColumns(columns), rows)
  }

  init(_ header: RecordColumns, _ rows: [[SQLiteValue]]) {
    self.header = header
    self.rows = rows
  }

  /// The names of the columns, in their order; also where there is no row.
  public var columns: [String] { header.names }

  /// The value of a column in the first row; `nil` where there is no row, or no such column.
  public subscript(name: String) -> SQLiteValue? { first?[name] }

  public static func == (a: RecordSet, b: RecordSet) -> Bool {
    (a.header === b.header || a.columns == b.columns) && a.rows == b.rows
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(rows)
  }
}

extension RecordSet: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { rows.count }
  public subscript(position: Int) -> Record { Record(header, rows[position]) }
}

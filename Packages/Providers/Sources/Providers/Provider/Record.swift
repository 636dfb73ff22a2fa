public import SQLiteCore

/// A row of a result: named columns in order, with typed values.
///
/// ```swift
/// for record in try provider.query("SELECT id, name FROM Category") {
///   print(record["id"], record["name"])
/// }
/// ```
///
/// Column names are compared as in SQL, ignoring the case of ASCII letters. If several columns have
/// one name, the name finds the first, and the index finds each.
public struct Record: Hashable, Sendable {
  let header: RecordColumns
  /// The values of the columns.
  public private(set) var values: [SQLiteValue]

  init(_ header: RecordColumns, _ values: [SQLiteValue]) {
    self.header = header
    self.values = values
  }

  /// Creates a record from columns and their values.
  public init(_ columns: KeyValuePairs<String, SQLiteValue>) {
    self.init(RecordColumns(columns.map(\.key)), columns.map(\.value))
  }

  /// The column names, in order.
  public var columns: [String] { header.names }

  /// The value of a column; `nil` if the column does not exist. NULL is `SQLiteValue.null`.
  public subscript(name: String) -> SQLiteValue? { header.index(of: name).map { values[$0] } }

  /// The value at an index, counting from 0.
  public subscript(index: Int) -> SQLiteValue { values[index] }

  public static func == (a: Record, b: Record) -> Bool {
    (a.header === b.header || a.columns == b.columns) && a.values == b.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(values)
  }
}

extension Record: Sequence {
  /// Returns an iterator over the columns and their values, in order.
  public func makeIterator() -> some IteratorProtocol<(column: String, value: SQLiteValue)> {
    zip(columns, values).lazy.map { (column: $0, value: $1) }.makeIterator()
  }
}

extension Record: CustomStringConvertible {
  /// The values as SQL literals: `id: 1, name: 'Milk'`.
  public var description: String {
    map { "\($0.column): \($0.value)" }.joined(separator: ", ")
  }
}

/// The columns of a result, shared by all of its records.
final class RecordColumns: Sendable {
  let names: [String]
  /// The index of each name; of several columns with one name, the first.
  private let indexes: [FoldedName: Int]

  init(_ names: [String]) {
    self.names = names
    indexes = Dictionary(names.enumerated().map { (FoldedName($1), $0) }) { first, _ in first }
  }

  func index(of name: String) -> Int? { indexes[FoldedName(name)] }
}

/// The rows of a result, in order.
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
      rows.allSatisfy { $0.count == columns.count }, "a row must have a value for each column")
    self.init(RecordColumns(columns), rows)
  }

  init(_ header: RecordColumns, _ rows: [[SQLiteValue]]) {
    self.header = header
    self.rows = rows
  }

  /// The column names, in order, even if there are no rows.
  public var columns: [String] { header.names }

  /// The value of a column in the first row; `nil` if there is no row, or the column does not
  /// exist.
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

extension RecordSet: CustomStringConvertible {
  /// A table for people: numbers are right-aligned, long strings and many rows are truncated.
  public var description: String { table() }

  /// Returns a table for people.
  ///
  /// ```
  /// id | name
  /// ---|------
  ///  1 | Milk
  ///  2 | Bread
  /// ```
  ///
  /// - Parameters:
  ///   - maximumRows: The maximum number of rows to show. Further rows are only counted.
  ///   - maximumWidth: The maximum number of characters of a value to show.
  public func table(maximumRows: Int = 100, maximumWidth: Int = 60) -> String {
    if columns.isEmpty { return "no columns" }
    let shown = prefix(Swift.max(0, maximumRows)).map { record in
      record.values.map { Self.cell($0, Swift.max(1, maximumWidth)) }
    }
    let isNumber = columns.indices.map { index in
      !isEmpty && prefix(shown.count).allSatisfy { $0[index].isNumberOrNull }
    }
    let titles = columns.map { Self.cut($0, Swift.max(1, maximumWidth)) }
    let widths = titles.indices.map { index in
      shown.reduce(titles[index].count) { Swift.max($0, $1[index].count) }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].count)
        return isNumber[index] ? space + cells[index] : cells[index] + space
      }
      var line = padded.joined(separator: " | ")
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "-|-")
    var lines = [line(titles), rule] + shown.map(line)
    if count > shown.count { lines.append("… and \(count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  private static func cell(_ value: SQLiteValue, _ width: Int) -> String {
    switch value {
    case .null: "NULL"
    case .integer, .real: value.description
    case .text(let text): cut(text, width)
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }

  /// Returns the beginning of a string, on one line.
  private static func cut(_ text: String, _ width: Int) -> String {
    let beginning = String(
      text.prefix(width + 1).map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 })
    return beginning.count > width ? beginning.prefix(width - 1) + "…" : beginning
  }
}

extension SQLiteValue {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .integer, .real, .null: true
    case .text, .blob: false
    }
  }
}

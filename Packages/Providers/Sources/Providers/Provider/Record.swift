public import SQLiteCore

/// A row of a result: columns in their order, with typed values.
///
/// ```swift
/// for record in try provider.query("SELECT id, name FROM Category") {
///   print(record["id"], record["name"])
/// }
/// ```
///
/// A column is found by its name as SQL compares names: letters of ASCII may differ in case. Several columns may
/// have one name: the first is found by it, and each by its place.
public struct Record: Hashable, Sendable {
  let header: RecordColumns
  /// A value for each column.
  public private(set) var values: [SQLiteValue]

  init(_ header: RecordColumns, _ values: [SQLiteValue]) {
    self.header = header
    self.values = values
  }

  /// A record of columns with their values.
  public init(_ columns: KeyValuePairs<String, SQLiteValue>) {
    self.init(RecordColumns(columns.map(\.key)), columns.map(\.value))
  }

  /// The names of the columns, in their order.
  public var columns: [String] { header.names }

  /// The value of a column; `nil` where there is no such column. What is NULL is `SQLiteValue.null`.
  public subscript(name: String) -> SQLiteValue? { header.place(of: name).map { values[$0] } }

  /// The value at a place, counted from 0.
  public subscript(place: Int) -> SQLiteValue { values[place] }

  public static func == (a: Record, b: Record) -> Bool {
    (a.header === b.header || a.columns == b.columns) && a.values == b.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(values)
  }
}

extension Record: Sequence {
  /// The columns with their values, in their order.
  public func makeIterator() -> some IteratorProtocol<(column: String, value: SQLiteValue)> {
    zip(columns, values).lazy.map { (column: $0, value: $1) }.makeIterator()
  }
}

extension Record: CustomStringConvertible {
  /// The values as literals of SQL: `id: 1, name: 'Milk'`.
  public var description: String {
    map { "\($0.column): \($0.value)" }.joined(separator: ", ")
  }
}

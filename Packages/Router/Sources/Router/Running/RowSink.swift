internal import SQLiteCore

/// What rows are made into.
protocol RowSink {
  associatedtype Value
  /// Runs a statement to its end.
  func values(_ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable])
    throws
    -> [Value]
  /// Reads one row.
  func value(_ row: borrowing Row) throws -> Value
}

/// Values of a type, read from the rows themselves.
struct DecodedRows<Value: Decodable>: RowSink {
  let decoder: RowDecoder

  func values(_ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable])
    throws
    -> [Value]
  {
    try connection.fetchAll(decoding: Value.self, with: decoder, sql, values: arguments)
  }

  func value(_ row: borrowing Row) throws -> Value { try decoder.decode(Value.self, from: row) }
}

/// The rows as they are, and the names of their columns.
final class PlainRows: RowSink {
  private(set) var columns: [String] = []

  func values(_ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable])
    throws
    -> [[SQLiteValue]]
  {
    try connection.withStatement(sql) { statement in
      columns = statement.columnNames
      try statement.bindAll(arguments)
      var rows: [[SQLiteValue]] = []
      while try statement.step() { rows.append(try statement.row.values) }
      return rows
    }
  }

  func value(_ row: borrowing Row) throws -> [SQLiteValue] {
    let names = row.columnNames
    columns = names.last == StatementWriter.checkColumn ? names.dropLast() : names
    return Array(try row.values.prefix(columns.count))
  }
}

internal import Primitives
internal import SQLiteCore

/// What rows are made into.
protocol RowSink {
  associatedtype Value
  /// Runs a statement to its end. `embeds` are what its last columns hold.
  func values(
    _ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable],
    _ embeds: [DatabaseRoute.Embed]
  ) throws -> [Value]
  /// Reads one row.
  func value(_ row: borrowing Row, _ embeds: [DatabaseRoute.Embed]) throws -> Value
}

/// Values of a type, read from the rows themselves.
struct DecodedRows<Value: Decodable>: RowSink {
  let decoder: RowDecoder

  func values(
    _ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable],
    _ embeds: [DatabaseRoute.Embed]
  ) throws -> [Value] {
    guard let reader = EmbedReader(for: Value.self, decoder, embeds) else {
      return try connection.fetchAll(
        decoding: Value.self, with: decoder, SQL(unsafe: sql), values: arguments)
    }
    return try connection.withStatement(SQL(unsafe: sql)) { statement in
      try statement.bindAll(arguments)
      var values: [Value] = []
      while try statement.step() {
        values.append(try reader.value(Value.self, from: statement.row))
      }
      return values
    }
  }

  func value(_ row: borrowing Row, _ embeds: [DatabaseRoute.Embed]) throws -> Value {
    guard let reader = EmbedReader(for: Value.self, decoder, embeds) else {
      return try decoder.decode(Value.self, from: row)
    }
    return try reader.value(Value.self, from: row)
  }
}

/// The rows as they are, and the names of their columns.
final class PlainRows: RowSink {
  private(set) var columns: [String] = []

  func values(
    _ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable],
    _ embeds: [DatabaseRoute.Embed]
  ) throws -> [[DataValue]] {
    try connection.withStatement(SQL(unsafe: sql)) { statement in
      columns = statement.columnNames
      try statement.bindAll(arguments)
      var rows: [[DataValue]] = []
      while try statement.step() { rows.append(try statement.row.values.map { DataValue($0) }) }
      return rows
    }
  }

  func value(_ row: borrowing Row, _ embeds: [DatabaseRoute.Embed]) throws -> [DataValue] {
    let names = row.columnNames
    columns = names.last == StatementWriter.checkColumn ? names.dropLast() : names
    return try row.values.prefix(columns.count).map { DataValue($0) }
  }
}

@_exported public import enum Primitives.DataValue
public import SQLiteCore

extension DatabaseRoute {
  /// The result of a route, before its rows are decoded.
  ///
  /// Its values are independent of the engine: see ``/Primitives/DataValue``.
  public struct Response: Hashable, Sendable {
    /// The names of the rows' columns.
    public var columns: [String]
    /// The rows that were read, or returned by a write, with a value for each column.
    public var rows: [[DataValue]]
    /// The number of written rows.
    public var affected: Int

    public init(columns: [String] = [], rows: [[DataValue]] = [], affected: Int = 0) {
      self.columns = columns
      self.rows = rows
      self.affected = affected
    }

    /// Decodes the rows as values of a type, by the rules for database rows.
    ///
    /// The decoder reads each value as SQLite would store it: see `SQLiteValue.init(_:)`, which lists the types.
    /// Nothing is run or stored in SQLite.
    ///
    /// - Throws: `SQLiteError` if a column does not match the type; errors of the type's own decoding.
    public func values<Value: Decodable>(
      _ type: Value.Type = Value.self, with decoder: RowDecoder = RowDecoder()
    ) throws -> [Value] {
      try values(type, with: decoder, embeds: [])
    }

    /// Decodes the rows as values of a type, including embedded rows, by the rules for database rows.
    ///
    /// - Parameters:
    ///   - type: The type of each row's value.
    ///   - route: The route of this response. It determines which columns contain embedded rows.
    ///   - decoder: The decoder for the rows.
    /// - Throws: The same errors as ``values(_:with:)``.
    public func values<Value: Decodable>(
      _ type: Value.Type = Value.self, of route: DatabaseRoute,
      with decoder: RowDecoder = RowDecoder()
    ) throws -> [Value] {
      try values(type, with: decoder, embeds: route.embeds)
    }

    private func values<Value: Decodable>(
      _ type: Value.Type, with decoder: RowDecoder, embeds: [DatabaseRoute.Embed]
    ) throws -> [Value] {
      guard let reader = EmbedReader(for: type, decoder, embeds) else {
        return try decoder.decode(type, columns: columns, rows: storedRows)
      }
      var values: [Value] = []
      values.reserveCapacity(rows.count)
      try Row.forEach(columns: columns, in: storedRows) {
        values.append(try reader.value(type, from: $0))
      }
      return values
    }

    /// The rows as SQLite would store them, converted lazily.
    private var storedRows: some Collection<[SQLiteValue]> {
      rows.lazy.map { $0.map { SQLiteValue($0) } }
    }
  }
}

/// Converts rows to values.
protocol RowSink {
  associatedtype Value
  /// Runs a statement to its end. Its last columns contain the `embeds`.
  func values(
    _ connection: Connection, _ sql: String, _ arguments: [any SQLiteBindable],
    _ embeds: [DatabaseRoute.Embed]
  ) throws -> [Value]
  /// Converts one row.
  func value(_ row: borrowing Row, _ embeds: [DatabaseRoute.Embed]) throws -> Value
}

/// Decodes rows as values of a type.
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

/// Collects the rows without decoding, and their column names.
final class DataValueRows: RowSink {
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
    columns = names.last == StatementText.checkColumn ? names.dropLast() : names
    return try row.values.prefix(columns.count).map { DataValue($0) }
  }
}

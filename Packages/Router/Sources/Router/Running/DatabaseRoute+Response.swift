@_exported public import enum Primitives.DataValue
public import SQLiteCore

extension DatabaseRoute {
  /// The result of a route, before its rows are decoded.
  ///
  /// Its values are those of no particular engine: see ``DataValue``.
  public struct Response: Hashable, Sendable {
    /// The names of the rows' columns.
    public var columns: [String]
    /// The rows that were read, or that a write gives back: a value for each column.
    public var rows: [[DataValue]]
    /// How many rows were written.
    public var affected: Int

    public init(columns: [String] = [], rows: [[DataValue]] = [], affected: Int = 0) {
      self.columns = columns
      self.rows = rows
      self.affected = affected
    }

    /// The rows as values of a type, by the rules by which rows of a database are read.
    ///
    /// The decoder reads each value as SQLite would store it: see `SQLiteValue.init(_:)`, which lists the types.
    /// Nothing is run or stored in SQLite.
    ///
    /// - Throws: `SQLiteError` where a column does not suit the type; what the type itself throws.
    public func values<Value: Decodable>(
      _ type: Value.Type = Value.self, with decoder: RowDecoder = RowDecoder()
    ) throws -> [Value] {
      try values(type, with: decoder, embeds: [])
    }

    /// The rows as values of a type, embedded ones too by the rules by which rows of a database are read.
    ///
    /// - Parameters:
    ///   - type: What each row is read as.
    ///   - route: The route that this is the response to. It tells which columns hold embedded rows.
    ///   - decoder: Reads the rows.
    /// - Throws: As ``values(_:with:)``.
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

    /// The rows as SQLite would store them, made one at a time.
    private var storedRows: some Collection<[SQLiteValue]> {
      rows.lazy.map { $0.map { SQLiteValue($0) } }
    }
  }
}

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

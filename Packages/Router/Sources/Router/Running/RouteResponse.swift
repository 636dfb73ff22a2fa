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

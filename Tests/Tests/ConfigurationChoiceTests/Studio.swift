public import QueryGen

/// The types that the configuration names.
public enum Room: String, Codable, Sendable { case red, blue }

public struct Notes: Codable, Hashable, Sendable {
  public var lines: [String]
}

public struct Money: Codable, Hashable, Sendable {
  public var cents: Int
}

/// Stores money as an SQLite number: `12.5`.
public enum MoneyFormat: ColumnFormat {
  public static func read(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Money {
    Money(cents: Int((try row.read(Double.self, at: index) * 100).rounded()))
  }

  public static func sqliteValue(of value: Money) -> SQLiteValue {
    .real(Double(value.cents) / 100)
  }
}

/// An aggregate whose arguments and result have a type of the configuration.
public struct LastOf: LastOfFunction {
  private var last: Money?

  public init() {}
  public mutating func step(_ price: Money?) { last = price ?? last }
  public func result() -> Money? { last }
}

/// A result column's number, counting from 0 as SQLite does.
public struct ColumnIndex: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: Int

  @inlinable public init(rawValue: Int) { self.rawValue = rawValue }

  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }

  @inlinable
  public static func < (a: ColumnIndex, b: ColumnIndex) -> Bool { a.rawValue < b.rawValue }
}

extension ColumnIndex: ExpressibleByIntegerLiteral {
  @inlinable public init(integerLiteral value: Int) { rawValue = value }
}

/// A parameter's number, counting from 1 as SQL does.
public struct ParameterIndex: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: Int

  @inlinable public init(rawValue: Int) { self.rawValue = rawValue }

  @inlinable public init(_ rawValue: Int) { self.rawValue = rawValue }

  @inlinable
  public static func < (a: ParameterIndex, b: ParameterIndex) -> Bool { a.rawValue < b.rawValue }
}

extension ParameterIndex: ExpressibleByIntegerLiteral {
  @inlinable public init(integerLiteral value: Int) { rawValue = value }
}

/// The rowid of a row: its integer key.
public struct RowID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: Int64

  @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

  @inlinable public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }
}

extension RowID: ExpressibleByIntegerLiteral {
  @inlinable public init(integerLiteral value: Int64) { rawValue = value }
}

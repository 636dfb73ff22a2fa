internal import SQLiteCore

extension Region {
  /// A column's name, compared as SQLite compares names: letters of ASCII are equal in either case.
  public struct ColumnName: Sendable {
    /// The name as the schema spells it.
    public let name: String

    public init(_ name: String) { self.name = name }
  }
}

extension Region.ColumnName: Hashable {
  public static func == (a: Region.ColumnName, b: Region.ColumnName) -> Bool {
    SQLName.isSame(a.name, b.name)
  }

  public func hash(into hasher: inout Hasher) {
    SQLName.hash(name, into: &hasher)
  }
}

extension Region.ColumnName: CustomStringConvertible, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }

  public var description: String { name }
}

extension Region {
  /// Some of a table's columns, or all that it has.
  public enum ColumnSet: Hashable, Sendable {
    case all
    case some(Set<ColumnName>)

    public static let none = ColumnSet.some([])

    public var isEmpty: Bool { self == .none }

    /// Whether a column is among them.
    public func contains(_ column: ColumnName) -> Bool {
      switch self {
      case .all: true
      case .some(let columns): columns.contains(column)
      }
    }

    /// Whether a column is in both.
    public func intersects(_ other: ColumnSet) -> Bool {
      switch (self, other) {
      case (.all, _): !other.isEmpty
      case (_, .all): !isEmpty
      case (.some(let a), .some(let b)): !a.isDisjoint(with: b)
      }
    }

    public mutating func formUnion(_ other: ColumnSet) {
      switch (self, other) {
      case (.some(let a), .some(let b)): self = .some(a.union(b))
      default: self = .all
      }
    }
  }
}

extension Region.ColumnSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral columns: Region.ColumnName...) { self = .some(Set(columns)) }
}

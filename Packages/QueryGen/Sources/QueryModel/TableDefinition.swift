/// A table or view of the final schema.
public struct TableDefinition: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case table, view, virtual }

  /// The name as the schema spells it.
  public var name: String
  public var kind: Kind
  /// The columns that `SELECT *` returns, in that order.
  public var columns: [ColumnDefinition]
  /// The names of the primary key's columns, in key order; empty where there is none.
  public var primaryKey: [String]
  /// The comment above the definition, without its markers.
  public var documentation: String?

  public init(
    name: String, kind: Kind, columns: [ColumnDefinition], primaryKey: [String],
    documentation: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.columns = columns
    self.primaryKey = primaryKey
    self.documentation = documentation
  }
}

/// A column of a table, or of a query's result.
public struct ColumnDefinition: Hashable, Sendable {
  /// The name as SQLite reports it.
  public var name: String
  public var type: ValueType
  public var isNullable: Bool
  public var documentation: String?

  public init(name: String, type: ValueType, isNullable: Bool, documentation: String? = nil) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.documentation = documentation
  }
}

/// What a value is: the storage that SQLite gives it, and what it stands for.
///
/// A type says what *every* non-null value is. Where that can't be known it is ``any``.
public enum ValueType: Hashable, Sendable {
  case integer
  case real
  case text
  case blob
  /// An integer that stands for a truth value: 0 or 1.
  case boolean
  /// An integer or a real.
  case numeric
  /// A value of any storage class.
  case any
}

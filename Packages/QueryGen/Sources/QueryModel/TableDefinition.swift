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
  /// The declared type as it is written, where there is one.
  public var declaredType: String?
  /// What the schema's author says it is in the language of the program.
  public var annotation: ColumnAnnotation?
  /// The values that a `CHECK` allows; `nil` where there is no such constraint.
  public var allowed: AllowedValues?
  /// For what a query or a view gives: the columns of tables whose values these are, as they are;
  /// empty where something is computed. Sorted.
  public var origins: [TableColumn]
  /// For what a query gives: the entry of `FROM` that it is a column of, where an outer join may find
  /// no row for that.
  public var outerJoined: OuterJoined?

  public init(
    name: String, type: ValueType, isNullable: Bool, documentation: String? = nil,
    declaredType: String? = nil, annotation: ColumnAnnotation? = nil,
    allowed: AllowedValues? = nil, origins: [TableColumn] = [], outerJoined: OuterJoined? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.documentation = documentation
    self.declaredType = declaredType
    self.annotation = annotation
    self.allowed = allowed
    self.origins = origins
    self.outerJoined = outerJoined
  }
}

/// An entry of `FROM` that may have no row, as a column of it tells.
public struct OuterJoined: Hashable, Sendable {
  /// What tells it from other entries of the statement.
  public var source: Int
  /// Whether the column is NULL only where there is no row.
  public var isCertain: Bool

  public init(source: Int, isCertain: Bool) {
    self.source = source
    self.isCertain = isCertain
  }
}

/// The values that a column can have besides NULL.
public struct AllowedValues: Hashable, Sendable {
  public enum Values: Hashable, Sendable {
    case texts([String])
    case integers([Int64])
  }

  /// The values, in the order of the constraint.
  public var values: Values
  /// What the schema's author calls them, in the same order; empty where a comment doesn't say.
  public var names: [String]

  public init(_ values: Values, names: [String] = []) {
    self.values = values
    self.names = names
  }

  /// How many there are.
  public var count: Int {
    switch values {
    case .texts(let texts): texts.count
    case .integers(let integers): integers.count
    }
  }
}

/// `AS Type` or `AS Type USING Format`, in a comment of the schema or of a query.
public struct ColumnAnnotation: Hashable, Sendable {
  /// The type, as it is written.
  public var type: String
  /// What converts it, as it is written.
  public var format: String?

  public init(type: String, format: String? = nil) {
    self.type = type
    self.format = format
  }
}

/// A column of a table of the schema.
public struct TableColumn: Hashable, Comparable, Sendable {
  public var table: String
  public var column: String

  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  public static func < (a: TableColumn, b: TableColumn) -> Bool {
    (a.table, a.column) < (b.table, b.column)
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

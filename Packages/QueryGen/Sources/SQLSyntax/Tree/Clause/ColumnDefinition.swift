/// A column of `CREATE TABLE` or `ALTER TABLE … ADD COLUMN`.
public struct ColumnDefinition: Equatable, Sendable {
  /// Its name.
  public var name: Identifier
  /// Its declared type, where one is written.
  public var type: TypeName?
  /// Its constraints, in order.
  public var constraints: [ColumnConstraint]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// One constraint of a column.
public struct ColumnConstraint: Equatable, Sendable {
  /// The name that `CONSTRAINT` gives it.
  public var name: Identifier?
  /// What it demands.
  public var kind: Kind
  /// Where it stands, its name included.
  @SourceSpan public var span: ByteSpan

  /// What a column constraint can be.
  public enum Kind: Equatable, Sendable {
    /// `PRIMARY KEY [ASC|DESC] [ON CONFLICT …] [AUTOINCREMENT]`
    case primaryKey(
      direction: SortDirection?, conflict: ConflictResolution?, isAutoincrement: Bool)
    /// `NOT NULL [ON CONFLICT …]`
    case notNull(conflict: ConflictResolution?)
    /// `NULL [ON CONFLICT …]`, which demands nothing.
    case null(conflict: ConflictResolution?)
    /// `UNIQUE [ON CONFLICT …]`
    case unique(conflict: ConflictResolution?)
    /// `CHECK (expression)`
    case check(Expression)
    /// `DEFAULT …`
    case `default`(DefaultValue)
    /// `COLLATE name`
    case collate(Identifier)
    /// `REFERENCES table (columns) …`
    case references(ForeignKeyReference)
    /// `[NOT] DEFERRABLE …` that does not follow its `REFERENCES` directly.
    case deferral(Deferral)
    /// `[GENERATED ALWAYS] AS (expression) [VIRTUAL|STORED]`
    case generated(Expression, storage: GeneratedStorage?)
    /// `CONSTRAINT name` with nothing after it, which SQLite allows.
    case nameOnly
  }
}

/// The value that a column has where none is given.
public enum DefaultValue: Equatable, Sendable {
  /// A literal, perhaps with a sign before it: `0`, `-1`, `'x'`, `NULL`, `CURRENT_TIME`.
  case literal(Expression)
  /// `(expression)`
  case expression(Expression)
  /// A bare or quoted word, which SQLite takes as a string; `TRUE` and `FALSE` are 1 and 0.
  case identifier(Identifier)
}

/// How a generated column is kept.
public enum GeneratedStorage: String, Hashable, Sendable {
  case virtual = "VIRTUAL"
  case stored = "STORED"
}

/// A column of `CREATE TABLE` or `ALTER TABLE … ADD COLUMN`.
public struct ColumnDefinition: Equatable, Sendable {
  /// The column's name.
  public var name: Identifier
  /// The declared type, if any.
  public var type: TypeName?
  /// The column's constraints, in order.
  public var constraints: [ColumnConstraint]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// One constraint of a column.
public struct ColumnConstraint: Equatable, Sendable {
  /// The name after `CONSTRAINT`, if any.
  public var name: Identifier?
  /// The kind of constraint.
  public var kind: Kind
  /// The constraint's span, including its name.
  @SourceSpan public var span: ByteSpan

  /// The kinds of column constraint.
  public enum Kind: Equatable, Sendable {
    /// `PRIMARY KEY [ASC|DESC] [ON CONFLICT …] [AUTOINCREMENT]`
    case primaryKey(
      direction: SortDirection?, conflict: ConflictResolution?, isAutoincrement: Bool)
    /// `NOT NULL [ON CONFLICT …]`
    case notNull(conflict: ConflictResolution?)
    /// `NULL [ON CONFLICT …]`, which has no effect.
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

/// The default value of a column.
public enum DefaultValue: Equatable, Sendable {
  /// A literal, optionally signed: `0`, `-1`, `'x'`, `NULL`, `CURRENT_TIME`.
  case literal(Expression)
  /// `(expression)`
  case expression(Expression)
  /// A bare or quoted word, which SQLite treats as a string. `TRUE` and `FALSE` are 1 and 0.
  case identifier(Identifier)
}

/// The storage of a generated column.
public enum GeneratedStorage: String, Hashable, Sendable {
  case virtual = "VIRTUAL"
  case stored = "STORED"
}

/// A table constraint.
public struct TableConstraint: Equatable, Sendable {
  /// The name after `CONSTRAINT`, if any.
  public var name: Identifier?
  /// The kind of constraint.
  public var kind: Kind
  /// The constraint's span, including its name.
  @SourceSpan public var span: ByteSpan

  /// The kinds of table constraint.
  public enum Kind: Equatable, Sendable {
    /// `PRIMARY KEY (columns [AUTOINCREMENT]) [ON CONFLICT …]`
    case primaryKey([OrderingTerm], isAutoincrement: Bool, conflict: ConflictResolution?)
    /// `UNIQUE (columns) [ON CONFLICT …]`
    case unique([OrderingTerm], conflict: ConflictResolution?)
    /// `CHECK (expression) [ON CONFLICT …]`
    case check(Expression, conflict: ConflictResolution?)
    /// `FOREIGN KEY (columns) REFERENCES …`
    case foreignKey([Identifier], ForeignKeyReference)
    /// `CONSTRAINT name` with nothing after it, which SQLite allows.
    case nameOnly
  }
}

/// The referenced side of a foreign key: `REFERENCES table (columns) ON DELETE CASCADE …`.
public struct ForeignKeyReference: Equatable, Sendable {
  /// The parent table.
  public var table: Identifier
  /// The parent columns. Empty if omitted, which means the parent's primary key.
  public var columns: [Identifier]
  /// The actions taken when the parent row changes, in source order.
  public var actions: [Action]
  /// The name after `MATCH`, which SQLite ignores.
  public var match: Identifier?
  /// The time at which the key is checked, if specified.
  public var deferral: Deferral?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// A foreign key action, such as `ON DELETE CASCADE`.
  public struct Action: Equatable, Sendable {
    /// The change of the parent row.
    public var event: Event
    /// The effect on the child row.
    public var effect: Effect
  }

  /// The change of the parent row.
  public enum Event: String, Hashable, Sendable {
    case delete = "DELETE"
    case update = "UPDATE"
    /// SQLite accepts and ignores this event.
    case insert = "INSERT"
  }

  /// The effect on the child row.
  public enum Effect: String, Hashable, Sendable {
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
    case cascade = "CASCADE"
    case restrict = "RESTRICT"
    case noAction = "NO ACTION"
  }
}

/// `[NOT] DEFERRABLE [INITIALLY DEFERRED|IMMEDIATE]`
public struct Deferral: Equatable, Sendable {
  /// Indicates whether `NOT` is present.
  public var isNegated: Bool
  /// `INITIALLY …`, if present.
  public var initially: Initially?

  /// The default time at which a deferrable key is checked.
  public enum Initially: String, Hashable, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
  }
}

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

/// A constraint of a whole table.
public struct TableConstraint: Equatable, Sendable {
  /// The name that `CONSTRAINT` gives it.
  public var name: Identifier?
  /// What it demands.
  public var kind: Kind
  /// Where it stands, its name included.
  @SourceSpan public var span: ByteSpan

  /// What a table constraint can be.
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

/// What a foreign key points to: `REFERENCES table (columns) ON DELETE CASCADE …`.
public struct ForeignKeyReference: Equatable, Sendable {
  /// The table.
  public var table: Identifier
  /// Its columns; empty where none are written, which means its primary key.
  public var columns: [Identifier]
  /// What is done when the row pointed to changes, in the order written.
  public var actions: [Action]
  /// The name after `MATCH`, which SQLite ignores.
  public var match: Identifier?
  /// When it is checked, where written.
  public var deferral: Deferral?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// `ON DELETE CASCADE` and the like.
  public struct Action: Equatable, Sendable {
    /// What happens to the row pointed to.
    public var event: Event
    /// What is done to the row that points.
    public var effect: Effect
  }

  /// What happens to the row pointed to.
  public enum Event: String, Hashable, Sendable {
    case delete = "DELETE"
    case update = "UPDATE"
    /// Accepted and ignored by SQLite.
    case insert = "INSERT"
  }

  /// What is done to the row that points.
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
  /// Whether `NOT` is written.
  public var isNegated: Bool
  /// `INITIALLY …`, where written.
  public var initially: Initially?

  /// When a deferrable key is checked unless told otherwise.
  public enum Initially: String, Hashable, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
  }
}

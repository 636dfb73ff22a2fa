/// `CREATE TABLE …`
public struct CreateTable: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// What it holds.
  public var body: Body
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What a table is made from.
  public enum Body: Equatable, Sendable {
    /// `(columns, constraints) options`
    case definition(TableDefinition)
    /// `AS select`
    case select(Select)
  }
}

/// The columns, constraints and options of a table.
public struct TableDefinition: Equatable, Sendable {
  /// The columns; never empty.
  public var columns: [ColumnDefinition]
  /// The constraints of the whole table, in order.
  public var constraints: [TableConstraint]
  /// Whether `WITHOUT ROWID` is written.
  public var isWithoutRowID: Bool
  /// Whether `STRICT` is written.
  public var isStrict: Bool
  /// Where it stands, from the opening parenthesis.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE [UNIQUE] INDEX …`
public struct CreateIndex: Equatable, Sendable {
  /// Whether `UNIQUE` is written.
  public var isUnique: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The table, which is in the same schema.
  public var table: Identifier
  /// What is indexed; never empty.
  public var columns: [OrderingTerm]
  /// The condition of a partial index.
  public var `where`: Expression?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE VIEW …`
public struct CreateView: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The names of its columns; empty where none are written.
  public var columns: [Identifier]
  /// Its rows.
  public var select: Select
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE TRIGGER …`
public struct CreateTrigger: Equatable, Sendable {
  /// Whether `TEMP` or `TEMPORARY` is written.
  public var isTemporary: Bool
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// When it fires, where written; SQLite takes none as `BEFORE`.
  public var timing: Timing?
  /// What it fires on.
  public var event: Event
  /// The table or view.
  public var table: QualifiedName
  /// Whether `FOR EACH ROW` is written, which changes nothing.
  public var isForEachRow: Bool
  /// What follows `WHEN`.
  public var when: Expression?
  /// What it does: selects, inserts, updates and deletes; never empty.
  public var body: [Statement]
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// When a trigger fires.
  public enum Timing: String, Hashable, Sendable {
    case before = "BEFORE"
    case after = "AFTER"
    case insteadOf = "INSTEAD OF"
  }

  /// What a trigger fires on.
  public enum Event: Equatable, Sendable {
    case delete
    case insert
    /// `UPDATE [OF columns]`; no columns mean any.
    case update(of: [Identifier])
  }
}

/// `CREATE VIRTUAL TABLE … USING module(…)`
public struct CreateVirtualTable: Equatable, Sendable {
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The module: `fts5`, `rtree`.
  public var module: Identifier
  /// What the module is given, each as the exact text between the commas, without the spaces
  /// around it. `nil` where there are no parentheses.
  public var arguments: [ModuleArgument]?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// One argument of a virtual table's module.
public struct ModuleArgument: Equatable, Sendable {
  /// The text, as the module gets it.
  public var text: String
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// `ALTER TABLE …`
public struct AlterTable: Equatable, Sendable {
  /// The table.
  public var table: QualifiedName
  /// The change.
  public var action: Action
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What changes.
  public enum Action: Equatable, Sendable {
    /// `RENAME TO name`
    case rename(to: Identifier)
    /// `RENAME [COLUMN] name TO name`
    case renameColumn(Identifier, to: Identifier)
    /// `ADD [COLUMN] definition`
    case addColumn(ColumnDefinition)
    /// `DROP [COLUMN] name`
    case dropColumn(Identifier)
    /// `ADD [CONSTRAINT name] CHECK (…)`, since SQLite 3.53
    case addConstraint(TableConstraint)
    /// `DROP CONSTRAINT name`, since SQLite 3.53
    case dropConstraint(Identifier)
    /// `ALTER [COLUMN] name SET NOT NULL`, since SQLite 3.53
    case setNotNull(Identifier, conflict: ConflictResolution?)
    /// `ALTER [COLUMN] name DROP NOT NULL`, since SQLite 3.53
    case dropNotNull(Identifier)
  }
}

/// `DROP TABLE|INDEX|VIEW|TRIGGER …`
public struct Drop: Equatable, Sendable {
  /// What sort of thing is dropped.
  public var object: Object
  /// Whether `IF EXISTS` is written.
  public var ifExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// Where it stands.
  @SourceSpan public var span: ByteSpan

  /// What can be dropped.
  public enum Object: String, Hashable, Sendable {
    case table = "TABLE"
    case index = "INDEX"
    case view = "VIEW"
    case trigger = "TRIGGER"
  }
}

/// `CREATE TABLE …`
public struct CreateTable: Equatable, Sendable {
  /// Indicates whether `TEMP` or `TEMPORARY` is present.
  public var isTemporary: Bool
  /// Indicates whether `IF NOT EXISTS` is present.
  public var ifNotExists: Bool
  /// The table's name.
  public var name: QualifiedName
  /// The definition, or the select that fills the table.
  public var body: Body
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The forms of a table's body.
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
  /// The table constraints, in order.
  public var constraints: [TableConstraint]
  /// Indicates whether `WITHOUT ROWID` is present.
  public var isWithoutRowID: Bool
  /// Indicates whether `STRICT` is present.
  public var isStrict: Bool
  /// The definition's span, starting at the opening parenthesis.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE [UNIQUE] INDEX …`
public struct CreateIndex: Equatable, Sendable {
  /// Indicates whether `UNIQUE` is present.
  public var isUnique: Bool
  /// Indicates whether `IF NOT EXISTS` is present.
  public var ifNotExists: Bool
  /// The index's name.
  public var name: QualifiedName
  /// The table, which is in the same schema.
  public var table: Identifier
  /// The indexed columns and expressions; never empty.
  public var columns: [OrderingTerm]
  /// The condition of a partial index.
  public var `where`: Expression?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE VIEW …`
public struct CreateView: Equatable, Sendable {
  /// Indicates whether `TEMP` or `TEMPORARY` is present.
  public var isTemporary: Bool
  /// Indicates whether `IF NOT EXISTS` is present.
  public var ifNotExists: Bool
  /// The view's name.
  public var name: QualifiedName
  /// The column names; empty if omitted.
  public var columns: [Identifier]
  /// The select that produces the view's rows.
  public var select: Select
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `CREATE TRIGGER …`
public struct CreateTrigger: Equatable, Sendable {
  /// Indicates whether `TEMP` or `TEMPORARY` is present.
  public var isTemporary: Bool
  /// Indicates whether `IF NOT EXISTS` is present.
  public var ifNotExists: Bool
  /// The trigger's name.
  public var name: QualifiedName
  /// The time at which the trigger fires. `nil` if omitted, which means `BEFORE`.
  public var timing: Timing?
  /// The event that fires the trigger.
  public var event: Event
  /// The table or view.
  public var table: QualifiedName
  /// Indicates whether `FOR EACH ROW` is present. It has no effect in SQLite.
  public var isForEachRow: Bool
  /// The condition after `WHEN`, if any.
  public var when: Expression?
  /// The statements: selects, inserts, updates and deletes; never empty.
  public var body: [Statement]
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The time at which a trigger fires.
  public enum Timing: String, Hashable, Sendable {
    case before = "BEFORE"
    case after = "AFTER"
    case insteadOf = "INSTEAD OF"
  }

  /// The events that fire a trigger.
  public enum Event: Equatable, Sendable {
    case delete
    case insert
    /// `UPDATE [OF columns]`. An empty list means any column.
    case update(of: [Identifier])
  }
}

/// `CREATE VIRTUAL TABLE … USING module(…)`
public struct CreateVirtualTable: Equatable, Sendable {
  /// Indicates whether `IF NOT EXISTS` is present.
  public var ifNotExists: Bool
  /// The table's name.
  public var name: QualifiedName
  /// The module: `fts5`, `rtree`.
  public var module: Identifier
  /// The module's arguments, each as the exact text between the commas, without surrounding spaces.
  /// `nil` if there are no parentheses.
  public var arguments: [ModuleArgument]?
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// One argument of a virtual table's module.
public struct ModuleArgument: Equatable, Sendable {
  /// The text that the module receives.
  public var text: String
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// `ALTER TABLE …`
public struct AlterTable: Equatable, Sendable {
  /// The table.
  public var table: QualifiedName
  /// The change.
  public var action: Action
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The alterations of a table.
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
  /// The kind of object to drop.
  public var object: Object
  /// Indicates whether `IF EXISTS` is present.
  public var ifExists: Bool
  /// The object's name.
  public var name: QualifiedName
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan

  /// The kinds of object that can be dropped.
  public enum Object: String, Hashable, Sendable {
    case table = "TABLE"
    case index = "INDEX"
    case view = "VIEW"
    case trigger = "TRIGGER"
  }
}

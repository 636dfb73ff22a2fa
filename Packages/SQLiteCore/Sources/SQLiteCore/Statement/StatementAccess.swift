extension Statement {
  /// The tables and columns that a statement accesses, as SQLite's compiler reports them. Views and
  /// triggers are resolved.
  public struct Access: Hashable, Sendable {
    /// The columns that are read, by table. A table with no columns is read for its row count or
    /// existence of rows only, as by `count(*)`.
    public internal(set) var reads: [TableName: Set<String>] = [:]
    /// The writes by table, of the statement and of the triggers that it may fire.
    public internal(set) var writes: [TableName: Writes] = [:]
    /// A Boolean value that indicates whether the statement creates, alters or drops a schema
    /// object, or rebuilds an index.
    public internal(set) var changesSchema = false
    /// The `PRAGMA`s that are run: the name in lower case, with its argument, or an empty string if
    /// the `PRAGMA` has no argument.
    public internal(set) var pragmas: [String: String] = [:]
    /// A Boolean value that indicates whether the statement updates the optimizer statistics, as
    /// `ANALYZE` does.
    public internal(set) var gathersStatistics = false
    /// The savepoint that the statement opens or ends, if any.
    public internal(set) var savepoint: Hooks.SavepointEvent?
    /// A Boolean value that indicates whether the statement commits or rolls back the transaction.
    public internal(set) var endsTransaction = false
    /// A Boolean value that indicates whether the statement has an effect that a rollback does not
    /// undo: it attaches or detaches databases, or changes a setting of the connection, as most
    /// `PRAGMA`s do.
    public internal(set) var outlastsRollback = false

    public init() {}

    var controlsTransaction: Bool { endsTransaction || savepoint != nil }

    /// A Boolean value that indicates whether observers are notified when the statement has run.
    var isReportedToObservers: Bool { savepoint != nil || changesSchema || isAdministrative }

    /// A Boolean value that indicates whether the statement may have effects that are not reported
    /// as row changes.
    var isAdministrative: Bool { gathersStatistics || !pragmas.isEmpty || outlastsRollback }

    /// The writes of a statement to one table.
    public struct Writes: Hashable, Sendable {
      /// A Boolean value that indicates whether rows may be inserted.
      public internal(set) var inserts = false
      /// A Boolean value that indicates whether rows may be deleted.
      public internal(set) var deletes = false
      /// The columns that are set; empty if no row is updated.
      public internal(set) var updates: Set<String> = []
    }

    /// Adds the access of another statement.
    public mutating func formUnion(_ other: Access) {
      reads.merge(other.reads) { $0.union($1) }
      for (table, added) in other.writes {
        writes[table, default: Writes()].inserts = writes[table]?.inserts ?? false || added.inserts
        writes[table, default: Writes()].deletes = writes[table]?.deletes ?? false || added.deletes
        writes[table, default: Writes()].updates.formUnion(added.updates)
      }
      changesSchema = changesSchema || other.changesSchema
      pragmas.merge(other.pragmas) { $1 }
      gathersStatistics = gathersStatistics || other.gathersStatistics
      outlastsRollback = outlastsRollback || other.outlastsRollback
    }
  }
}

extension Statement.Access {
  /// A placeholder for the schema of a table that SQLite reported by name only.
  static let unknownSchema = ""

  /// Resolves the schemas of tables that SQLite reported by name only.
  mutating func resolveSchemas(_ find: (_ table: String) -> String?) {
    for (table, columns) in reads where table.schema == Self.unknownSchema {
      reads[table] = nil
      // Not a table, but for example a common table expression, whose reads are reported
      // separately.
      guard let schema = find(table.name) else { continue }
      reads[TableName(schema: schema, table.name), default: []].formUnion(columns)
    }
  }
}

/// A table in one of a connection's databases.
///
/// Names are compared as in SQLite: ASCII letters are case-insensitive.
public struct TableName: Sendable {
  /// `main`, `temp`, or the name of an attached database.
  public let schema: String
  /// The name as the schema spells it.
  public let name: String

  public init(schema: String = "main", _ name: String) {
    self.schema = schema
    self.name = name
  }
}

extension TableName: Hashable {
  public static func == (a: TableName, b: TableName) -> Bool {
    SQLName.isSame(a.name, b.name) && SQLName.isSame(a.schema, b.schema)
  }

  public func hash(into hasher: inout Hasher) {
    SQLName.hash(name, into: &hasher)
    SQLName.hash(schema, into: &hasher)
  }
}

extension TableName: CustomStringConvertible, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }

  public var description: String { schema == "main" ? name : "\(schema).\(name)" }
}

extension Hooks {
  /// A savepoint that began or ended.
  public struct SavepointEvent: Hashable, Sendable {
    /// The kind of a savepoint event.
    public enum Kind: Hashable, Sendable { case begin, release, rollback }

    /// The kind of the event.
    public let kind: Kind
    /// The savepoint's name, as the statement spells it.
    public let name: String
  }
}

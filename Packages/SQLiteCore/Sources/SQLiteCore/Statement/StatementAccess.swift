extension Statement {
  /// What a statement touches, as SQLite's compiler reports it: views and triggers seen through.
  public struct Access: Hashable, Sendable {
    /// The columns that are read, by table. A table without columns is read for its rows alone, as
    /// `count(*)` does.
    public internal(set) var reads: [TableName: Set<String>] = [:]
    /// What is written, by table, by the statement itself and by the triggers that it may fire.
    public internal(set) var writes: [TableName: Writes] = [:]
    /// Whether the statement creates, alters or drops a part of the schema, or rebuilds an index.
    public internal(set) var changesSchema = false
    /// The `PRAGMA`s that are run: each name in lower case, with its argument, or an empty text if it
    /// has none.
    public internal(set) var pragmas: [String: String] = [:]
    /// Whether the statement gathers statistics, as `ANALYZE` does, in SQLite's own tables.
    public internal(set) var gathersStatistics = false
    /// The savepoint that the statement opens or ends, if that is what it does.
    public internal(set) var savepoint: Hooks.SavepointEvent?
    /// Whether the statement commits or rolls back the transaction.
    public internal(set) var endsTransaction = false
    /// Whether the statement changes what a rollback leaves as it is: the attached databases, or a
    /// setting of the connection, as most `PRAGMA`s do.
    public internal(set) var outlastsRollback = false

    public init() {}

    var controlsTransaction: Bool { endsTransaction || savepoint != nil }

    /// Whether observers are told that such a statement has run.
    var isOfNote: Bool { savepoint != nil || changesSchema || isAdministrative }

    /// Whether it may change something that is not reported row by row.
    var isAdministrative: Bool { gathersStatistics || !pragmas.isEmpty || outlastsRollback }

    /// How a statement writes one table.
    public struct Writes: Hashable, Sendable {
      /// Whether rows may be inserted.
      public internal(set) var inserts = false
      /// Whether rows may be deleted.
      public internal(set) var deletes = false
      /// The columns that are set; empty where no row is updated.
      public internal(set) var updates: Set<String> = []
    }

    /// Adds what another statement touches.
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
  /// What a table's schema is called as long as only its name is known.
  static let unknownSchema = ""

  /// Gives the tables of which the engine said the name alone the schema that `find` has for them.
  mutating func resolveSchemas(_ find: (_ table: String) -> String?) {
    for (table, columns) in reads where table.schema == Self.unknownSchema {
      reads[table] = nil
      // No table: a common table expression, say, whose own reads are reported beside it.
      guard let schema = find(table.name) else { continue }
      reads[TableName(schema: schema, table.name), default: []].formUnion(columns)
    }
  }
}

/// A table in one of a connection's databases.
///
/// Names are compared as SQLite compares them: letters of ASCII are equal in either case.
public struct TableName: Sendable {
  /// `main`, `temp`, or the name that an attached database was given.
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
    /// What happened to a savepoint.
    public enum Kind: Hashable, Sendable { case begin, release, rollback }

    /// What happened to it.
    public let kind: Kind
    /// Its name, as the statement has it.
    public let name: String
  }
}

/// Collects what the statements of a stretch of work read and write.
final class AccessRecorder {
  private(set) var access = Statement.Access()

  func add(_ other: Statement.Access) { access.formUnion(other) }
}

public import SQLiteCore

/// A type whose values are the rows of a table: a struct that is made of nothing but values.
///
/// ```swift
/// struct Track: Table {
///   var id: AutoId = 0
///   var title = ""
///   var seconds: Double?
///   var album = OneRelation<Album>()
/// }
/// try await Track(title: "Faith").save()
/// ```
///
/// Each property that the type encodes is a column of its name: see `RowEncoder.ColumnDeclaration` in SQLiteCore for how it is
/// declared. What no column holds as a single value is a text in JSON. A property that is optional may be NULL. A
/// ``OneRelation`` is the other's key, and a foreign key.
///
/// SwiftUI has a `Table` too. An app that imports both says once which one it means, and writes `SwiftUI.Table` for the
/// other:
///
/// ```swift
/// typealias Table = Relations.Table
/// ```
///
/// The table is made as the first row of the type is asked for or saved, and changed as the type changes: see
/// ``ModelSession``.
public protocol Table: TableModel, Codable, Hashable, RowDecodable where Row == Self {
  /// A row with the defaults of all properties.
  init()

  /// The key.
  var id: ID { get set }

  /// The table's name: the type's, unless it says otherwise.
  static var tableName: String { get }

  /// Which database the table is in: ``SettingsKey/regular``, unless the type says otherwise.
  static var autoDBSettings: SettingsKey { get }

  /// The properties that are the key together: `id`, unless the type says otherwise.
  static var keyColumns: [String] { get }

  /// The new names of properties, by the names that they had before.
  static var renamedColumns: [String: String] { get }

  /// The name that the table had before; `nil` where it has always been this one.
  static var formerTableName: String? { get }

  /// Indexes, by their columns.
  static var indexes: [[String]] { get }

  /// Indexes of columns that no two rows have alike.
  static var uniqueIndexes: [[String]] { get }

  /// Conditions in SQL that each row fulfils.
  static var checks: [String] { get }

  /// To-one relations of which one is set: see ``RelationAlternatives``.
  static var alternatives: [any AlternativeRelations] { get }

  /// The integer property that counts how often the row was changed; `nil`, as by default, where none does.
  ///
  /// It is for the library to write: each update adds one to it, and finds the row only where it still is what it was when the
  /// row was fetched. So of two who change a row at once, one is told: see ``conflictPolicy``. Updates in SQL of your own should
  /// add one too.
  static var versionColumn: String? { get }

  /// What becomes of a model's changes when its row was changed elsewhere: ``ModelSession/ConflictPolicy/throw`` for a type with a
  /// ``versionColumn``, ``ModelSession/ConflictPolicy/keepMine`` for others, unless the type says otherwise.
  static var conflictPolicy: ModelSession.ConflictPolicy { get }

  /// The property that says that a row is deleted, without its being gone; `nil`, as by default, where rows are deleted as ever.
  ///
  /// It is an optional date or text, which says when, or a flag: a Boolean or an integer. See
  /// ``ModelSession/delete(_:)`` for what becomes of such rows.
  static var deletedColumn: String? { get }

  /// The columns and relations in the order in which they are encoded; empty, the default, for a type that `Codable` reads and
  /// writes.
  ///
  /// The `@Table` macro writes them, together with an `init(row:)` that reads the columns by number: rows are then read,
  /// compared and written several times faster. Code of your own must read each column in `init(row:)`, in this order.
  static var properties: [RowProperty<Self>] { get }

  /// The functions that read rows. Every type has a default.
  static var reading: RowReading<Self> { get }
}

extension Table {
  public static var tableName: String { "\(Self.self)" }
  public static var autoDBSettings: SettingsKey { .regular }
  public static var keyColumns: [String] { ["id"] }
  public static var renamedColumns: [String: String] { [:] }
  public static var formerTableName: String? { nil }
  public static var indexes: [[String]] { [] }
  public static var uniqueIndexes: [[String]] { [] }
  public static var checks: [String] { [] }
  public static var alternatives: [any AlternativeRelations] { [] }
  public static var versionColumn: String? { nil }
  public static var conflictPolicy: ModelSession.ConflictPolicy {
    versionColumn == nil ? .keepMine : .throw
  }
  public static var deletedColumn: String? { nil }
  public static var properties: [RowProperty<Self>] { [] }
  @inlinable public static var reading: RowReading<Self> { RowReading() }

  /// Reads a row by `Codable`, by the names of its columns. The relations belong to no session.
  ///
  /// - Throws: `SQLiteError` if a column does not suit its property; ``RelationError`` if the type can't be a table.
  public init(row: borrowing SQLiteCore.Row) throws {
    self = try TableMetadata.of(Self.self).row(Self.self, from: row)
  }

  public var row: Self { self }
  public init(row: Self) { self = row }

  public static func instances(of fetched: ModelSession.FetchedRows<Self>, in session: ModelSession)
    -> [Self]
  {
    if let accessors = fetched.accessors {
      accessors.attach(fetched.rows, in: session)
    } else {
      for place in fetched.rows.indices { _ = instance(of: fetched[place], in: session) }
    }
    return fetched.rows
  }

  public static func instance(of fetched: ModelSession.FetchedRow<Self>, in session: ModelSession)
    -> Self
  {
    if fetched.relations.isEmpty { return fetched.row }
    let owner = RelationOwner(
      session: session, type: Self.self, key: StoredKey(fetched.row.id))
    fetched.relations.attach(owner)
    fetched.relations.noteOwner(fetched.row, isUnsaved: false)
    return fetched.row
  }
}

/// Which database a table is in.
///
/// Nothing need be set up: a database is opened when the first row of its tables is asked for. See ``ModelSession/shared(for:)``
/// for where it lies.
public enum SettingsKey: Hashable, Sendable {
  /// The application's database.
  case regular
  /// One whose content can be made anew: it lies where the system may delete it.
  case cache
  /// One in memory, which is gone with the process.
  case memory
  /// The database at a path.
  case path(String)
}

extension ModelSession {
  /// What becomes of changes of a row that was changed elsewhere since it was fetched.
  ///
  /// A type says it by ``Table/conflictPolicy``. It counts as a model is fetched anew that has changes, and as models are saved.
  ///
  /// | policy | fetching | saving |
  /// |---|---|---|
  /// | ``keepMine`` | columns that were not changed here become what the row says, the others stay | only columns that were changed here are written |
  /// | ``takeTheirs`` | the model becomes what the row says | nothing is written of the model, which becomes what the row says |
  /// | ``throw`` | the model stays as it is | an error, and nothing is saved |
  public enum ConflictPolicy: Hashable, Sendable {
    case keepMine
    case takeTheirs
    case `throw`
  }
}

/// What becomes of rows when the row that they refer to is deleted, or gets another key.
public enum ForeignKeyAction: String, Hashable, Sendable, CaseIterable {
  /// They go with it, or follow it.
  case cascade = "CASCADE"
  /// It is refused while there are any.
  case restrict = "RESTRICT"
  /// It is refused where there are any at the end of the transaction.
  case noAction = "NO ACTION"
  /// They refer to none from then on.
  case setNull = "SET NULL"
  /// They refer to the one that the column's default says.
  case setDefault = "SET DEFAULT"
}

/// How a to-one relation is declared.
@usableFromInline
struct ForeignKeyRules: Hashable, Sendable {
  @usableFromInline var onDelete: ForeignKeyAction
  @usableFromInline var onUpdate: ForeignKeyAction
  @usableFromInline var isRequired: Bool
  @usableFromInline var isIndexed: Bool

  @inlinable
  init(
    onDelete: ForeignKeyAction, onUpdate: ForeignKeyAction, isRequired: Bool, isIndexed: Bool
  ) {
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.isRequired = isRequired
    self.isIndexed = isIndexed
  }
}

public import SQLiteCore

/// A type whose values are the rows of a table: a struct with value semantics.
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
/// Each property that the type encodes is a column with the property's name;
/// `RowEncoder.ColumnDeclaration` in SQLiteCore determines its declaration. A value that no column
/// can store directly is stored as JSON text. An optional property may be NULL. A ``OneRelation``
/// is stored as the target's key, with a foreign key.
///
/// SwiftUI has a `Table` too. An app that imports both declares once which one it means, and writes
/// `SwiftUI.Table` for the other:
///
/// ```swift
/// typealias Table = Relations.Table
/// ```
///
/// The table is created when a row of the type is first fetched or saved, and migrated when the
/// type changes: see ``ModelSession``.
public protocol Table: TableModel, Codable, Hashable, RowDecodable where Row == Self {
  /// Creates a row with the default values of all properties.
  init()

  /// The primary key.
  var id: ID { get set }

  /// The table's name; by default, the type's name.
  static var tableName: String { get }

  /// The database of the table; by default, ``SettingsKey/regular``.
  static var autoDBSettings: SettingsKey { get }

  /// The properties that form the primary key; by default, `id`.
  static var keyColumns: [String] { get }

  /// The new names of renamed properties, keyed by their former names.
  static var renamedColumns: [String: String] { get }

  /// The former name of the table; `nil` if it has never been renamed.
  static var formerTableName: String? { get }

  /// The columns of each index.
  static var indexes: [[String]] { get }

  /// The columns of each unique index.
  static var uniqueIndexes: [[String]] { get }

  /// SQL conditions that each row must fulfil.
  static var checks: [String] { get }

  /// Groups of to-one relations that have a single target: see ``RelationAlternatives``.
  static var alternatives: [any AlternativeRelations] { get }

  /// The integer property that counts the row's changes, for optimistic locking; `nil`, the
  /// default, if there is none.
  ///
  /// Only the library writes it: each update increments it, and matches the row only if its version
  /// is the one that was fetched. If a row is changed concurrently, one of the changes is therefore
  /// a conflict: see ``conflictPolicy``. Your own SQL updates should increment it too.
  static var versionColumn: String? { get }

  /// The policy for changes of a model whose row was changed by another connection. By default,
  /// ``ModelSession/ConflictPolicy/throw`` for a type with a ``versionColumn``, and
  /// ``ModelSession/ConflictPolicy/keepMine`` for other types.
  static var conflictPolicy: ModelSession.ConflictPolicy { get }

  /// The property that marks a row as deleted without deleting it; `nil`, the default, if rows are
  /// deleted.
  ///
  /// The column is an optional date or text that stores the time of the deletion, or a flag: a Boolean or
  /// an integer. See ``ModelSession/delete(_:)`` for the treatment of marked rows.
  static var deletedColumn: String? { get }

  /// The columns and relations in encoding order; empty, the default, for a type that `Codable`
  /// reads and writes.
  ///
  /// The `@Table` macro generates them, together with an `init(row:)` that reads the columns by
  /// index: rows are then read, compared and written several times faster. A custom `init(row:)`
  /// must read all columns in this order.
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

  /// Reads a row by `Codable`, using the names of its columns. The relations belong to no session.
  ///
  /// - Throws: `SQLiteError` if a column does not suit its property; ``RelationError`` if the type
  ///   can't be a table.
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
    fetched.relations.updateOwnerRow(fetched.row, isUnsaved: false)
    return fetched.row
  }
}

/// The database of a table.
///
/// No setup is required: a database is opened when a row of its tables is first used. See
/// ``ModelSession/shared(for:)`` for the locations.
public enum SettingsKey: Hashable, Sendable {
  /// The application's database.
  case regular
  /// A database whose content can be recreated, in a location where the system may delete it.
  case cache
  /// An in-memory database, which ends with the process.
  case memory
  /// The database at a path.
  case path(String)
}

extension ModelSession {
  /// The policy for changes of a row that was changed by another connection since it was fetched.
  ///
  /// A type declares it as ``Table/conflictPolicy``. It applies when a changed model is fetched
  /// again, and when models are saved.
  ///
  /// | policy | fetching | saving |
  /// |---|---|---|
  /// | ``keepMine`` | columns without local changes are refreshed, the others are kept | only columns with local changes are written |
  /// | ``takeTheirs`` | the model is refreshed from the row | the model is not written, and is refreshed from the row |
  /// | ``throw`` | the model is left unchanged | an error, and no row is saved |
  public enum ConflictPolicy: Hashable, Sendable {
    case keepMine
    case takeTheirs
    case `throw`
  }
}

/// The action for rows when the row that they refer to is deleted, or its key changes.
public enum ForeignKeyAction: String, Hashable, Sendable, CaseIterable {
  /// The rows are deleted too, or their references are updated.
  case cascade = "CASCADE"
  /// The change is refused while such rows exist.
  case restrict = "RESTRICT"
  /// The change is refused if such rows exist at the end of the transaction.
  case noAction = "NO ACTION"
  /// The references are set to NULL.
  case setNull = "SET NULL"
  /// The references are set to the column's default.
  case setDefault = "SET DEFAULT"
}

/// The declaration of a to-one relation's foreign key.
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

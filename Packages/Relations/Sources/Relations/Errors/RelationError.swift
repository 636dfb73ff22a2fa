public import SQLiteCore

/// What went wrong with models and their relations. Failures of SQLite itself are `SQLiteError`.
public struct RelationError: Error, Hashable, Sendable {
  /// The kind of a ``RelationError``.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }

  public let code: Code
  /// What is wrong, in words.
  public let message: String
  /// The table that it is about.
  public var table: String?
  /// The column, or the relation.
  public var column: String?
  /// The key of the row, as SQL's literals.
  public var key: String?
  /// Of a ``Code/conflict``, the row as it is in the database, by its columns: see ``currentRow(_:)``.
  public var currentValues: [String: SQLiteValue]?

  public init(
    _ code: Code, _ message: String, table: String? = nil, column: String? = nil,
    key: String? = nil
  ) {
    self.code = code
    self.message = message
    self.table = table
    self.column = column
    self.key = key
  }
}

extension RelationError.Code {
  /// There is no row with the key.
  public static let missingRow = Self(rawValue: "missingRow")
  /// A to-one relation has no target.
  public static let noTarget = Self(rawValue: "noTarget")
  /// What is asked for was not fetched.
  public static let notLoaded = Self(rawValue: "notLoaded")
  /// A relation is no property of a row that was made or fetched, and so it has no owner.
  public static let noOwner = Self(rawValue: "noOwner")
  /// A key is not set, or has another number of values than the table's.
  public static let invalidKey = Self(rawValue: "invalidKey")
  /// A type can't be a table, or its table is not as the type needs it.
  public static let schemaMismatch = Self(rawValue: "schemaMismatch")
  /// A change of a table would lose what is in it.
  public static let lossyChange = Self(rawValue: "lossyChange")
  /// The database's connections don't heed foreign keys.
  public static let foreignKeysOff = Self(rawValue: "foreignKeysOff")
  /// The row was changed by someone else since it was fetched.
  public static let conflict = Self(rawValue: "conflict")
  /// A model belongs to another session, or to none.
  public static let foreignModel = Self(rawValue: "foreignModel")
  /// The folder of the application's databases can't be made.
  public static let noFolder = Self(rawValue: "noFolder")
  /// A list is read by way of other tables, and can't be changed.
  public static let readOnlyRelation = Self(rawValue: "readOnlyRelation")
  /// The arguments do not suit a query.
  public static let invalidQuery = Self(rawValue: "invalidQuery")
}

extension RelationError: CustomStringConvertible {
  public var description: String {
    let place = [table, column].compactMap(\.self).joined(separator: ".")
    let row = key.map { " (key \($0))" } ?? ""
    return place.isEmpty ? "\(code): \(message)\(row)" : "\(code): \(place): \(message)\(row)"
  }
}

extension RelationError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .missingRow, .noTarget: .notFound
    case .notLoaded, .noOwner, .invalidKey, .foreignModel, .invalidQuery, .foreignKeysOff:
      .invalidRequest
    case .schemaMismatch: .schemaMismatch
    case .lossyChange: .wouldLoseData
    case .conflict: .conflict
    case .noFolder: .unavailable
    case .readOnlyRelation: .readOnly
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(table: table, columns: column.map { [$0] } ?? [])
  }
}

public import SQLiteCore

/// An error about models and their relations. Failures of SQLite itself are `SQLiteError`.
public struct RelationError: Error, Hashable, Sendable {
  /// The kind of a ``RelationError``.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }

  public let code: Code
  /// A description of the error.
  public let message: String
  /// The table that the error concerns.
  public var table: String?
  /// The column or the relation that the error concerns.
  public var column: String?
  /// The key of the row, as SQL literals.
  public var key: String?
  /// For a ``Code/conflict``, the current row in the database by column name: see
  /// ``currentRow(_:)``.
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
  /// No row has the key.
  public static let missingRow = Self(rawValue: "missingRow")
  /// A to-one relation has no target.
  public static let noTarget = Self(rawValue: "noTarget")
  /// A relation or list was read before it was fetched.
  public static let notLoaded = Self(rawValue: "notLoaded")
  /// A relation is not a property of a row that was created or fetched, so it has no owner.
  public static let noOwner = Self(rawValue: "noOwner")
  /// A key is not set, or its number of values differs from the table's key.
  public static let invalidKey = Self(rawValue: "invalidKey")
  /// A type can't be a table, or its table does not match the type.
  public static let schemaMismatch = Self(rawValue: "schemaMismatch")
  /// A schema change would lose data.
  public static let lossyChange = Self(rawValue: "lossyChange")
  /// Foreign key enforcement is disabled on the database's connections.
  public static let foreignKeysOff = Self(rawValue: "foreignKeysOff")
  /// The row was changed by another connection since it was fetched.
  public static let conflict = Self(rawValue: "conflict")
  /// A model belongs to another session, or to none.
  public static let foreignModel = Self(rawValue: "foreignModel")
  /// The folder of the application's databases can't be created.
  public static let noFolder = Self(rawValue: "noFolder")
  /// A list is read through other tables and can't be changed.
  public static let readOnlyRelation = Self(rawValue: "readOnlyRelation")
  /// The arguments of a query are invalid.
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

/// A position in a server's write-ahead log.
public struct PostgreSQLLogPosition: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension PostgreSQLLogPosition: CustomStringConvertible {
  /// The position as PostgreSQL writes it: `16/B374D848`.
  public var description: String {
    func hex(_ number: UInt64) -> String { String(number, radix: 16, uppercase: true) }
    return hex(rawValue >> 32) + "/" + hex(rawValue & 0xFFFF_FFFF)
  }
}

/// A message of a ``PostgreSQLReplicationStream``: a part of a committed transaction.
///
/// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
public enum PostgreSQLReplicationMessage: Equatable, Sendable {
  /// A transaction begins. Its messages follow, up to ``commit(position:end:)``.
  ///
  /// `transaction` is the lower half of the transaction's number.
  case begin(transaction: UInt32, position: PostgreSQLLogPosition)
  /// The transaction ends, which was committed at `position`.
  case commit(position: PostgreSQLLogPosition, end: PostgreSQLLogPosition)
  /// A table, which precedes the first of its rows, and follows again after changes of the schema.
  case relation(PostgreSQLReplicationRelation)
  /// A type that is not one of PostgreSQL's own.
  case type(PostgreSQLType, schema: String, name: String)
  /// The transaction was received from another server.
  case origin(name: String)
  /// A row was inserted.
  case insert(relation: UInt32, new: PostgreSQLReplicationRow)
  /// A row was updated. `old` contains its previous values if the table's replica identity is `FULL`; only its key if the
  /// key has changed; and is `nil` otherwise.
  case update(relation: UInt32, old: OldRow?, new: PostgreSQLReplicationRow)
  /// A row was deleted.
  case delete(relation: UInt32, old: OldRow)
  /// Tables were truncated.
  case truncate(relations: [UInt32])
  /// A message that a program sent with `pg_logical_emit_message`.
  case message(isTransactional: Bool, prefix: String, content: [UInt8])

  /// The previous state of a row.
  public enum OldRow: Equatable, Sendable {
    /// The columns of the key. Other columns are NULL, regardless of their values.
    case key(PostgreSQLReplicationRow)
    /// All columns.
    case full(PostgreSQLReplicationRow)
  }
}

/// A table, as a ``PostgreSQLReplicationStream`` describes it.
public struct PostgreSQLReplicationRelation: Sendable {
  /// The object identifier of the table.
  public let id: UInt32
  public let schema: String
  public let name: String
  public let identity: Identity
  /// The columns, without generated ones.
  public let columns: [Column]
  /// The columns with the formats of their types, which the stream has looked up.
  var resultColumns: ResultColumns?

  /// The columns whose old values are part of the log.
  public enum Identity: Hashable, Sendable {
    /// The primary key, if there is one.
    case primaryKey
    /// No column.
    case nothing
    /// All columns.
    case full
    /// The columns of an index.
    case index
  }

  public struct Column: Hashable, Sendable {
    public let name: String
    public let type: PostgreSQLType
    /// The type's modifier, such as the length of a `varchar`; -1 if there is none.
    public let modifier: Int32
    /// Indicates whether the column is a part of the replica identity.
    public let isKey: Bool
  }
}

extension PostgreSQLReplicationRelation: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id && a.schema == b.schema && a.name == b.name && a.identity == b.identity
      && a.columns == b.columns
  }
}

/// The values of a row, as a ``PostgreSQLReplicationStream`` receives them.
public struct PostgreSQLReplicationRow: Hashable, Sendable {
  enum Field: Hashable, Sendable {
    case null
    /// A large value that an update has not changed, and that the log does not contain.
    case unchanged
    case binary(Range<Int>)
    case text(Range<Int>)
  }

  /// The bytes of all fields.
  let bytes: [UInt8]
  let fields: [Field]

  /// The number of columns; 0 if the values were not requested.
  public var count: Int { fields.count }

  /// Indicates whether the row has no value for a column, because it is large and an update has not changed it.
  public func isUnchanged(at index: Int) -> Bool {
    fields.indices.contains(index) && fields[index] == .unchanged
  }

  /// Reads the values.
  ///
  /// - Parameter relation: The table of the row.
  /// - Returns: A value for each column; `nil` for a large value that was not changed, and for a value whose type has no
  ///   binary format.
  /// - Throws: ``PostgreSQLError`` if the row does not belong to the table, or a value's bytes are invalid.
  public func values(
    of relation: PostgreSQLReplicationRelation
  ) throws(PostgreSQLError) -> [PostgreSQLValue?] {
    guard let columns = relation.resultColumns, columns.count == fields.count else {
      throw PostgreSQLError(
        code: .invalidBytes, message: "the row does not have the columns of its table")
    }
    var values: [PostgreSQLValue?] = []
    values.reserveCapacity(fields.count)
    for (index, field) in fields.enumerated() {
      switch field {
      case .null: values.append(.null)
      case .unchanged: values.append(nil)
      case .binary(let range):
        values.append(try PostgreSQLValue(in: range, of: bytes, at: index, columns))
      case .text(let range):
        // Only the text format of a string equals its binary format.
        guard columns.kinds[index] == .text else {
          values.append(nil)
          continue
        }
        values.append(try PostgreSQLValue(in: range, of: bytes, at: index, columns))
      }
    }
    return values
  }
}

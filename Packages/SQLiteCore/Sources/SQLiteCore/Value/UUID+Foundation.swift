#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UUID: SQLiteConvertible {
  /// Reads a BLOB of 16 bytes, or TEXT in the standard form of 36 characters.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    switch try row.value(at: index) {
    case .blob(let b) where b.count == 16:
      self.init(
        uuid: (
          b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
          b[14], b[15]
        ))
    case .text(let text):
      guard let value = UUID(uuidString: text) else {
        throw row.unreadable("the text is not a UUID", code: .invalidText, at: index)
      }
      self = value
    case .null: throw row.unexpectedNull("UUID", at: index)
    case let other: throw row.mismatch(other.storageClass, for: "UUID", at: index)
    }
  }

  /// TEXT of 36 upper-case characters.
  public var sqliteValue: SQLiteValue { .text(uuidString) }
}

/// Storage of UUIDs. All formats read a BLOB of 16 bytes, and TEXT in upper or lower case.
extension UUID: ColumnValue {}

extension ColumnFormats {
  /// The format of ``UUIDBlob``.
  public enum UUIDBytes: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> UUID {
      try UUID(from: row, at: index)
    }

    public static func sqliteValue(of value: UUID) -> SQLiteValue {
      let u = value.uuid
      return .blob([
        u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
      ])
    }
  }
}

extension ColumnFormats {
  /// The format of ``LowercaseUUID``.
  public enum LowercaseUUIDText: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> UUID {
      try UUID(from: row, at: index)
    }

    public static func sqliteValue(of value: UUID) -> SQLiteValue {
      .text(value.uuidString.lowercased())
    }
  }
}

/// A UUID, or an optional one, that is stored as a BLOB of its 16 bytes.
///
/// A plain `UUID` is stored as upper-case TEXT. In SQL, the two forms are not equal: bind a UUID in
/// the form that the column contains.
public typealias UUIDBlob<Value: ColumnValue> = Stored<ColumnFormats.UUIDBytes, Value>
where Value.Present == UUID

/// A UUID, or an optional one, that is stored as lower-case TEXT, as in most other systems.
public typealias LowercaseUUID<Value: ColumnValue> = Stored<ColumnFormats.LowercaseUUIDText, Value>
where Value.Present == UUID

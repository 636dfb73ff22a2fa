#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Primitives

extension Data: SQLiteConvertible {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    if let data = row.data(at: index) {
      self = data
    } else {
      self = try Data(row.blob(at: index))
    }
  }

  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Data? {
    if let data = row.data(at: index) { return data }
    return try row.optionalBlob(at: index).map { Data($0) }
  }

  public var sqliteValue: SQLiteValue { .blob([UInt8](self)) }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      try statement.bindBlob(span, at: index)
    } else {
      try statement.bindBlob([UInt8](self).elementSpan, at: index)
    }
  }
}

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

extension Row {
  /// Returns a column's BLOB; `nil` if the value has another storage class or there is no such
  /// column.
  fileprivate func data(at index: ColumnIndex) -> Data? {
    guard index.rawValue >= 0, index.rawValue < columns.cursorCount else { return nil }
    return cursor.value(at: index.rawValue).data
  }
}

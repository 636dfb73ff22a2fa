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

extension URL: SQLiteConvertible {
  /// Reads TEXT that is a valid URL without further encoding.
  ///
  /// - Throws: ``SQLiteError``, with the column's name, with code ``SQLiteError/Code/invalidText``
  ///   if the text is empty or contains characters that a URL must encode. They are not encoded
  ///   here, because the URL would then differ from the column's text.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let text = try row.text(at: index)
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw row.unreadable("the text is not a URL", code: .invalidText, at: index)
    }
    self = url
  }

  /// TEXT: the absolute URL. A relative URL is resolved.
  public var sqliteValue: SQLiteValue { .text(absoluteString) }
}

extension Row {
  /// Returns a column's BLOB; `nil` if the value has another storage class or there is no such
  /// column.
  fileprivate func data(at index: ColumnIndex) -> Data? {
    guard index.rawValue >= 0, index.rawValue < columns.cursorCount else { return nil }
    return cursor.value(at: index.rawValue).data
  }
}

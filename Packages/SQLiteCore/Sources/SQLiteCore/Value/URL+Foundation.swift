#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension URL: SQLiteConvertible {
  /// Reads TEXT that is a URL as it stands.
  ///
  /// - Throws: ``SQLiteError`` that names the column, with code ``SQLiteError/Code/invalidText``
  ///   where the text is empty, or has characters that a URL must encode: they are not encoded here,
  ///   for the URL would then differ from what the column holds.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let text = try row.text(at: index)
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw row.unreadable("the text is no URL", code: .invalidText, at: index)
    }
    self = url
  }

  /// TEXT: the absolute form, so that a URL relative to another is resolved.
  public var sqliteValue: SQLiteValue { .text(absoluteString) }
}

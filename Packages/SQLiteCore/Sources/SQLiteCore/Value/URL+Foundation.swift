#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

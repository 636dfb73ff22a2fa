internal import Primitives

/// A JSON document, as its text.
///
/// The text is valid JSON (RFC 8259), and is never changed: members keep their order, and numbers
/// their digits.
///
/// ```swift
/// let document = try JSONDocument(#"{"tags": ["a", "b"], "price": 2.50}"#)
/// try connection.run("INSERT INTO product (details) VALUES (?)", document)
/// struct Details: Codable { var tags: [String] }
/// let details = try document.decoded(as: Details.self)
/// ```
///
/// Documents are equal if their texts are. Use a `TEXT` column if the root may be a number: another
/// affinity converts it, so that `2.50` is read as `2.5`.
public struct JSONDocument: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Creates a document from its text. Its cost is linear.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/invalidJSON``, a line and a column, if
  ///   the text is not JSON, or if it is nested more than 512 levels deep.
  public init(_ text: String) throws(SQLiteError) {
    if let problem = Self.problem(in: Array(text.utf8)) {
      throw SQLiteError(code: .invalidJSON, message: problem)
    }
    self.text = text
  }

  /// Creates a document from a text that is valid JSON.
  init(valid text: String) { self.text = text }

  public var description: String { text }

  public static func == (a: Self, b: Self) -> Bool {
    // Strings that are equal in Swift can have different bytes.
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  /// Returns a message for bytes that are not valid JSON.
  private static func problem(in bytes: [UInt8]) -> String? {
    // As in SQLite, an object may have several members with one key.
    var events = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported))
    do throws(JSONFailure) {
      while try events.next(in: bytes.elementSpan) != .end {}
      return nil
    } catch {
      let place = "line \(error.position.line ?? 1), column \(error.position.column ?? 1)"
      return "the value is not valid JSON: \(error.message), at \(place)"
    }
  }
}

extension JSONDocument: SQLiteConvertible, ColumnValue {
  /// Reads TEXT or a BLOB that is valid JSON, and a number, which a column with numeric affinity
  /// contains instead of its text.
  ///
  /// - Throws: ``SQLiteError``, with the column's name, with code ``SQLiteError/Code/invalidJSON``
  ///   if the value is not JSON.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    let bytes: [UInt8]
    switch try row.value(at: index) {
    case .text(let text): bytes = Array(text.utf8)
    case .blob(let blob): bytes = blob
    case .integer(let number): bytes = Array(String(number).utf8)
    case .real(let number): bytes = Array(String(number).utf8)
    case .null: throw row.unexpectedNull("JSON", at: index)
    }
    if let problem = Self.problem(in: bytes) {
      throw row.unreadable(problem, code: .invalidJSON, at: index)
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// TEXT.
  public var sqliteValue: SQLiteValue { .text(text) }
}

/// A document is encoded as its text, so that decoding restores it exactly.
extension JSONDocument: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as SQLiteError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

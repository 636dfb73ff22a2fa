#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension JSONDocument {
  /// Creates the document of a value, with sorted keys, so that equal values have equal documents.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` if the value can't be
  ///   encoded.
  public init(encoding value: some Encodable) throws(SQLiteError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      self.init(valid: String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      throw SQLiteError(
        code: .valueOutOfRange,
        message: "a value of \(type(of: value)) can't be encoded as JSON")
    }
  }

  /// Decodes a value from the document.
  ///
  /// - Throws: `DecodingError` if the document has another structure.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}

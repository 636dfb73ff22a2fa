#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Queries {
  /// Stores a `Codable` type as JSON text with sorted keys, so that equal values have equal
  /// representations.
  ///
  /// A blob that contains the same JSON is also read.
  public enum JSONFormat<Value: Codable>: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> Value {
      let text: Data
      switch try row.value(at: index) {
      case .text(let string): text = Data(string.utf8)
      case .blob(let bytes): text = Data(bytes)
      case let other: throw row.mismatch(other.storageClass, for: "JSON", at: index)
      }
      do {
        return try JSONDecoder().decode(Value.self, from: text)
      } catch {
        throw row.unreadable(
          "the value can't be decoded from JSON as \(Value.self): \(reason(error))",
          code: .invalidJSON, at: index)
      }
    }

    public static func sqliteValue(of value: Value) throws(SQLiteError) -> SQLiteValue {
      try JSONDocument(encoding: value).sqliteValue
    }

    /// A description of the location in the value that failed. It never contains the value itself.
    private static func reason(_ error: any Error) -> String {
      func place(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty
          ? "it is invalid"
          : "at " + context.codingPath.map(\.stringValue).joined(separator: ".")
      }
      return switch error {
      case DecodingError.keyNotFound(let key, _): "the key '\(key.stringValue)' is missing"
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        place(context)
      default: "unsupported value"
      }
    }
  }
}

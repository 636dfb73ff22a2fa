#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PostgreSQLField {
  /// Decodes the value of a JSON column.
  func decodedJSON<Value: Decodable>(as type: Value.Type) throws -> Value {
    let data = Data(try text().utf8)
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      // The descriptions of Foundation's errors can contain values.
      let problem =
        switch error {
        case .keyNotFound(let key, _): "there is no key \(key.stringValue)"
        case .valueNotFound(let type, _): "there is no \(type)"
        case .typeMismatch(let type, _): "a value is not a \(type)"
        default: "a value is invalid"
        }
      throw unreadable("the JSON does not fit the type: \(problem)", code: .invalidJSON)
    }
  }
}

/// A `Codable` value in a column of type `json` or `jsonb`.
///
/// ```swift
/// let tags = PostgreSQLJSON(["a", "b"])
/// try await database.run("UPDATE product SET details = $1", tags)
/// ```
public struct PostgreSQLJSON<Value> {
  public var value: Value

  public init(_ value: Value) { self.value = value }
}

extension PostgreSQLJSON: Sendable where Value: Sendable {}
extension PostgreSQLJSON: Equatable where Value: Equatable {}
extension PostgreSQLJSON: Hashable where Value: Hashable {}

extension PostgreSQLJSON: PostgreSQLReadable where Value: Decodable {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard field.kind.isJSON, !field.isNull else { throw field.mismatch(for: "JSON") }
    do {
      value = try field.decodedJSON(as: Value.self)
    } catch {
      throw (error as? PostgreSQLError)
        ?? field.unreadable("the JSON does not fit the type", code: .invalidJSON)
    }
  }
}

extension PostgreSQLJSON: PostgreSQLBindable where Value: Encodable {
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      do {
        return .scalar(.json(String(decoding: try JSONEncoder().encode(value), as: UTF8.self)))
      } catch {
        throw PostgreSQLError(
          code: .invalidJSON, message: "the value can't be encoded as JSON", underlying: error)
      }
    }
  }
}

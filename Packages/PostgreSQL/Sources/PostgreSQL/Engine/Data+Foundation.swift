#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Data: PostgreSQLConvertible {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard let start = unsafe field.start else { throw field.unexpectedNull("bytes") }
    guard field.isBlob else { throw field.mismatch(for: "bytes") }
    unsafe self.init(bytes: start, count: field.count)
  }

  public var postgreSQLValue: PostgreSQLValue { .blob([UInt8](self)) }
}

extension PostgreSQLField {
  /// Reads a value of a common type without a dynamic cast; `nil` for another type.
  func commonValue<Value>(as type: Value.Type) throws(PostgreSQLError) -> Value? {
    if type == Data.self { return identityCast(try Data(from: self), as: type) }
    if type == Date.self { return identityCast(try Date(from: self), as: type) }
    if type == UUID.self { return identityCast(try UUID(from: self), as: type) }
    if type == Decimal.self { return identityCast(try Decimal(from: self), as: type) }
    if type == [UInt8].self { return identityCast(try [UInt8](from: self), as: type) }
    return nil
  }
}

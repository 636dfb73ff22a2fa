public import Foundation

extension SPONValue {
  /// Creates a value of bytes.
  public init(_ data: Data) { self = .bytes([UInt8](data)) }

  /// Creates an instant from a date.
  ///
  /// - Returns: `nil` if ``SPONInstant/init(_:)-(Date)`` returns `nil`.
  public init?(_ date: Date) {
    guard let instant = SPONInstant(date) else { return nil }
    self = .instant(instant)
  }

  /// Creates a decimal number.
  public init(_ decimal: Decimal) { self = .decimal(SPONDecimal(decimal)) }

  /// Creates a string with the absolute URL.
  public init(_ url: URL) { self = .string(url.absoluteString) }

  /// Creates a string with the UUID's 36 characters, in upper case.
  public init(_ uuid: UUID) { self = .string(uuid.uuidString) }

  /// The value's ``bytes`` as data, if it has any.
  public var data: Data? { bytes.map { Data($0) } }

  /// The date that is nearest to the value's ``instant``, if it has one.
  public var date: Date? { instant.map { Date($0) } }

  /// The URL in the value's ``string``, if it is valid.
  public var url: URL? {
    guard let string, !string.isEmpty else { return nil }
    return URL(string: string)
  }

  /// The UUID in the value's ``string``, in upper or lower case, if it is valid.
  public var uuid: UUID? { string.flatMap { UUID(uuidString: $0) } }
}

extension Decimal {
  /// Creates a `Decimal` from a value's ``SPONValue/decimal``; `nil` if it can't be represented
  /// exactly.
  public init?(_ value: SPONValue) {
    guard let decimal = value.decimal else { return nil }
    self.init(decimal)
  }
}

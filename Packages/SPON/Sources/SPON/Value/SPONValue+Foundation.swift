public import Foundation

extension SPONValue {
  /// The data as bytes.
  public init(_ data: Data) { self = .bytes([UInt8](data)) }

  /// The date as an instant.
  ///
  /// - Returns: `nil` where ``SPONInstant/init(_:)-(Date)`` is.
  public init?(_ date: Date) {
    guard let instant = SPONInstant(date) else { return nil }
    self = .instant(instant)
  }

  /// The number as a decimal number.
  public init(_ decimal: Decimal) { self = .decimal(SPONDecimal(decimal)) }

  /// The absolute text of the URL.
  public init(_ url: URL) { self = .string(url.absoluteString) }

  /// The 36 characters of the UUID, in capitals.
  public init(_ uuid: UUID) { self = .string(uuid.uuidString) }

  /// The value's bytes as data, where it has ``bytes``.
  public var data: Data? { bytes.map { Data($0) } }

  /// The date that is nearest to the value's ``instant``, where it has one.
  public var date: Date? { instant.map { Date($0) } }

  /// The URL that the value's ``string`` is, where it is one.
  public var url: URL? {
    guard let string, !string.isEmpty else { return nil }
    return URL(string: string)
  }

  /// The UUID that the value's ``string`` is, in capitals or not, where it is one.
  public var uuid: UUID? { string.flatMap { UUID(uuidString: $0) } }
}

extension Decimal {
  /// The number that a value is, exactly: where it has a ``SPONValue/decimal`` that a `Decimal` can
  /// be.
  public init?(_ value: SPONValue) {
    guard let decimal = value.decimal else { return nil }
    self.init(decimal)
  }
}

extension PostgreSQLReadable where Self: FixedWidthInteger {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard let value = Self(exactly: try field.integer()) else {
      throw field.outOfRange(for: "\(Self.self)")
    }
    self = value
  }
}

extension PostgreSQLBindable where Self: FixedWidthInteger {
  /// An integer, or a decimal number if the value is greater than `Int64.max`.
  public var postgreSQLValue: PostgreSQLValue {
    Int64(exactly: self).map { .integer($0) } ?? .decimal(String(self))
  }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    if let value = Int64(exactly: self) {
      try parameters.write(integer: value)
    } else {
      try parameters.write(decimal: String(self))
    }
  }
}

extension Int: PostgreSQLConvertible {}
extension Int8: PostgreSQLConvertible {}
extension Int16: PostgreSQLConvertible {}
extension Int32: PostgreSQLConvertible {}
extension Int64: PostgreSQLConvertible {}
extension UInt: PostgreSQLConvertible {}
extension UInt8: PostgreSQLConvertible {}
extension UInt16: PostgreSQLConvertible {}
extension UInt32: PostgreSQLConvertible {}
extension UInt64: PostgreSQLConvertible {}

extension Double: PostgreSQLConvertible {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.double()
  }

  public var postgreSQLValue: PostgreSQLValue { .real(self) }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.write(real: self)
  }
}

extension Float: PostgreSQLConvertible {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = Float(try field.double())
  }

  public var postgreSQLValue: PostgreSQLValue { .real(Double(self)) }
}

extension Bool: PostgreSQLConvertible {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.bool()
  }

  public var postgreSQLValue: PostgreSQLValue { .bool(self) }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.write(bool: self)
  }
}

extension String: PostgreSQLConvertible {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.text()
  }

  public var postgreSQLValue: PostgreSQLValue { .text(self) }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.write(text: self)
  }
}

extension PostgreSQLReadable where Self: RawRepresentable, RawValue: PostgreSQLReadable {
  /// Reads the raw value.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/valueOutOfRange`` if no case has the raw value.
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard let value = Self(rawValue: try RawValue(from: field)) else {
      throw field.outOfRange(for: "\(Self.self)")
    }
    self = value
  }
}

extension PostgreSQLBindable where Self: RawRepresentable, RawValue: PostgreSQLBindable {
  /// The raw value.
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) { try rawValue.postgreSQLValue }
  }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try rawValue.bind(to: &parameters)
  }
}

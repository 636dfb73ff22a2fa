// The types of a value's parts, as properties of other types. SPON keeps them exactly; other coders get
// what `SPONValue` writes to them.

/// A decimal number as a part of other values: `#` in SPON, and a text for other coders, which are also
/// read where they have a number.
///
/// ```swift
/// struct Item: Codable {
///   var price: SPONDecimal
/// }
/// ```
extension SPONDecimal: Codable {
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.session.decimal(at: decoder.index, as: SPONDecimal.self)
      return
    }
    let value = try SPONValue(from: decoder)
    self = try value.part(value.string.flatMap { SPONDecimal($0) } ?? value.decimal, decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SPONValue.decimal(self).encode(to: encoder)
  }
}

/// An instant as a part of other values: `+` in SPON whatever the strategy for dates is, and a text of
/// RFC 3339 for other coders.
extension SPONInstant: Codable {
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.session.instant(at: decoder.index, as: SPONInstant.self)
      return
    }
    let value = try SPONValue(from: decoder)
    self = try value.part(value.string.flatMap { SPONInstant($0) }, decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SPONValue.instant(self).encode(to: encoder)
  }
}

/// An object as a part of other values. Its type name is lost with other coders.
extension SPONObject: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try SPONValue(from: decoder)
    self = try value.part(value.object, decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SPONValue.object(self).encode(to: encoder)
  }
}

extension SPONValue {
  /// What a type found in this value, which must be something.
  fileprivate func part<Part>(_ part: Part?, _ decoder: any Decoder) throws -> Part {
    guard let part else {
      throw DecodingError.typeMismatch(
        Part.self,
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected \(Part.self), found \(kind)"))
    }
    return part
  }
}

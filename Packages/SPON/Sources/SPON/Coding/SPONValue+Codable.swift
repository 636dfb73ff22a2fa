internal import Primitives

/// A tree of values as a part of other values: what a type doesn't know is kept as it is.
///
/// ```swift
/// struct Message: Codable {
///   var id: Int
///   var body: SPONValue
/// }
/// ```
///
/// ``SPONEncoder`` and ``SPONDecoder`` keep everything. Other coders keep what they have: in JSON, say, the
/// names of types and what kind of number it was are lost, and data, instants and decimal numbers are
/// texts.
extension SPONValue: Codable {
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = decoder.session.value(at: decoder.index)
    } else if let container = try? decoder.container(keyedBy: SPONPath.Key.self) {
      self = .object(try SPONObject(from: container))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [SPONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(SPONValue.self)) }
      self = .array(elements)
    } else {
      self = try SPONValue(scalarFrom: decoder.singleValueContainer())
    }
  }

  private init(scalarFrom container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return try encoder.piece.value(self) }
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: SPONPath.Key.self)
      for (key, value) in object { try container.encode(value, forKey: .key(key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .null, .array, .object: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value.description)
    case .string(let value), .opaque(let value): try container.encode(value)
    case .instant(let value): try container.encode(value.description)
    case .bytes(let value):
      let text = Base64.encoded(value.elementSpan)
      try container.encode(String(decoding: text, as: UTF8.self))
    }
  }
}

extension SPONObject {
  fileprivate init(from container: KeyedDecodingContainer<SPONPath.Key>) throws {
    self.init()
    for key in container.allKeys {
      self[key.stringValue] = try container.decode(SPONValue.self, forKey: key)
    }
  }
}

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

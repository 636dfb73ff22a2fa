internal import Primitives

/// Conforms to `Codable`, so that a type can contain values that it does not interpret.
///
/// ```swift
/// struct Message: Codable {
///   var id: Int
///   var body: SPONValue
/// }
/// ```
///
/// ``SPONEncoder`` and ``SPONDecoder`` preserve every value exactly. Other coders lose some
/// information: in JSON, for example, type names and number types are lost, and data, instants and
/// decimal numbers become strings.
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
    if let encoder = encoder as? ValueEncoder { return try encoder.node.value(self) }
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

// The types of a value's parts, as properties of other types. SPON preserves them exactly; for
// other coders, they are encoded like an `SPONValue`.

/// A decimal number is `#` in SPON. In other formats, it is encoded as a string, and decoded from a
/// string or a number.
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

/// An instant is `+` in SPON, regardless of the date strategy, and a string according to RFC 3339
/// in other formats.
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

/// An object loses its type name in formats other than SPON.
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
  /// Returns the part that a type requires of this value, or throws if it is missing.
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

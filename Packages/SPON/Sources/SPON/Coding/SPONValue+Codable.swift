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

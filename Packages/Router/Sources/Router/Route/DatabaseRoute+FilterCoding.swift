/// A filter is written as the cases of an enum are: `{"and":{"_0":[…]}}`.
///
/// Nested filters are read and written by functions that count their levels, and not by the
/// conformance, so that the depth of what is decoded is bounded whatever the decoder allows.
extension DatabaseRoute.Filter: Codable {
  private enum FormKeys: CodingKey { case all, comparison, and, or, not }
  private enum ValueKeys: CodingKey { case _0 }
  private enum NoKeys: CodingKey {}

  /// - Throws: `DecodingError` if the data is not a filter, or if it is nested deeper than
  ///   ``maximumDepth``.
  public init(from decoder: any Decoder) throws { try self.init(from: decoder, depth: 0) }

  /// - Throws: `EncodingError` if the filter is nested deeper than ``maximumDepth``.
  public func encode(to encoder: any Encoder) throws {
    guard depth <= Self.maximumDepth else {
      throw EncodingError.tooDeep(self, "the filter", limit: Self.maximumDepth, in: encoder)
    }
    var container = encoder.container(keyedBy: FormKeys.self)
    func value(_ key: FormKeys) -> KeyedEncodingContainer<ValueKeys> {
      container.nestedContainer(keyedBy: ValueKeys.self, forKey: key)
    }
    switch form {
    case .all: _ = container.nestedContainer(keyedBy: NoKeys.self, forKey: .all)
    case .comparison(let comparison):
      var value = value(.comparison)
      try value.encode(comparison, forKey: ._0)
    case .and(let filters):
      var value = value(.and)
      try value.encode(filters, forKey: ._0)
    case .or(let filters):
      var value = value(.or)
      try value.encode(filters, forKey: ._0)
    case .not(let filter):
      var value = value(.not)
      try value.encode(filter, forKey: ._0)
    case .tooDeep: break
    }
  }

  private init(from decoder: any Decoder, depth: Int) throws {
    guard depth <= Self.maximumDepth else {
      throw DecodingError.tooDeep("a filter", limit: Self.maximumDepth, in: decoder)
    }
    let container = try decoder.container(keyedBy: FormKeys.self)
    guard container.allKeys.count == 1, let key = container.allKeys.first else {
      throw DecodingError.typeMismatch(
        Self.self,
        .init(
          codingPath: container.codingPath,
          debugDescription: "a filter has one key, and not \(container.allKeys.count)"))
    }
    if key == .all {
      self = .all
      return
    }
    let value = try container.nestedContainer(keyedBy: ValueKeys.self, forKey: key)
    switch key {
    case .comparison:
      self = .comparison(try value.decode(DatabaseRoute.Comparison.self, forKey: ._0))
    case .not: self = .not(try Self(from: value.superDecoder(forKey: ._0), depth: depth + 1))
    default:
      var list = try value.nestedUnkeyedContainer(forKey: ._0)
      var filters: [Self] = []
      while !list.isAtEnd {
        filters.append(try Self(from: list.superDecoder(), depth: depth + 1))
      }
      self = key == .and ? .and(filters) : .or(filters)
    }
  }
}

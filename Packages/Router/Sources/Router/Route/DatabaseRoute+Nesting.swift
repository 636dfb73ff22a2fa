extension DatabaseRoute {
  /// Checks that no part of the route is nested too deep.
  ///
  /// Every operation that runs, compares or records a route calls this first, because two routes
  /// are equal if a part of both was too deep to be kept, regardless of their original content.
  ///
  /// - Parameter filterDepth: The maximum depth that ``DatabaseRoute/Limits/filterDepth`` allows.
  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute``.
  func checkNesting(_ filterDepth: Int = Filter.maximumDepth) throws(RouterError) {
    do throws(RouterError) {
      try filter?.checkDepth(filterDepth)
      try groupFilter?.checkDepth(filterDepth)
      for aggregate in aggregates { try aggregate.filter?.checkDepth(filterDepth) }
      for embed in embeds { try embed.checkNesting(filterDepth) }
    } catch {
      throw error.of(self)
    }
  }
}

extension DatabaseRoute.Embed {
  fileprivate func checkNesting(_ filterDepth: Int) throws(RouterError) {
    guard depth <= Self.maximumDepth else {
      throw .invalid(
        "the embed `\(name)` is nested deeper than \(Self.maximumDepth) levels (`Embed.maximumDepth`)"
      )
    }
    try filter?.checkDepth(filterDepth)
    for embed in embeds { try embed.checkNesting(filterDepth) }
  }
}

/// Nested embeds are decoded by a function that counts the levels, like nested filters.
extension DatabaseRoute.Embed: Codable {
  private enum CodingKeys: CodingKey {
    case table, name, via, columns, filter, orders, limit, offset, isRequired, embeds
  }

  /// - Throws: `DecodingError` if the data is not an embed, or if it is nested deeper than
  ///   ``maximumDepth``.
  public init(from decoder: any Decoder) throws { try self.init(from: decoder, depth: 0) }

  /// - Throws: `EncodingError` if the embed is nested deeper than ``maximumDepth``.
  public func encode(to encoder: any Encoder) throws {
    guard depth <= Self.maximumDepth else {
      throw EncodingError.tooDeep(self, "the embed", limit: Self.maximumDepth, in: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(table, forKey: .table)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(via, forKey: .via)
    try container.encode(columns, forKey: .columns)
    try container.encodeIfPresent(filter, forKey: .filter)
    try container.encode(orders, forKey: .orders)
    try container.encodeIfPresent(limit, forKey: .limit)
    try container.encodeIfPresent(offset, forKey: .offset)
    try container.encode(isRequired, forKey: .isRequired)
    try container.encode(embeds, forKey: .embeds)
  }

  private init(from decoder: any Decoder, depth: Int) throws {
    guard depth <= Self.maximumDepth else {
      throw DecodingError.tooDeep("an embed", limit: Self.maximumDepth, in: decoder)
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(DatabaseRoute.Table.self, forKey: .table),
      as: try container.decode(String.self, forKey: .name),
      via: try container.decodeIfPresent(String.self, forKey: .via),
      columns: try container.decode([DatabaseRoute.Column].self, forKey: .columns),
      filteredBy: try container.decodeIfPresent(DatabaseRoute.Filter.self, forKey: .filter),
      orderedBy: try container.decode([DatabaseRoute.Order].self, forKey: .orders),
      limit: try container.decodeIfPresent(Int.self, forKey: .limit),
      offset: try container.decodeIfPresent(Int.self, forKey: .offset),
      isRequired: try container.decode(Bool.self, forKey: .isRequired))
    var list = try container.nestedUnkeyedContainer(forKey: .embeds)
    var embeds: [Self] = []
    while !list.isAtEnd { embeds.append(try Self(from: list.superDecoder(), depth: depth + 1)) }
    self.embeds = embeds
  }
}

extension EncodingError {
  /// Returns the error for a part of a route that was nested too deep to be kept.
  static func tooDeep(
    _ value: Any, _ subject: String, limit: Int, in encoder: any Encoder
  ) -> EncodingError {
    .invalidValue(
      value,
      Context(
        codingPath: encoder.codingPath,
        debugDescription: "\(subject) is nested deeper than \(limit) levels"))
  }
}

extension DecodingError {
  /// Returns the error for data in which a part of a route is nested too deep.
  static func tooDeep(_ subject: String, limit: Int, in decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: decoder.codingPath,
        debugDescription: "\(subject) is nested deeper than \(limit) levels"))
  }
}

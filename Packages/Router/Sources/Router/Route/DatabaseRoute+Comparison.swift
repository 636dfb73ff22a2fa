public import SQLiteCore

extension DatabaseRoute {
  /// A condition on one column.
  public struct Comparison: Hashable, Sendable, Codable {
    public var column: Column
    public var `operator`: Operator
    public var operand: Operand

    public init(column: Column, operator: Operator, operand: Operand = .none) {
      self.column = column
      self.operator = `operator`
      self.operand = operand
    }
  }

  /// The operand of a comparison.
  public enum Operand: Hashable, Sendable {
    case none
    case value(SQLiteValue)
    /// A list as a whole.
    case list([SQLiteValue])
    /// A list with at least one value that must match.
    case any([SQLiteValue])
    /// A list with values that all must match.
    case each([SQLiteValue])
  }

  /// A comparison operator. A database may not support all of them: running a route with an
  /// unsupported operator throws ``RouterError/Code/unsupported``.
  public struct Operator: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let equals = Operator(rawValue: "eq")
    public static let notEquals = Operator(rawValue: "neq")
    public static let greaterThan = Operator(rawValue: "gt")
    public static let greaterThanOrEquals = Operator(rawValue: "gte")
    public static let lessThan = Operator(rawValue: "lt")
    public static let lessThanOrEquals = Operator(rawValue: "lte")
    /// Matches a pattern, case-sensitively: `%` matches any text, `_` any character, and `\`
    /// escapes the next character.
    public static let like = Operator(rawValue: "like")
    /// Matches a pattern like ``like``, ignoring the case of ASCII letters.
    public static let iLike = Operator(rawValue: "ilike")
    public static let `in` = Operator(rawValue: "in")
    public static let notIn = Operator(rawValue: "nin")
    public static let isNull = Operator(rawValue: "isnull")
    public static let isNotNull = Operator(rawValue: "notnull")
    public static let isTrue = Operator(rawValue: "istrue")
    public static let isFalse = Operator(rawValue: "isfalse")
    /// Tests for inequality, treating NULL as a value.
    public static let isDistinct = Operator(rawValue: "isdistinct")
    /// Tests for equality, treating NULL as a value.
    public static let isNotDistinct = Operator(rawValue: "isnotdistinct")
    /// Tests whether a JSON array contains all values of a list.
    public static let contains = Operator(rawValue: "cs")
    /// Tests whether all elements of a JSON array are in a list.
    public static let containedBy = Operator(rawValue: "cd")
    /// Tests whether a JSON array contains at least one value of a list.
    public static let overlaps = Operator(rawValue: "ov")
    /// Searches full text in the engine's query language.
    public static let search = Operator(rawValue: "fts")
    /// Searches full text for all of the words.
    public static let plainSearch = Operator(rawValue: "plfts")
    /// Searches full text for the words as a phrase.
    public static let phraseSearch = Operator(rawValue: "phfts")
    /// Searches full text in web search syntax: words, `"phrases"`, `or`, `-not`.
    public static let webSearch = Operator(rawValue: "wfts")
    /// Matches a regular expression.
    public static let matches = Operator(rawValue: "match")
    /// Matches a regular expression case-insensitively.
    public static let iMatches = Operator(rawValue: "imatch")

    public var description: String { rawValue }
  }
}

extension DatabaseRoute.Operand: Codable {
  private enum CodingKeys: CodingKey { case value, list, any, each }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func list(_ key: CodingKeys) throws -> [SQLiteValue] {
      try container.decode([CodedValue].self, forKey: key).map(\.value)
    }
    switch container.allKeys.first {
    case nil: self = .none
    case .value: self = .value(try container.decode(CodedValue.self, forKey: .value).value)
    case .list: self = .list(try list(.list))
    case .any: self = .any(try list(.any))
    case .each: self = .each(try list(.each))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .none: break
    case .value(let value): try container.encode(CodedValue(value), forKey: .value)
    case .list(let values): try container.encode(values.map(CodedValue.init), forKey: .list)
    case .any(let values): try container.encode(values.map(CodedValue.init), forKey: .any)
    case .each(let values): try container.encode(values.map(CodedValue.init), forKey: .each)
    }
  }
}

/// A filter is encoded like an enum with associated values: `{"and":{"_0":[…]}}`.
///
/// Nested filters are encoded and decoded by functions that count the levels, so that the depth is
/// bounded regardless of the decoder.
extension DatabaseRoute.Filter: Codable {
  private enum FormKeys: CodingKey { case all, comparison, and, or, not }
  private enum ValueKeys: CodingKey { case _0 }

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
    case .all: _ = value(.all)
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
          debugDescription: "expected a filter with one key, found \(container.allKeys.count)"))
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

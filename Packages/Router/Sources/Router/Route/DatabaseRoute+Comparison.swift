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
    /// A list, as a whole.
    case list([SQLiteValue])
    /// One at least of a list.
    case any([SQLiteValue])
    /// Each of a list.
    case each([SQLiteValue])
  }

  /// The operator of a comparison. A database need not have each of them: what it lacks is
  /// ``RouterError/Code/unsupported`` as the route runs.
  public struct Operator: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let equals = Operator(rawValue: "eq")
    public static let notEquals = Operator(rawValue: "neq")
    public static let greaterThan = Operator(rawValue: "gt")
    public static let greaterThanOrEquals = Operator(rawValue: "gte")
    public static let lessThan = Operator(rawValue: "lt")
    public static let lessThanOrEquals = Operator(rawValue: "lte")
    /// `%` stands for any text, `_` for any character, `\` before one takes it as it is; case
    /// matters.
    public static let like = Operator(rawValue: "like")
    /// As ``like``, but for the case of letters of ASCII.
    public static let iLike = Operator(rawValue: "ilike")
    public static let `in` = Operator(rawValue: "in")
    public static let notIn = Operator(rawValue: "nin")
    public static let isNull = Operator(rawValue: "isnull")
    public static let isNotNull = Operator(rawValue: "notnull")
    public static let isTrue = Operator(rawValue: "istrue")
    public static let isFalse = Operator(rawValue: "isfalse")
    /// Not equal, where NULL is a value like another.
    public static let isDistinct = Operator(rawValue: "isdistinct")
    /// Equal, where NULL is a value like another.
    public static let isNotDistinct = Operator(rawValue: "isnotdistinct")
    /// A JSON array that holds each of a list.
    public static let contains = Operator(rawValue: "cs")
    /// A JSON array each of whose elements is in a list.
    public static let containedBy = Operator(rawValue: "cd")
    /// A JSON array that holds one at least of a list.
    public static let overlaps = Operator(rawValue: "ov")
    /// Full text, in the language of the engine itself.
    public static let search = Operator(rawValue: "fts")
    /// Full text: each of the words.
    public static let plainSearch = Operator(rawValue: "plfts")
    /// Full text: the words one after another.
    public static let phraseSearch = Operator(rawValue: "phfts")
    /// Full text, as people write it: words, `"phrases"`, `or`, `-not`.
    public static let webSearch = Operator(rawValue: "wfts")
    /// A regular expression.
    public static let matches = Operator(rawValue: "match")
    /// A regular expression, but for the case of letters.
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

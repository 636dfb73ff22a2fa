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

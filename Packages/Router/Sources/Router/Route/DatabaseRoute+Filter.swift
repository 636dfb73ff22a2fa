public import SQLiteCore

extension DatabaseRoute {
  /// Which rows are meant: conditions on columns, and what joins them.
  ///
  /// ```swift
  /// let late = Column("due").lessThan(today) && (Column("done").isFalse() || !Column("owner").equals(7))
  /// ```
  ///
  /// As in SQL, a condition on a NULL is neither true nor false, and such a row is left out by it and by its
  /// opposite alike.
  public indirect enum Filter: Hashable, Sendable, Codable {
    /// Every row. An update or a deletion of a whole table has to say this.
    case all
    /// One condition.
    case comparison(Comparison)
    /// Each of several; of none is an error.
    case and([Filter])
    /// One at least of several; of none is an error.
    case or([Filter])
    /// The opposite.
    case not(Filter)

    /// One condition, with one value.
    public init(column: Column, operator: Operator, value: some RouteValue) {
      self = .comparison(
        Comparison(column: column, operator: `operator`, operand: .value(value.routeValue)))
    }

    /// Whether a column has a value.
    public static func equals(column: Column, value: some RouteValue) -> Filter {
      Filter(column: column, operator: .equals, value: value)
    }

    /// Whether the row is the one of this key: see ``Column/id``.
    public static func id(_ value: some RouteValue) -> Filter { equals(column: .id, value: value) }

    /// Both.
    public static func && (a: Filter, b: Filter) -> Filter {
      switch (a, b) {
      case (.and(let some), .and(let others)): .and(some + others)
      case (.and(let some), _): .and(some + [b])
      default: .and([a, b])
      }
    }

    /// One of both, or both.
    public static func || (a: Filter, b: Filter) -> Filter {
      switch (a, b) {
      case (.or(let some), .or(let others)): .or(some + others)
      case (.or(let some), _): .or(some + [b])
      default: .or([a, b])
      }
    }

    /// The opposite.
    public static prefix func ! (filter: Filter) -> Filter { .not(filter) }

    /// All of a list as one; `nil` where it is empty.
    static func joined(_ filters: [Filter]) -> Filter? {
      filters.count < 2 ? filters.first : .and(filters)
    }
  }

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

  /// What a column is compared with.
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

  /// How a column is compared. A database need not have each of them: what it lacks is
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
    /// `%` stands for any text, `_` for any character, `\` before one takes it as it is; case matters.
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

extension DatabaseRoute.Filter {
  /// Whether it says that a column has a value, besides what else it says: then it is not true of every row.
  var saysValue: Bool {
    switch self {
    case .and(let filters): return filters.contains(where: \.saysValue)
    case .comparison(let comparison):
      guard case .value = comparison.operand else { return false }
      return comparison.operator == .equals
    default: return false
    }
  }

  /// Refuses a filter that is nested too deep, before anything walks down into it.
  ///
  /// - Parameters:
  ///   - depth: How deep it may be nested.
  ///   - more: How many levels were put around it.
  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute``.
  func checkDepth(_ depth: Int, beyond more: Int = 0) throws(RouterError) {
    if isDeeper(than: depth < Int.max - more ? depth + more : depth) {
      throw .invalid("a filter is nested deeper than \(depth)")
    }
  }

  /// Whether it is nested deeper than that. It looks no deeper.
  func isDeeper(than depth: Int) -> Bool {
    if depth < 0 { return true }
    return switch self {
    case .all, .comparison: false
    case .not(let filter): filter.isDeeper(than: depth - 1)
    case .and(let filters), .or(let filters):
      filters.contains { $0.isDeeper(than: depth - 1) }
    }
  }
}

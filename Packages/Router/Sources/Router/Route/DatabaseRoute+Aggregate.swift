extension DatabaseRoute {
  /// One value made of many rows: their number, a sum.
  ///
  /// ```swift
  /// let totals = DatabaseRoute.fetch(from: "player").selecting("team")
  ///   .aggregating(.count(as: "players"), .sum("score", as: "total"))
  ///   .ordered(by: .descending("total"))
  /// ```
  ///
  /// What each function makes of NULLs and of other values is SQLite's: a NULL is left out, and but for the number,
  /// which is 0, an aggregate of nothing is NULL: decode it as an optional. A sum of integers that is none of
  /// 64 bits is an `SQLiteError`.
  public struct Aggregate: Hashable, Sendable {
    public var function: Function
    /// Whose values; `nil` for the rows themselves.
    public var column: Column?
    /// The column that it becomes in the result.
    public var name: String
    /// Whether values that are equal count once.
    public var isDistinct: Bool
    /// Which of the rows it is made of; `nil` for all that the route reads.
    public var filter: Filter?

    /// - Parameters:
    ///   - function: What is made of the group's values.
    ///   - column: Whose values; `nil` for the rows themselves.
    ///   - name: The column that it becomes; `nil` for the name of the function.
    ///   - distinct: Whether equal values count once.
    ///   - filter: Which rows count; `nil` for all.
    public init(
      _ function: Function, of column: Column?, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) {
      self.function = function
      self.column = column
      self.name = name ?? function.rawValue
      isDistinct = distinct
      self.filter = filter
    }

    /// How many rows.
    public static func count(as name: String? = nil, filteredBy filter: Filter? = nil) -> Aggregate
    {
      Aggregate(.count, of: nil, as: name, filteredBy: filter)
    }

    /// How many values other than NULL.
    public static func count(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.count, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// An integer where all values are, and an error where it is none of 64 bits.
    public static func sum(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.sum, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// A number with a fraction, always.
    public static func average(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.average, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// The lowest in the order of the column's values.
    public static func minimum(
      _ column: Column, as name: String? = nil, filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.minimum, of: column, as: name, filteredBy: filter)
    }

    /// The highest in the order of the column's values.
    public static func maximum(
      _ column: Column, as name: String? = nil, filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.maximum, of: column, as: name, filteredBy: filter)
    }

    /// What is made of the rows. A database need not have each of them: what it lacks is
    /// ``RouterError/Code/unsupported`` as the route runs.
    public struct Function: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let count = Function(rawValue: "count")
      public static let sum = Function(rawValue: "sum")
      public static let average = Function(rawValue: "avg")
      public static let minimum = Function(rawValue: "min")
      public static let maximum = Function(rawValue: "max")

      public var description: String { rawValue }
    }
  }

  /// With values made of many rows: of all of them, or of those of each group.
  ///
  /// The columns that are selected beside them make the groups: rows that are equal in each, where NULL is a value
  /// like another. Without such columns there is one row, of no rows too. The order is one of those columns and
  /// of the aggregates' names.
  ///
  /// Together with embedded rows or with ``page(after:size:encoder:)`` it is ``RouterError/Code/invalidRoute``.
  public func aggregating(_ aggregates: Aggregate...) -> DatabaseRoute {
    var copy = self
    copy.aggregates += aggregates
    return copy
  }

  /// With a condition on the groups, which has to hold too: on their columns, and on aggregates by their names.
  ///
  /// ```swift
  /// let large = totals.filteringGroups(by: Column("players").greaterThan(10))
  /// ```
  public func filteringGroups(by filter: Filter) -> DatabaseRoute {
    var copy = self
    copy.groupFilter = groupFilter.map { $0 && filter } ?? filter
    return copy
  }
}

extension DatabaseRoute.Aggregate: Codable {
  private enum CodingKeys: CodingKey { case function, column, name, isDistinct, filter }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    function = try container.decode(Function.self, forKey: .function)
    column = try container.decodeIfPresent(DatabaseRoute.Column.self, forKey: .column)
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? function.rawValue
    isDistinct = try container.decodeIfPresent(Bool.self, forKey: .isDistinct) ?? false
    filter = try container.decodeIfPresent(DatabaseRoute.Filter.self, forKey: .filter)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(function, forKey: .function)
    try container.encodeIfPresent(column, forKey: .column)
    try container.encode(name, forKey: .name)
    if isDistinct { try container.encode(true, forKey: .isDistinct) }
    try container.encodeIfPresent(filter, forKey: .filter)
  }
}

extension DatabaseRoute.Aggregate: CustomStringConvertible {
  /// The function, its column and its name, and of a filter no value.
  public var description: String {
    let of = column.map { "\(isDistinct ? "distinct " : "")\($0)" } ?? "*"
    return "\(function)(\(of))\(filter.map { " where \($0)" } ?? "") as \(name)"
  }
}

extension DatabaseRoute {
  /// How rows are counted.
  ///
  /// An estimate is what SQLite's own planner has: the numbers that `ANALYZE` wrote down last. They tell of a whole
  /// table, and of a filter that says what the first columns of an index are equal to.
  public enum Counting: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Each of them.
    case exact
    /// By an estimate; each of them where there is none.
    case planned
    /// Each of them up to a bound, beyond that by an estimate. No more rows than the bound are read, and one: where
    /// there is no estimate, that there are so many is all that is known.
    case estimated(upTo: Int)

    public var description: String {
      switch self {
      case .exact: "exactly"
      case .planned: "as planned"
      case .estimated(let bound): "estimated beyond \(bound)"
      }
    }
  }

  /// Counted in another way. For a ``Method/count``, which is read as a ``DatabaseRoute/RowCount`` then.
  public func counted(_ counting: Counting) -> DatabaseRoute {
    var copy = self
    copy.counting = counting
    return copy
  }

  /// The route that counts the rows which this one gives without its limit.
  var countingRows: DatabaseRoute {
    var parts = Parts(.count, table, id: id)
    parts.filter = filter
    parts.embeds = embeds.filter(\.isRequired)
    if !aggregates.isEmpty {
      parts.columns = columns
      parts.aggregates = aggregates
      parts.groupFilter = groupFilter
    }
    return DatabaseRoute(parts)
  }
}

extension DatabaseRoute {
  /// A number of rows, and whether it is exactly that.
  ///
  /// ```swift
  /// let count = try await executor.value(
  ///   DatabaseRoute.RowCount.self, for: .count(from: "todos").counted(.estimated(upTo: 1_000)))
  /// ```
  public struct RowCount: Hashable, Sendable, Codable {
    public var value: Int
    /// Whether they were counted. Otherwise it is an estimate, or the number that there are at least.
    public var isExact: Bool

    public init(_ value: Int, isExact: Bool = true) {
      self.value = value
      self.isExact = isExact
    }

    private enum CodingKeys: String, CodingKey {
      case value = "count"
      case isExact
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      value = try container.decode(Int.self, forKey: .value)
      isExact = try container.decodeIfPresent(Bool.self, forKey: .isExact) ?? true
    }
  }
}

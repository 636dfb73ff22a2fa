extension DatabaseRoute {
  /// One value computed from many rows, such as their number or a sum.
  ///
  /// ```swift
  /// let totals = DatabaseRoute.fetch(from: "player").selecting("team")
  ///   .aggregating(.count(as: "players"), .sum("score", as: "total"))
  ///   .ordered(by: .descending("total"))
  /// ```
  ///
  /// The functions have SQLite's semantics for NULLs and other values: NULLs are ignored, and except for `count`, which
  /// is 0, an aggregate of no values is NULL, so decode it as an optional. A sum of integers that exceeds 64 bits
  /// throws `SQLiteError`.
  public struct Aggregate: Hashable, Sendable {
    public var function: Function
    /// The column whose values are aggregated; `nil` for the rows themselves.
    public var column: Column?
    /// The name of the result column.
    public var name: String
    /// A Boolean value that indicates whether equal values count once.
    public var isDistinct: Bool
    /// The filter for the aggregated rows; `nil` for all rows of the route.
    public var filter: Filter?

    /// - Parameters:
    ///   - function: The aggregate function.
    ///   - column: The column whose values are aggregated; `nil` for the rows themselves.
    ///   - name: The name of the result column; `nil` for the name of the function.
    ///   - distinct: Whether equal values count once.
    ///   - filter: The filter for the aggregated rows; `nil` for all.
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

    /// Returns the number of rows.
    public static func count(as name: String? = nil, filteredBy filter: Filter? = nil) -> Aggregate
    {
      Aggregate(.count, of: nil, as: name, filteredBy: filter)
    }

    /// Returns the number of values other than NULL.
    public static func count(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.count, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// Returns the sum: an integer if all values are integers. A sum that exceeds 64 bits is an error.
    public static func sum(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.sum, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// Returns the average, always as a floating-point number.
    public static func average(
      _ column: Column, as name: String? = nil, distinct: Bool = false,
      filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.average, of: column, as: name, distinct: distinct, filteredBy: filter)
    }

    /// Returns the lowest value in the column's order.
    public static func minimum(
      _ column: Column, as name: String? = nil, filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.minimum, of: column, as: name, filteredBy: filter)
    }

    /// Returns the highest value in the column's order.
    public static func maximum(
      _ column: Column, as name: String? = nil, filteredBy filter: Filter? = nil
    ) -> Aggregate {
      Aggregate(.maximum, of: column, as: name, filteredBy: filter)
    }

    /// An aggregate function. A database may not support all of them: running a route with an unsupported function
    /// throws ``RouterError/Code/unsupported``.
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

  /// Returns a copy with aggregates of all rows, or of each group.
  ///
  /// The columns that are selected as well define the groups: rows that are equal in all of them, treating NULL as a
  /// value. Without such columns there is one result row, even if there are no rows. The order can use these columns
  /// and the names of the aggregates.
  ///
  /// A combination with embedded rows or with ``page(after:size:encoder:)`` throws ``RouterError/Code/invalidRoute``.
  public func aggregating(_ aggregates: Aggregate...) -> DatabaseRoute {
    var copy = self
    copy.aggregates += aggregates
    return copy
  }

  /// Returns a copy with an additional condition on the groups: on their columns, and on aggregates by name.
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
  /// The function, its column and its name. The values of a filter are not included.
  public var description: String {
    let of = column.map { "\(isDistinct ? "distinct " : "")\($0)" } ?? "*"
    return "\(function)(\(of))\(filter.map { " where \($0)" } ?? "") as \(name)"
  }
}

extension DatabaseRoute {
  /// The method of counting rows.
  ///
  /// An estimate uses the statistics of SQLite's planner, which the last `ANALYZE` stored. They cover whole tables, and
  /// filters that test the first columns of an index for equality.
  public enum Counting: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Counts all rows.
    case exact
    /// Uses an estimate. Counts all rows if there is none.
    case planned
    /// Counts rows up to a bound, and uses an estimate beyond it. At most one row more than the bound is read; if there
    /// is no estimate, the result is the number of rows read.
    case estimated(upTo: Int)

    public var description: String {
      switch self {
      case .exact: "exactly"
      case .planned: "as planned"
      case .estimated(let bound): "estimated beyond \(bound)"
      }
    }
  }

  /// Returns a copy with another counting method, for a ``Method/count``, which is then read as a
  /// ``DatabaseRoute/RowCount``.
  public func counted(_ counting: Counting) -> DatabaseRoute {
    var copy = self
    copy.counting = counting
    return copy
  }

  /// Returns the route that counts the rows of this one without its limit, for executors.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute`` if the method is not ``Method/fetch``.
  public func countingRows(_ counting: Counting) throws(RouterError) -> DatabaseRoute {
    guard method == .fetch else {
      throw RouterError.invalid("only the rows of a fetch can be counted").of(self)
    }
    return countingRows.counted(counting)
  }

  /// The route that counts the rows of this one without its limit.
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
  /// A number of rows, which is exact or estimated.
  ///
  /// ```swift
  /// let count = try await executor.value(
  ///   DatabaseRoute.RowCount.self, for: .count(from: "todos").counted(.estimated(upTo: 1_000)))
  /// ```
  public struct RowCount: Hashable, Sendable, Codable {
    public var value: Int
    /// A Boolean value that indicates whether all rows were counted. Otherwise the value is an estimate or a lower
    /// bound.
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

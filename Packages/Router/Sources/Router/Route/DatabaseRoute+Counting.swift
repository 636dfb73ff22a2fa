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

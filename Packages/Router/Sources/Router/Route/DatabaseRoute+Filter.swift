extension DatabaseRoute {
  /// The condition that selects a route's rows: comparisons of columns, joined by `&&`, `||` and
  /// `!`.
  ///
  /// ```swift
  /// let late = Column("due").lessThan(today) && (Column("done").isFalse() || !Column("owner").equals(7))
  /// ```
  ///
  /// As in SQL, a comparison with a NULL is neither true nor false: neither the filter nor its
  /// negation selects the row.
  ///
  /// A chain of one operator is one level, regardless of its length. Other operators nest, up to
  /// ``maximumDepth`` levels; a filter that is nested deeper discards its conditions and has the
  /// form ``Form-swift.enum/tooDeep``. Running, observing, recording or encoding a route with such
  /// a filter throws.
  ///
  /// - Complexity: `&&` and `||` copy O(log *n*) of a chain's *n* conditions on average.
  public struct Filter: Sendable {
    /// The structure of a filter.
    public enum Form: Hashable, Sendable {
      /// Every row. An update or a deletion of a whole table requires it.
      case all
      /// One condition.
      case comparison(Comparison)
      /// True if all of the filters are. Running a route with an empty list throws.
      case and([Filter])
      /// True if one of the filters is. Running a route with an empty list throws.
      case or([Filter])
      /// The negation of a filter.
      case not(Filter)
      /// A filter that was nested too deep to be kept: see ``Filter/maximumDepth``.
      case tooDeep
    }

    /// The deepest nesting that a filter can have, regardless of ``DatabaseRoute/Limits/filterDepth``.
    public static let maximumDepth = 100

    let storage: Storage

    /// The filter's structure.
    ///
    /// - Complexity: O(*n*) in the length of a list that was built by `&&` or `||`, otherwise O(1).
    public var form: Form {
      switch storage.content {
      case .all: .all
      case .comparison(let comparison): .comparison(comparison)
      case .and(let list): .and(list.filters)
      case .or(let list): .or(list.filters)
      case .not(let filter): .not(filter)
      case .tooDeep: .tooDeep
      }
    }

    /// The number of operators around the innermost condition.
    var depth: Int { storage.depth }

    /// Every row. An update or a deletion of a whole table requires it.
    public static let all = Filter(.all, depth: 0)

    /// A filter of one condition.
    public static func comparison(_ comparison: Comparison) -> Filter {
      Filter(.comparison(comparison), depth: 0)
    }

    /// A filter that is true if all of `filters` are. Running a route with an empty list throws.
    public static func and(_ filters: [Filter]) -> Filter { and(FilterList(filters)) }

    /// A filter that is true if one of `filters` is. Running a route with an empty list throws.
    public static func or(_ filters: [Filter]) -> Filter { or(FilterList(filters)) }

    /// The negation of a filter.
    public static func not(_ filter: Filter) -> Filter {
      Filter(.not(filter), depth: filter.depth + 1)
    }

    /// Creates a filter of one condition with one value.
    public init(column: Column, operator: Operator, value: some RouteValue) {
      self = .comparison(
        Comparison(column: column, operator: `operator`, operand: .value(value.routeValue)))
    }

    /// Returns a filter for rows in which a column equals a value.
    public static func equals(column: Column, value: some RouteValue) -> Filter {
      Filter(column: column, operator: .equals, value: value)
    }

    /// Returns a filter for the row with a key: see ``Column/id``.
    public static func id(_ value: some RouteValue) -> Filter { equals(column: .id, value: value) }

    /// Returns a filter that is true if both filters are.
    public static func && (a: Filter, b: Filter) -> Filter {
      and(FilterList(a.conjuncts, b.conjuncts))
    }

    /// Returns a filter that is true if at least one of the filters is.
    public static func || (a: Filter, b: Filter) -> Filter {
      or(FilterList(a.alternatives, b.alternatives))
    }

    /// Returns the negation of a filter.
    public static prefix func ! (filter: Filter) -> Filter { .not(filter) }

    /// Returns all filters of a list joined by `AND`; `nil` if the list is empty.
    static func joined(_ filters: [Filter]) -> Filter? {
      filters.count < 2 ? filters.first : .and(filters)
    }

    private static func and(_ list: FilterList) -> Filter {
      Filter(.and(list), depth: list.depth + 1)
    }

    private static func or(_ list: FilterList) -> Filter {
      Filter(.or(list), depth: list.depth + 1)
    }

    private init(_ content: Storage.Content, depth: Int) {
      storage =
        depth > Storage.maximumDepth ? .tooDeep : Storage(content: content, depth: depth)
    }

    /// The filters that `&&` continues. An empty list remains an element, because it is an error.
    private var conjuncts: FilterList {
      if case .and(let list) = storage.content, !list.isEmpty { list } else { FilterList([self]) }
    }

    private var alternatives: FilterList {
      if case .or(let list) = storage.content, !list.isEmpty { list } else { FilterList([self]) }
    }
  }
}

extension DatabaseRoute.Filter {
  /// A filter's content, shared by its copies. Its depth is bounded, so that recursive code, and the release of a
  /// filter, can't exhaust the stack.
  final class Storage: Sendable {
    enum Content: Sendable {
      case all
      case comparison(DatabaseRoute.Comparison)
      case and(FilterList)
      case or(FilterList)
      case not(DatabaseRoute.Filter)
      case tooDeep
    }

    let content: Content
    let depth: Int

    /// One level more than users can build, because a row filter is combined with a route's filter.
    static let maximumDepth = DatabaseRoute.Filter.maximumDepth + 1
    static let tooDeep = Storage(content: .tooDeep, depth: maximumDepth + 1)

    init(content: Content, depth: Int) {
      self.content = content
      self.depth = depth
    }
  }

  /// Indicates whether the filter requires that a column equals a value, so that it cannot be true of every
  /// row.
  var requiresValue: Bool {
    switch storage.content {
    case .and(let list): return list.runs.joined().contains(where: \.requiresValue)
    case .comparison(let comparison):
      guard case .value = comparison.operand else { return false }
      return comparison.operator == .equals
    default: return false
    }
  }

  /// Checks that the filter is not nested too deep.
  ///
  /// - Parameter limit: The deepest nesting that ``DatabaseRoute/Limits/filterDepth`` allows.
  /// - Throws: ``RouterError`` with code ``RouterError/Code/invalidRoute``.
  func checkDepth(_ limit: Int = maximumDepth) throws(RouterError) {
    let most = min(limit, Self.maximumDepth)
    guard depth > most else { return }
    let name =
      limit < Self.maximumDepth ? "DatabaseRoute.Limits.filterDepth" : "Filter.maximumDepth"
    throw .invalid("the filter is nested deeper than \(most) levels (`\(name)`)")
  }
}

extension DatabaseRoute.Filter: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.storage === b.storage || (a.depth == b.depth && a.form == b.form)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(form) }
}

/// The filters that an `and` or an `or` joins.
///
/// They are stored in runs, with the longest in the middle. An added filter starts a run, and runs of similar length
/// are merged, so that a chain that grows by one filter at a time is not copied completely each time.
struct FilterList: Sendable {
  private(set) var runs: [[DatabaseRoute.Filter]]
  /// The depth of the deepest filter.
  private(set) var depth: Int

  private static let shortest = 16

  init(_ filters: [DatabaseRoute.Filter]) {
    runs = [filters]
    depth = filters.reduce(0) { max($0, $1.depth) }
  }

  /// The filters of two lists, in this order.
  init(_ a: FilterList, _ b: FilterList) {
    if a.count < b.count {
      self = b
      for run in a.runs.reversed() { prepend(run) }
    } else {
      self = a
      for run in b.runs { append(run) }
    }
    depth = max(a.depth, b.depth)
  }

  var filters: [DatabaseRoute.Filter] { runs.count == 1 ? runs[0] : Array(runs.joined()) }
  var count: Int { runs.reduce(0) { $0 + $1.count } }
  var isEmpty: Bool { runs.allSatisfy(\.isEmpty) }

  private mutating func append(_ run: [DatabaseRoute.Filter]) {
    var run = run
    while let last = runs.last, last.count <= max(run.count, Self.shortest) {
      run = last + run
      runs.removeLast()
    }
    runs.append(run)
  }

  private mutating func prepend(_ run: [DatabaseRoute.Filter]) {
    var run = run
    while let first = runs.first, first.count <= max(run.count, Self.shortest) {
      run += first
      runs.removeFirst()
    }
    runs.insert(run, at: 0)
  }
}

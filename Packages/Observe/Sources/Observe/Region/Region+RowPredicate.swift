public import SQLiteCore

extension Region {
  /// A predicate that selects the rows of a table that a reader depends on: comparisons of columns
  /// with values, joined by `&&`, `||` and `!`.
  ///
  /// ```swift
  /// let mine = Region.RowPredicate.column("team", equals: 7) && .column("score", .greater, 100)
  /// let region = Region.rows(of: "player", where: mine, reading: ["name", "score"])
  /// ```
  ///
  /// A predicate has the semantics of the same SQL text with bound values: NULL is unknown, values
  /// of different storage classes are ordered, a column's affinity converts the compared value, and
  /// its collation compares text. A comparison that can't be evaluated without SQLite, such as one
  /// with an application-defined collation, counts as true, so that no change is missed.
  public struct RowPredicate: Hashable, Sendable {
    /// A comparison of a column with a value.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
      case equal = "="
      case notEqual = "<>"
      case less = "<"
      case lessOrEqual = "<="
      case greater = ">"
      case greaterOrEqual = ">="
    }

    /// A node of a predicate. Operands are sets, so that the order in which a predicate was built
    /// is irrelevant.
    indirect enum Term: Hashable, Sendable {
      case comparison(ColumnName, Comparison, SQLiteValue)
      /// Also represents equality, as a list of one value.
      case isIn(ColumnName, Set<SQLiteValue>)
      case isNull(ColumnName)
      case rowIDs(Set<RowID>)
      case not(Term)
      case all(Set<Term>)
      case any(Set<Term>)
    }

    let term: Term

    /// `column <comparison> value`.
    public static func column(
      _ column: ColumnName, _ comparison: Comparison, _ value: SQLiteValue
    ) -> RowPredicate {
      switch comparison {
      case .equal: RowPredicate(term: .isIn(column, [value]))
      case .notEqual: !RowPredicate(term: .isIn(column, [value]))
      default: RowPredicate(term: .comparison(column, comparison, value))
      }
    }

    /// `column = value`.
    ///
    /// Observations with this condition, by itself or in a conjunction, are looked up by the value
    /// when a row changes, so there may be thousands of them.
    public static func column(_ column: ColumnName, equals value: SQLiteValue) -> RowPredicate {
      .column(column, .equal, value)
    }

    /// `column IN (values)`.
    public static func column(
      _ column: ColumnName, in values: some Sequence<SQLiteValue>
    ) -> RowPredicate {
      RowPredicate(term: .isIn(column, Set(values)))
    }

    /// `column IS NULL`.
    public static func isNull(_ column: ColumnName) -> RowPredicate {
      RowPredicate(term: .isNull(column))
    }

    /// `column IS NOT NULL`.
    public static func isNotNull(_ column: ColumnName) -> RowPredicate { !.isNull(column) }

    /// `rowid IN (rowIDs)`. For a table without rowids it is undecidable, and counts as true.
    public static func rowIDs(_ rowIDs: some Sequence<RowID>) -> RowPredicate {
      RowPredicate(term: .rowIDs(Set(rowIDs)))
    }

    /// `NOT`: if a predicate is unknown because of NULL, its negation is unknown, too.
    public static prefix func ! (predicate: RowPredicate) -> RowPredicate {
      if case .not(let term) = predicate.term { return RowPredicate(term: term) }
      return RowPredicate(term: .not(predicate.term))
    }

    /// `AND`.
    public static func && (a: RowPredicate, b: RowPredicate) -> RowPredicate {
      let terms = a.term.conjuncts.union(b.term.conjuncts)
      return RowPredicate(term: terms.count == 1 ? a.term : .all(terms))
    }

    /// `OR`.
    public static func || (a: RowPredicate, b: RowPredicate) -> RowPredicate {
      var lists: [ColumnName: Set<SQLiteValue>] = [:]
      var rowIDs: Set<RowID>?
      var terms: Set<Term> = []
      for term in a.term.alternatives.union(b.term.alternatives) {
        switch term {
        case .isIn(let column, let values): lists[column, default: []].formUnion(values)
        case .rowIDs(let more): rowIDs = rowIDs?.union(more) ?? more
        default: terms.insert(term)
        }
      }
      for (column, values) in lists { terms.insert(.isIn(column, values)) }
      if let rowIDs { terms.insert(.rowIDs(rowIDs)) }
      guard terms.count == 1, let only = terms.first else { return RowPredicate(term: .any(terms)) }
      return RowPredicate(term: only)
    }
  }
}

extension Region.RowPredicate {
  /// The columns that the predicate compares.
  var columns: Set<Region.ColumnName> {
    var columns: Set<Region.ColumnName> = []
    term.collect(&columns)
    return columns
  }

  /// The approximate cost of storing and evaluating the predicate: the number of comparisons.
  var size: Int { term.size }
}

extension Region.RowPredicate.Term {
  fileprivate var conjuncts: Set<Self> {
    if case .all(let terms) = self { terms } else { [self] }
  }

  fileprivate var alternatives: Set<Self> {
    if case .any(let terms) = self { terms } else { [self] }
  }

  fileprivate func collect(_ columns: inout Set<Region.ColumnName>) {
    switch self {
    case .comparison(let column, _, _), .isIn(let column, _), .isNull(let column):
      columns.insert(column)
    case .rowIDs: break
    case .not(let term): term.collect(&columns)
    case .all(let terms), .any(let terms): for term in terms { term.collect(&columns) }
    }
  }

  fileprivate var size: Int {
    switch self {
    case .comparison, .isNull: 1
    case .isIn(_, let values): 1 + values.count
    // A set is looked up in constant time, regardless of its size.
    case .rowIDs(let rowIDs): 1 + rowIDs.count / 64
    case .not(let term): term.size
    case .all(let terms), .any(let terms): terms.reduce(1) { $0 + $1.size }
    }
  }
}

extension Region.RowPredicate: CustomStringConvertible {
  /// The predicate as SQL.
  public var description: String { term.sql }
}

extension Region.RowPredicate.Term {
  fileprivate var sql: String {
    switch self {
    case .comparison(let column, let comparison, let value):
      return "\(SQLName.quoted(column.name)) \(comparison.rawValue) \(value)"
    case .isIn(let column, let values):
      let column = SQLName.quoted(column.name)
      if values.count == 1, let value = values.first { return "\(column) = \(value)" }
      return "\(column) IN (\(Self.list(values.map(\.description), separator: ", ")))"
    case .isNull(let column): return "\(SQLName.quoted(column.name)) IS NULL"
    case .rowIDs(let rowIDs):
      return "rowid IN (\(rowIDs.sorted().map { "\($0.rawValue)" }.joined(separator: ", ")))"
    case .not(let term): return "NOT (\(term.sql))"
    case .all(let terms):
      return terms.isEmpty ? "1" : Self.list(terms.map { "(\($0.sql))" }, separator: " AND ")
    case .any(let terms):
      return terms.isEmpty ? "0" : Self.list(terms.map { "(\($0.sql))" }, separator: " OR ")
    }
  }

  private static func list(_ parts: [String], separator: String) -> String {
    parts.sorted().joined(separator: separator)
  }
}

extension Region {
  /// A column's name. As in SQLite, ASCII letters are equal in either case.
  public struct ColumnName: Sendable {
    /// The name as spelled in the schema.
    public let name: String

    public init(_ name: String) { self.name = name }
  }
}

extension Region.ColumnName: Hashable {
  public static func == (a: Region.ColumnName, b: Region.ColumnName) -> Bool {
    SQLName.isSame(a.name, b.name)
  }

  public func hash(into hasher: inout Hasher) {
    SQLName.hash(name, into: &hasher)
  }
}

extension Region.ColumnName: CustomStringConvertible, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }

  public var description: String { name }
}

extension Region {
  /// A set of a table's columns, or all of them.
  public enum ColumnSet: Hashable, Sendable {
    case all
    case some(Set<ColumnName>)

    public static let none = ColumnSet.some([])

    public var isEmpty: Bool { self == .none }

    /// Returns whether the set contains a column.
    public func contains(_ column: ColumnName) -> Bool {
      switch self {
      case .all: true
      case .some(let columns): columns.contains(column)
      }
    }

    /// Returns whether a column is in both sets.
    public func intersects(_ other: ColumnSet) -> Bool {
      switch (self, other) {
      case (.all, _): !other.isEmpty
      case (_, .all): !isEmpty
      case (.some(let a), .some(let b)): !a.isDisjoint(with: b)
      }
    }

    public mutating func formUnion(_ other: ColumnSet) {
      switch (self, other) {
      case (.some(let a), .some(let b)): self = .some(a.union(b))
      default: self = .all
      }
    }
  }
}

extension Region.ColumnSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral columns: Region.ColumnName...) { self = .some(Set(columns)) }
}

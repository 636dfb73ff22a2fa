/// A clause of a query's statement with terms that depend on the input.
///
/// The ranges are those of the UTF-8 bytes of ``QueryDefinition/sql``. The text between two terms is
/// the separator of the second. If no term is present, neither is the text from ``start`` on.
public struct DynamicClause: Hashable, Sendable {
  /// A term: an operand of `AND`, or an element of `ORDER BY`.
  public struct Term: Hashable, Sendable {
    public var range: Range<Int>
    public var presence: Presence

    public init(range: Range<Int>, presence: Presence) {
      self.range = range
      self.presence = presence
    }
  }

  /// The inputs for which a term is present.
  public enum Presence: Hashable, Sendable {
    case always
    /// Present if none of the parameters with these numbers is `nil`.
    case ifPresent([Int])
    /// The term is replaced by the elements of the order with this parameter number, and absent if
    /// there are none.
    case order(Int)
    /// The term is replaced by the condition with this parameter number, and absent if it is `nil`.
    case filter(Int)
  }

  /// The end of the token before the clause's keyword.
  public var start: Int
  /// The terms in order; never empty.
  public var terms: [Term]

  public init(start: Int, terms: [Term]) {
    self.start = start
    self.terms = terms
  }

  /// The range of the whole clause.
  public var range: Range<Int> { start..<(terms.last?.range.upperBound ?? start) }
}

/// A term by which a caller may order a query's rows.
public struct OrderChoice: Hashable, Sendable {
  /// The position of NULLs.
  public enum Nulls: Hashable, Sendable {
    case first, last
  }

  /// The name, unique in its order.
  public var name: String
  /// The expression as SQL.
  public var sql: String
  /// A Boolean value that indicates whether the declared direction is `DESC`.
  public var isDescending: Bool
  /// The declared position of NULLs; `nil` for SQLite's default.
  public var nulls: Nulls?

  public init(name: String, sql: String, isDescending: Bool = false, nulls: Nulls? = nil) {
    self.name = name
    self.sql = sql
    self.isDescending = isDescending
    self.nulls = nulls
  }
}

/// A value with which a caller may compose a condition on a query's rows.
public struct FilterColumn: Hashable, Sendable {
  /// The name, unique in its filter.
  public var name: String
  /// The expression as SQL, in parentheses unless it is a column.
  public var sql: String
  public var type: ValueType
  /// The table columns whose values the expression returns; empty for a computed value.
  public var origins: [TableColumn]

  public init(name: String, sql: String, type: ValueType, origins: [TableColumn] = []) {
    self.name = name
    self.sql = sql
    self.type = type
    self.origins = origins
  }
}

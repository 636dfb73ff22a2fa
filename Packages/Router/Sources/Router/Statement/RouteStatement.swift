internal import SQLiteCore

/// A route's SQL.
final class StatementText: Sendable {
  let sql: String
  let table: TableFacts
  /// Whether the last column of a row that is written tells whether it may be.
  let hasCheck: Bool

  init(sql: String, table: TableFacts, hasCheck: Bool) {
    self.sql = sql
    self.table = table
    self.hasCheck = hasCheck
  }
}

/// A route's SQL with the values of one run.
struct RouteStatement {
  let text: StatementText
  /// Each is a ``BoundValue``.
  let values: [any SQLiteBindable]
}

/// What is bound to one parameter.
enum BoundValue: SQLiteBindable, Sendable {
  case value(SQLiteValue)
  case list([SQLiteValue])

  var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      switch self {
      case .value(let value): value
      case .list(let values): try SQLiteArray(values).sqliteValue
      }
    }
  }

  func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .value(let value): try value.bind(to: statement, at: index)
    case .list(let values): try SQLiteArray(values).bind(to: statement, at: index)
    }
  }
}

extension DatabaseRoute {
  /// How large a route may be, and what it touches.
  public struct Limits: Hashable, Sendable {
    /// How many rows a route may read; more are ``RouterError/Code/tooManyRows``. `nil` for any number.
    ///
    /// Embedded rows are not counted, but come in the one that they are embedded in: say how many there may be by
    /// ``DatabaseRoute/Embed/limit``.
    public var maximumRows: Int?
    /// The most rows that a route may write; a write of more is undone, with the error
    /// ``RouterError/Code/tooManyRows``. `nil` for any number, as by default.
    ///
    /// A route cannot raise it.
    public var maximumAffected: Int?
    /// The most rows that an update or a deletion may write without saying how many; one that writes
    /// more is undone, with the error ``RouterError/Code/tooManyRows``. `nil` for any number; 1,000
    /// by default.
    ///
    /// It bounds what a filter that selects more rows than was meant can do. A route that is meant to
    /// write more says so: either by the number, or by the filter ``DatabaseRoute/Filter/all``.
    ///
    /// ```swift
    /// try await executor.perform(
    ///   .delete(from: "log", filteredBy: Column("day").lessThan(20_000)).expecting(.atMost(100_000)))
    /// ```
    ///
    /// A call that says how many rows it expects may write as many, too. Rows that foreign keys or
    /// triggers change are not counted.
    public var maximumAffectedByFilter: Int? = 1_000
    /// The deepest nesting of a filter, up to ``DatabaseRoute/Filter/maximumDepth``. SQLite's parser
    /// refuses some filters of more than about 60 levels with an error of its own.
    public var filterDepth = 50
    /// How many conditions filters may have.
    public var filterTerms = 500
    /// How many values a list in a filter may have.
    public var listCount = 100_000

    public init() {}
  }
}

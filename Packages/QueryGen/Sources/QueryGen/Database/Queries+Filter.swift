extension Queries {
  /// The values with which a query's caller composes a ``Filter``. A conforming struct is generated
  /// for each `filter:` annotation.
  public protocol FilterColumns: Sendable {
    static var columns: Self { get }
  }

  /// A value that a ``Filter`` compares: a column or an SQL expression, with its type in Swift.
  public struct FilterColumn<Value: Sendable>: Sendable {
    let sql: StaticString
    let bound: @Sendable (Value) -> any SQLiteBindable

    /// Creates a value. Its text can only be a literal, so that no other text becomes SQL.
    ///
    /// - Parameters:
    ///   - sql: The text.
    ///   - bound: Converts a Swift value to the format of the column.
    public init(_ sql: StaticString, _ bound: @escaping @Sendable (Value) -> any SQLiteBindable) {
      self.sql = sql
      self.bound = bound
    }

    public init(_ sql: StaticString) where Value: SQLiteBindable {
      self.init(sql) { $0 }
    }
  }

  /// A condition on a query's rows that its caller composes of comparisons with `&&`, `||` and `!`.
  ///
  /// ```swift
  /// try await db.players.execute(filter: \.score > 3 && !(\.name == "Ada"))
  ///
  /// extension Queries.Filter<PlayersFilter> {
  ///   static var isStrong: Self { \.score >= 90 || .isIn(\.team, [1, 2]) }
  /// }
  /// ```
  ///
  /// As in SQL, a comparison with NULL is neither true nor false. Values are always bound. A value
  /// that can't be converted for SQLite makes the query throw.
  public struct Filter<Columns: FilterColumns>: Hashable, Sendable {
    fileprivate let term: FilterTerm
  }

  fileprivate indirect enum FilterTerm: Hashable, Sendable {
    case comparison(String, String, FilterValue)
    case isIn(String, [FilterValue])
    case isNull(String)
    case and(FilterTerm, FilterTerm)
    case or(FilterTerm, FilterTerm)
    case not(FilterTerm)
  }

  /// A converted value, or the error of its conversion, which is thrown when the value is bound.
  fileprivate enum FilterValue: Hashable, Sendable, SQLiteBindable {
    case value(SQLiteValue)
    case failure(SQLiteError)

    init(_ value: any SQLiteBindable) {
      do throws(SQLiteError) {
        self = .value(try value.sqliteValue)
      } catch {
        self = .failure(error)
      }
    }

    var sqliteValue: SQLiteValue {
      get throws(SQLiteError) {
        switch self {
        case .value(let value): return value
        case .failure(let error): throw error
        }
      }
    }
  }
}

extension Queries.Filter {
  /// Both conditions.
  public static func && (a: Self, b: Self) -> Self { Self(term: .and(a.term, b.term)) }

  /// At least one of two conditions.
  public static func || (a: Self, b: Self) -> Self { Self(term: .or(a.term, b.term)) }

  /// The opposite of a condition. If the condition is neither true nor false, so is its opposite.
  public static prefix func ! (filter: Self) -> Self { Self(term: .not(filter.term)) }

  /// `column IS NULL`
  public static func isNull<Value>(_ column: KeyPath<Columns, Queries.FilterColumn<Value>>) -> Self
  {
    Self(term: .isNull(Columns.columns[keyPath: column].sql.description))
  }

  /// `column IN (values)`
  public static func isIn<Value>(
    _ column: KeyPath<Columns, Queries.FilterColumn<Value>>, _ values: some Sequence<Value>
  ) -> Self {
    let column = Columns.columns[keyPath: column]
    return Self(
      term: .isIn(column.sql.description, values.map { Queries.FilterValue(column.bound($0)) }))
  }

  /// `column LIKE pattern`, in which `%` is any text and `_` any character.
  public static func like<Value>(
    _ column: KeyPath<Columns, Queries.FilterColumn<Value>>, _ pattern: String
  ) -> Self {
    Self(
      term: .comparison(
        Columns.columns[keyPath: column].sql.description, "LIKE", Queries.FilterValue(pattern)))
  }

  /// Returns the condition as SQL.
  ///
  /// - Parameter bind: Adds a value, and returns its number.
  func sql(_ bind: (any SQLiteBindable) -> Int) -> String { term.sql(bind) }
}

extension Queries.FilterTerm {
  fileprivate func sql(_ bind: (any SQLiteBindable) -> Int) -> String {
    switch self {
    case .comparison(let column, let comparison, let value):
      "\(column) \(comparison) ?\(bind(value))"
    case .isIn(let column, let values):
      "\(column) IN (\(values.map { "?\(bind($0))" }.joined(separator: ", ")))"
    case .isNull(let column): "\(column) IS NULL"
    case .and(let left, let right): "(\(left.sql(bind)) AND \(right.sql(bind)))"
    case .or(let left, let right): "(\(left.sql(bind)) OR \(right.sql(bind)))"
    case .not(let term): "NOT (\(term.sql(bind)))"
    }
  }
}

/// Comparisons of the values of a ``Queries/Filter``.
extension KeyPath where Root: Queries.FilterColumns {
  public static func == <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared("=", value)
  }

  public static func != <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared("<>", value)
  }

  public static func < <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared("<", value)
  }

  public static func <= <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared("<=", value)
  }

  public static func > <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared(">", value)
  }

  public static func >= <V>(column: KeyPath, value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    column.compared(">=", value)
  }

  private func compared<V>(_ comparison: String, _ value: V) -> Queries.Filter<Root>
  where Value == Queries.FilterColumn<V> {
    let column = Root.columns[keyPath: self]
    return Queries.Filter(
      term: .comparison(
        column.sql.description, comparison, Queries.FilterValue(column.bound(value))))
  }
}

extension Queries {
  /// The direction of a term of `ORDER BY`.
  public enum Direction: String, CaseIterable, Codable, Hashable, Sendable {
    case ascending, descending
  }

  /// The position of NULLs in an order.
  public enum NullsPosition: String, CaseIterable, Codable, Hashable, Sendable {
    case first, last
  }

  /// A term of the order that a query's caller chooses. A conforming struct is generated for each
  /// `order:` annotation.
  ///
  /// ```swift
  /// try await db.players.execute(sort: [.score.descending.nullsLast, .name])
  /// ```
  ///
  /// A term consists of values, so it can be stored and decoded. Its SQL is part of the generated
  /// code.
  public protocol OrderTerm: Codable, Hashable, Sendable {
    associatedtype Key: OrderKey

    /// The expression by which the term orders.
    var key: Key { get set }
    /// The direction; `nil` for the declared one.
    var direction: Direction? { get set }
    /// The position of NULLs; `nil` for the declared one.
    var nulls: NullsPosition? { get set }
  }

  /// The expressions by which a query's caller may order, as an enum of their names.
  public protocol OrderKey: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {
    /// The SQL, which was checked when the code was generated.
    var expression: OrderExpression { get }
  }

  /// An SQL expression with the direction and the position of NULLs that an `order:` annotation
  /// declares.
  public struct OrderExpression: Sendable {
    /// The expression's text.
    public let sql: StaticString
    public let direction: Direction
    /// The position of NULLs; `nil` for SQLite's default, in which NULL is the smallest value.
    public let nulls: NullsPosition?

    /// Creates an expression. Its text can only be a literal, so that no other text becomes SQL.
    public init(
      _ sql: StaticString, _ direction: Direction = .ascending, nulls: NullsPosition? = nil
    ) {
      self.sql = sql
      self.direction = direction
      self.nulls = nulls
    }
  }
}

extension Queries.OrderTerm {
  /// The same term in ascending direction.
  public var ascending: Self { with { $0.direction = .ascending } }

  /// The same term in descending direction.
  public var descending: Self { with { $0.direction = .descending } }

  /// The same term with NULLs before all other values.
  public var nullsFirst: Self { with { $0.nulls = .first } }

  /// The same term with NULLs after all other values.
  public var nullsLast: Self { with { $0.nulls = .last } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// The term in `ORDER BY`.
  var sql: String {
    let expression = key.expression
    var text = expression.sql.description
    if (direction ?? expression.direction) == .descending { text += " DESC" }
    switch nulls ?? expression.nulls {
    case .first: text += " NULLS FIRST"
    case .last: text += " NULLS LAST"
    case nil: break
    }
    return text
  }
}

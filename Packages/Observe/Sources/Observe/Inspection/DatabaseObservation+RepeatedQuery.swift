extension DatabaseObservation {
  /// A query that ran repeatedly in one access, with different values, while or after the rows of
  /// another query were read: usually a query in a loop over the other query's rows.
  ///
  /// It prints as a line of an ``Event``:
  ///
  /// ```
  /// access repeated a query 24 times in 310 µs: SELECT name FROM author WHERE id = ? | for the rows of: SELECT author FROM book | use …
  /// ```
  ///
  /// One query can replace the loop:
  ///
  /// - a join, if each row has one related row;
  /// - `IN` with the list of keys: `WHERE id IN \(ids)`, or `WHERE id IN :ids` with QueryGen;
  /// - a nested query of QueryGen (`-- nest:`), if each row has a list of related rows;
  /// - `fetchAll(_:)` or `load(_:)` of Relations, which read a relation of many models together.
  public struct RepeatedQuery: Hashable, Sendable {
    /// The query's text, without bound values.
    public let sql: String
    /// The number of runs that followed the rows of other queries.
    public let count: Int
    /// The total duration of these runs, including the code that processed their rows.
    public let duration: Duration
    /// The text of the query whose rows were probably iterated: of those that had returned at least
    /// as many rows, one that was still running, or otherwise the last one.
    public let outerSQL: String
  }
}

extension DatabaseObservation.RepeatedQuery: CustomStringConvertible {
  public var description: String {
    "\(count) times in \(duration.shortDescription): \(sql.onOneLine) | "
      + "for the rows of: \(outerSQL.onOneLine) | "
      + "use a join, IN :ids, a nested query (-- nest:), or fetchAll or load of Relations"
  }
}

extension String {
  fileprivate var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

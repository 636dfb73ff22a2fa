extension Queries {
  /// A statement's text with parts that depend on the input: list parameters, such as
  /// `WHERE id IN :ids`, and clauses with terms that may be absent.
  ///
  /// The number of values in a list is known only when the statement runs, so the list's
  /// placeholders are written then. Every other parameter is written in the text as its number.
  public struct SQLTemplate: Sendable {
    /// A part of the text.
    public enum Piece: Sendable {
      case text(String)
      /// The list parameter with this number.
      case list(Int)
      /// The parameter with this number, in a statement with clauses.
      case parameter(Int)
      /// A clause: the text before its first term, and its terms. If no term is present, the clause
      /// is empty.
      case clause(String, [Term])
    }

    /// A term of a clause.
    public struct Term: Sendable {
      enum Content: Sendable {
        /// A text that is present if none of the parameters is `nil`.
        case pieces(parameters: [Int], [Piece])
        case order(Int)
        case filter(Int)
      }

      let separator: String
      let content: Content

      /// A term that is always present.
      ///
      /// - Parameters:
      ///   - separator: The text before the term, if another term precedes it.
      ///   - pieces: The term's text.
      public static func always(_ separator: String, _ pieces: Piece...) -> Term {
        Term(separator: separator, content: .pieces(parameters: [], pieces))
      }

      /// A term that is absent if a parameter with one of these numbers is `nil`.
      public static func ifPresent(
        _ parameters: [Int], _ separator: String, _ pieces: Piece...
      ) -> Term {
        Term(separator: separator, content: .pieces(parameters: parameters, pieces))
      }

      /// The elements of the order with this parameter number, if there are any.
      public static func order(_ separator: String, _ number: Int) -> Term {
        Term(separator: separator, content: .order(number))
      }

      /// The filter with this parameter number, if it is not `nil`.
      public static func filter(_ separator: String, _ number: Int) -> Term {
        Term(separator: separator, content: .filter(number))
      }
    }

    let pieces: [Piece]
    let parameterCount: Int
    let columnCount: Int?
    /// Indicates whether the text contains clauses, so that its numbers depend on the terms present.
    let hasClauses: Bool

    /// - Parameters:
    ///   - pieces: The text, split at the parts that depend on the input.
    ///   - parameterCount: The largest parameter number.
    ///   - columnCount: The number of columns that the result must have; `nil` if any number is
    ///     accepted.
    public init(_ pieces: Piece..., parameterCount: Int, columnCount: Int? = nil) {
      self.pieces = pieces
      self.parameterCount = parameterCount
      self.columnCount = columnCount
      hasClauses = pieces.contains { if case .clause = $0 { true } else { false } }
    }
  }
}

extension Queries {
  /// One execution of a statement with parts that depend on the input: its values, and its text with
  /// a placeholder for each value.
  public struct TemplateExpansion {
    private let template: SQLTemplate
    /// The values by number: first one for each parameter, then the second and later values of each
    /// list.
    private var slots: [any SQLiteBindable]
    /// The text of each list, keyed by the number of the list parameter.
    private var lists: [Int: Fragment] = [:]
    /// The text of each order that is not empty, keyed by the parameter's number.
    private var orders: [Int: String] = [:]
    /// The text of each filter that is not `nil`, keyed by the parameter's number.
    private var filters: [Int: Fragment] = [:]
    /// The conditional parameters that are not `nil`.
    private var present: Set<Int> = []
    /// The largest number that was bound. The text uses it, unless the text contains clauses.
    private var lastNumber = 0

    /// A part of the text that depends on the input.
    private struct Fragment {
      var text: String
      /// The largest number in the text; 0 if it has no values.
      var lastNumber: Int
    }

    public init(_ template: SQLTemplate) {
      self.template = template
      slots = Array(repeating: SQLiteValue.null, count: template.parameterCount)
    }

    /// Sets the value of a parameter, counting from 1.
    public mutating func bind(_ value: some SQLiteBindable, at number: Int) {
      slots[number - 1] = value
      lastNumber = max(lastNumber, number)
    }

    /// Sets the value of a parameter without which terms are absent. Elsewhere, `nil` is NULL.
    public mutating func bind(ifPresent value: (some SQLiteBindable)?, at number: Int) {
      guard let value else { return }
      bind(value, at: number)
      present.insert(number)
    }

    /// Sets the values of a list without which terms are absent. Elsewhere, `nil` is an empty list.
    public mutating func list(ifPresent list: [some SQLiteBindable]?, at number: Int) {
      guard let list else { return }
      self.list(list, at: number)
      present.insert(number)
    }

    /// Sets the values of a list of row values without which terms are absent. Elsewhere, `nil` is an
    /// empty list.
    public mutating func rows(ifPresent rows: [[any SQLiteBindable]]?, at number: Int) {
      guard let rows else { return }
      self.rows(rows, at: number)
      present.insert(number)
    }

    /// Sets the values of a list.
    ///
    /// An empty list is written as `()`. Any other list gets a power of two of placeholders, with
    /// the last value repeated, so that lists of many lengths share a few compiled statements.
    public mutating func list(_ list: [some SQLiteBindable], at number: Int) {
      let placeholders = (0..<Self.roundedUp(list.count)).map { place in
        add(list[min(place, list.count - 1)], isFirst: place == 0, at: number)
      }
      setList("(\(placeholders.joined(separator: ", ")))", placeholders.count, at: number)
    }

    /// Sets the values of a list of row values, as in `(x, y) IN :pairs`.
    ///
    /// The list is written as `()` if it is empty and as `(VALUES (?1, ?2), …)` otherwise. The
    /// number of rows is rounded up as in ``list(_:at:)``.
    public mutating func rows(_ rows: [[any SQLiteBindable]], at number: Int) {
      guard !rows.isEmpty else {
        setList("()", 0, at: number)
        return
      }
      let placeholders = (0..<Self.roundedUp(rows.count)).map { place in
        let row = rows[min(place, rows.count - 1)].enumerated().map { column, value in
          add(value, isFirst: place == 0 && column == 0, at: number)
        }
        return "(\(row.joined(separator: ", ")))"
      }
      setList(
        "(VALUES \(placeholders.joined(separator: ", ")))", placeholders.count * rows[0].count,
        at: number)
    }

    private mutating func setList(_ text: String, _ valueCount: Int, at number: Int) {
      lists[number] = Fragment(
        text: text, lastNumber: valueCount > 1 ? slots.count : valueCount == 1 ? number : 0)
    }

    /// Adds a value of the list parameter `number`, and returns its placeholder.
    private mutating func add(_ value: any SQLiteBindable, isFirst: Bool, at number: Int) -> String
    {
      if isFirst {
        bind(value, at: number)
        return "?\(number)"
      }
      slots.append(value)
      lastNumber = slots.count
      return "?\(slots.count)"
    }

    /// Sets the terms of an order. A second term with the same key is ignored, since rows that it
    /// would order are already ordered or equal.
    public mutating func order<Term: OrderTerm>(_ terms: [Term], at number: Int) {
      var keys: Set<Term.Key> = []
      let distinct = terms.filter { keys.insert($0.key).inserted }
      orders[number] = distinct.isEmpty ? nil : distinct.map(\.sql).joined(separator: ", ")
    }

    /// Sets the condition of a filter, and binds its values.
    public mutating func filter<Columns>(ifPresent filter: Filter<Columns>?, at number: Int) {
      guard let filter else { return }
      let previousCount = slots.count
      let text = filter.sql { value in
        slots.append(value)
        return slots.count
      }
      filters[number] = Fragment(
        text: text, lastNumber: slots.count > previousCount ? slots.count : 0)
    }

    /// The text with a placeholder for each value, and the values in the order of their numbers. A
    /// number that the text does not use is NULL.
    ///
    /// - Complexity: O(*n*) in the length of the text, which is composed each time.
    public var statement: BoundStatement {
      var text = Text()
      write(template.pieces, to: &text)
      return BoundStatement(
        SQL(unsafe: text.sql, columnCount: template.columnCount),
        values: Array(slots.prefix(template.hasClauses ? text.lastNumber : lastNumber)))
    }

    private struct Text {
      var sql = ""
      /// The largest number in the text.
      var lastNumber = 0
    }

    private func write(_ pieces: [SQLTemplate.Piece], to text: inout Text) {
      for piece in pieces {
        switch piece {
        case .text(let part): text.sql += part
        case .list(let number):
          text.sql += lists[number]?.text ?? "()"
          text.lastNumber = max(text.lastNumber, lists[number]?.lastNumber ?? 0)
        case .parameter(let number):
          text.sql += "?\(number)"
          text.lastNumber = max(text.lastNumber, number)
        case .clause(let head, let terms):
          write(head, terms, to: &text)
        }
      }
    }

    private func write(_ head: String, _ terms: [SQLTemplate.Term], to text: inout Text) {
      var isFirst = true
      for term in terms {
        let separator = isFirst ? head : term.separator
        switch term.content {
        case .order(let number):
          guard let order = orders[number] else { continue }
          text.sql += separator + order
        case .filter(let number):
          guard let filter = filters[number] else { continue }
          text.sql += separator + filter.text
          text.lastNumber = max(text.lastNumber, filter.lastNumber)
        case .pieces(let parameters, let pieces):
          guard parameters.allSatisfy(present.contains) else { continue }
          text.sql += separator
          write(pieces, to: &text)
        }
        isFirst = false
      }
    }

    /// Above a thousand values, rounding up could exceed the engine's limit (32,766 by default) too
    /// early.
    private static func roundedUp(_ count: Int) -> Int {
      guard count > 0, count < 1_024 else { return count }
      var power = 1
      while power < count { power *= 2 }
      return power
    }
  }
}

extension Queries {
  /// A query's SQL and bound values for one input, for example to display, explain or run it
  /// elsewhere.
  ///
  /// ```swift
  /// let statement = db.todosOf.statement(for: 3)
  /// let plan = try await db.database.read { try $0.queryPlan(for: statement.sql, values: statement.values) }
  /// ```
  public struct BoundStatement {
    /// The SQL text.
    public let sql: SQL
    /// The values of the parameters, in the order of their numbers.
    public let values: [any SQLiteBindable]

    public init(_ sql: SQL, _ values: any SQLiteBindable...) { self.init(sql, values: values) }

    public init(_ sql: SQL, values: [any SQLiteBindable]) {
      self.sql = sql
      self.values = values
    }
  }
}

extension Queries {
  /// A statement's text with list parameters, such as `WHERE id IN :ids`.
  ///
  /// The number of values in a list is known only when the statement runs, so the list's
  /// placeholders are written then. Every other parameter is written in the text as its number.
  public struct SQLTemplate: Sendable {
    /// A part of the text.
    public enum Piece: Sendable {
      case text(String)
      /// The list parameter with this number.
      case list(Int)
    }

    let pieces: [Piece]
    let parameterCount: Int
    let columnCount: Int?

    /// - Parameters:
    ///   - pieces: The text, split at its list parameters.
    ///   - parameterCount: The largest parameter number.
    ///   - columnCount: The number of columns that the result must have; `nil` if any number is
    ///     accepted.
    public init(_ pieces: Piece..., parameterCount: Int, columnCount: Int? = nil) {
      self.pieces = pieces
      self.parameterCount = parameterCount
      self.columnCount = columnCount
    }
  }
}

extension Queries {
  /// One execution of a statement with list parameters: its values, and its text with a placeholder
  /// for each value.
  public struct TemplateExpansion {
    private let statement: SQLTemplate
    /// The values by number: first one for each parameter, then the second and later values of each
    /// list.
    private var slots: [any SQLiteBindable]
    /// The largest number that appears in the text.
    private var lastNumber = 0
    /// The text of each list, keyed by the number of the list parameter.
    private var lists: [Int: String] = [:]

    public init(_ statement: SQLTemplate) {
      self.statement = statement
      slots = Array(repeating: SQLiteValue.null, count: statement.parameterCount)
    }

    /// Sets the value of a parameter, counting from 1.
    public mutating func bind(_ value: some SQLiteBindable, at number: Int) {
      slots[number - 1] = value
      lastNumber = max(lastNumber, number)
    }

    /// Sets the values of a list.
    ///
    /// An empty list is written as `()`. Any other list gets a power of two of placeholders, with
    /// the last value repeated, so that lists of many lengths share a few compiled statements.
    public mutating func list(_ list: [some SQLiteBindable], at number: Int) {
      let placeholders = (0..<Self.roundedUp(list.count)).map { place in
        add(list[min(place, list.count - 1)], isFirst: place == 0, at: number)
      }
      lists[number] = "(\(placeholders.joined(separator: ", ")))"
    }

    /// Sets the values of a list of row values, as in `(x, y) IN :pairs`.
    ///
    /// The list is written as `()` if it is empty and as `(VALUES (?1, ?2), …)` otherwise. The
    /// number of rows is rounded up as in ``list(_:at:)``.
    public mutating func rows(_ rows: [[any SQLiteBindable]], at number: Int) {
      guard !rows.isEmpty else {
        lists[number] = "()"
        return
      }
      let placeholders = (0..<Self.roundedUp(rows.count)).map { place in
        let row = rows[min(place, rows.count - 1)].enumerated().map { column, value in
          add(value, isFirst: place == 0 && column == 0, at: number)
        }
        return "(\(row.joined(separator: ", ")))"
      }
      lists[number] = "(VALUES \(placeholders.joined(separator: ", ")))"
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

    /// The values, in the order of their numbers. A number that the text does not use is NULL.
    public var values: [any SQLiteBindable] { Array(slots.prefix(lastNumber)) }

    /// The text, with a placeholder for each value.
    public var sql: SQL {
      let pieces = statement.pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .list(let number): lists[number] ?? "()"
        }
      }
      return SQL(unsafe: pieces.joined(), columnCount: statement.columnCount)
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

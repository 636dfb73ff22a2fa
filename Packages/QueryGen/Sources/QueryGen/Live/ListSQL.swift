extension Queries {
  /// The text of a statement with lists in it, such as `WHERE id IN :ids`.
  ///
  /// How many values a list has is known only when the statement runs; its placeholders are written
  /// then. Every other parameter stands in the text by its number.
  public struct ListSQL: Sendable {
    /// A stretch of the text.
    public enum Piece: Sendable {
      case text(String)
      /// The list that is the parameter of this number.
      case list(Int)
    }

    let pieces: [Piece]
    let parameterCount: Int

    /// - Parameters:
    ///   - pieces: The text, cut at its lists.
    ///   - parameterCount: The largest number among the parameters.
    public init(_ pieces: Piece..., parameterCount: Int) {
      self.pieces = pieces
      self.parameterCount = parameterCount
    }
  }
}

extension Queries {
  /// One run of a statement with lists: its values, and the text that has a place for each.
  public struct ListCall {
    private let statement: ListSQL
    /// The values by their numbers: first the parameters', then the lists' from their second value on.
    private var slots: [any SQLiteBindable]
    /// The largest number that the text will say.
    private var lastNumber = 0
    /// The numbers of each list's placeholders, by the list's own number.
    private var placeholders: [Int: [Int]] = [:]

    public init(_ statement: ListSQL) {
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
    /// An empty list is written `()`, in which no value is. Others get a power of two of placeholders,
    /// the last value repeated, so that lists of many lengths share few compiled statements.
    public mutating func list(_ list: [some SQLiteBindable], at number: Int) {
      guard let first = list.first, let last = list.last else {
        placeholders[number] = []
        return
      }
      bind(first, at: number)
      var numbers = [number]
      for place in 1..<max(1, Self.roundedUp(list.count)) {
        slots.append(place < list.count ? list[place] : last)
        numbers.append(slots.count)
      }
      if numbers.count > 1 { lastNumber = slots.count }
      placeholders[number] = numbers
    }

    /// The values, in the order of their numbers; a number that the text does not say is NULL.
    public var values: [any SQLiteBindable] { Array(slots.prefix(lastNumber)) }

    /// The text, with a placeholder for each value.
    public var sql: SQL {
      let pieces = statement.pieces.map { piece in
        switch piece {
        case .text(let text): text
        case .list(let number):
          "(\((placeholders[number] ?? []).map { "?\($0)" }.joined(separator: ", ")))"
        }
      }
      return SQL(unsafe: pieces.joined())
    }

    /// Past a thousand values, rounding up could pass the engine's limit, 32,766 by default, too early.
    private static func roundedUp(_ count: Int) -> Int {
      guard count < 1_024 else { return count }
      var power = 1
      while power < count { power *= 2 }
      return power
    }
  }
}

extension Queries {
  /// What a query is to SQLite, for one input: for who shows it, explains it, or has it run by someone else.
  ///
  /// ```swift
  /// let statement = db.todosOf.statement(for: 3)
  /// let plan = try await db.database.read { try $0.queryPlan(for: statement.sql, values: statement.values) }
  /// ```
  public struct BoundStatement {
    /// The text.
    public let sql: SQL
    /// The values of its parameters, by their numbers.
    public let values: [any SQLiteBindable]

    public init(_ sql: SQL, _ values: any SQLiteBindable...) { self.init(sql, values: values) }

    public init(_ sql: SQL, values: [any SQLiteBindable]) {
      self.sql = sql
      self.values = values
    }
  }
}

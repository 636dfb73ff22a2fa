/// The plan by which SQLite runs a statement: the result of `EXPLAIN QUERY PLAN` as a tree.
///
/// The texts are SQLite's, for human readers, and differ between its releases.
public struct QueryPlan: Hashable, Sendable {
  /// The top-level steps, in order.
  public let steps: [Step]

  /// A step with its substeps.
  public struct Step: Hashable, Sendable {
    /// SQLite's identifier of the step, unique in the plan.
    public let id: Int
    /// The description of the step, such as `SCAN book`.
    public let detail: String
    /// The substeps, in order.
    public let children: [Step]
  }

  /// The details of all steps, in depth-first order.
  public var details: [String] { steps.flatMap(\.details) }

  /// Builds the tree from rows that contain the identifiers of their parents.
  init(rows: [(id: Int, parent: Int, detail: String)]) {
    let ids = Set(rows.map(\.id))
    var children: [Int: [(id: Int, parent: Int, detail: String)]] = [:]
    // Parents precede their children. Rows with an unknown parent are added at the top level.
    for row in rows { children[ids.contains(row.parent) ? row.parent : 0, default: []].append(row) }
    func steps(of parent: Int) -> [Step] {
      (children.removeValue(forKey: parent) ?? []).map {
        Step(id: $0.id, detail: $0.detail, children: steps(of: $0.id))
      }
    }
    self.steps = steps(of: 0)
  }
}

extension QueryPlan.Step {
  fileprivate var details: [String] { [detail] + children.flatMap(\.details) }

  fileprivate func lines(_ indent: String, isLast: Bool) -> [String] {
    let inner = indent + (isLast ? "   " : "|  ")
    return ["\(indent)\(isLast ? "`" : "|")--\(detail)"]
      + QueryPlan.lines(of: children, indent: inner)
  }
}

extension QueryPlan: CustomStringConvertible {
  /// The tree in the format of SQLite's shell.
  public var description: String {
    (["QUERY PLAN"] + Self.lines(of: steps, indent: "")).joined(separator: "\n")
  }

  fileprivate static func lines(of steps: [Step], indent: String) -> [String] {
    steps.enumerated().flatMap { index, step in
      step.lines(indent, isLast: index == steps.count - 1)
    }
  }
}

extension QueryPlan {
  /// An instruction of SQLite's virtual machine, as shown by `EXPLAIN`.
  public struct Instruction: Hashable, Sendable {
    /// The address in the program, counted from 0.
    public let address: Int
    /// The opcode, such as `OpenRead`.
    public let opcode: String
    /// The first operand.
    public let p1: Int
    /// The second operand, often a jump target.
    public let p2: Int
    /// The third operand.
    public let p3: Int
    /// The fourth operand, as text.
    public let p4: String?
    /// The flags.
    public let p5: Int
    /// SQLite's comment, which only some builds provide.
    public let comment: String?
  }
}

extension Connection {
  /// Returns the query plan of a statement, without running it.
  ///
  /// ```swift
  /// print(try connection.queryPlan(for: "SELECT * FROM book WHERE title = ?", "Emma"))
  /// // QUERY PLAN
  /// // `--SEARCH book USING INDEX book_title (title=?)
  /// ```
  ///
  /// - Parameters:
  ///   - sql: A single statement.
  ///   - values: The values of the parameters, on which a plan can depend; or no values.
  /// - Throws: The errors of preparing the statement and binding its values.
  public func queryPlan<each Value: SQLiteBindable>(
    for sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> QueryPlan {
    var list: [any SQLiteBindable] = []
    for value in repeat each values { list.append(value) }
    return try queryPlan(for: sql, values: list)
  }

  /// Returns the query plan of a statement, with parameter values as an array.
  ///
  /// - Throws: The errors of preparing the statement and binding its values.
  public func queryPlan(
    for sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> QueryPlan {
    var rows: [(id: Int, parent: Int, detail: String)] = []
    try explain("EXPLAIN QUERY PLAN ", sql, values) { (row) throws(SQLiteError) in
      rows.append(
        (
          id: try row.read(at: 0), parent: try row.read(at: 1),
          detail: try row.read(String?.self, at: 3) ?? ""
        ))
    }
    return QueryPlan(rows: rows)
  }

  /// Returns a statement's program for SQLite's virtual machine, without running it.
  ///
  /// The instructions differ between SQLite's releases.
  ///
  /// - Throws: The errors of preparing the statement and binding its values.
  public func bytecode(
    for sql: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> [QueryPlan.Instruction] {
    var program: [QueryPlan.Instruction] = []
    try explain("EXPLAIN ", sql, values) { (row) throws(SQLiteError) in
      program.append(
        QueryPlan.Instruction(
          address: try row.read(at: 0), opcode: try row.read(at: 1), p1: try row.read(at: 2),
          p2: try row.read(at: 3), p3: try row.read(at: 4), p4: row[5].text,
          p5: try row.read(at: 6), comment: row[7].text))
    }
    return program
  }

  private func explain(
    _ prefix: String, _ sql: SQL, _ values: [any SQLiteBindable],
    _ body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let (sql, values) = try sql.resolved(with: values)
    do throws(SQLiteError) {
      let statement = try prepare(SQL(unsafe: prefix + sql))
      if !values.isEmpty { try statement.bindAll(values) }
      while try statement.step() { try body(statement.row) }
    } catch {
      // Offsets refer to the caller's SQL, without the prefix.
      let offset = error.offset.map {
        SQLiteError.ByteOffset(rawValue: $0.rawValue - prefix.utf8.count)
      }
      throw SQLiteError(
        code: error.code, message: error.message, sql: sql,
        offset: offset.flatMap { $0.rawValue < 0 ? nil : $0 }, column: error.column)
    }
  }
}

extension SQLiteValue {
  /// The text, or `nil` for a value of another type.
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// How SQLite means to run a statement: what `EXPLAIN QUERY PLAN` says, as a tree.
///
/// The words are SQLite's, for people: they differ between its releases.
public struct QueryPlan: Hashable, Sendable {
  /// The steps at the top, in their order.
  public let steps: [Step]

  /// A step, and the steps that it is made of.
  public struct Step: Hashable, Sendable {
    /// SQLite's number for it, which no other step of the plan has.
    public let id: Int
    /// What is done: `SCAN book`, say.
    public let detail: String
    /// The steps that it is made of, in their order.
    public let children: [Step]
  }

  /// The details of all steps, from the top down.
  public var details: [String] { steps.flatMap(\.details) }

  /// Makes a tree of rows that each name their parent.
  init(rows: [(id: Int, parent: Int, detail: String)]) {
    let ids = Set(rows.map(\.id))
    var children: [Int: [(id: Int, parent: Int, detail: String)]] = [:]
    // A parent comes before its children; what names another is put at the top.
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
  /// The tree as SQLite's shell draws it.
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
  /// An instruction of SQLite's machine, as `EXPLAIN` shows it.
  public struct Instruction: Hashable, Sendable {
    /// Its place in the program, counting from 0.
    public let address: Int
    /// What it does: `OpenRead`, say.
    public let opcode: String
    /// Its first operand.
    public let p1: Int
    /// Its second operand: where it jumps to, mostly.
    public let p2: Int
    /// Its third operand.
    public let p3: Int
    /// Its fourth operand, as SQLite writes it.
    public let p4: String?
    /// Its flags.
    public let p5: Int
    /// SQLite's remark, which only some builds make.
    public let comment: String?
  }
}

extension Connection {
  /// How SQLite means to run a statement, which is not run.
  ///
  /// ```swift
  /// print(try connection.queryPlan(for: "SELECT * FROM book WHERE title = ?", "Emma"))
  /// // QUERY PLAN
  /// // `--SEARCH book USING INDEX book_title (title=?)
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: The values of its parameters, which a plan may depend on; or none at all.
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
  public func queryPlan<each Value: SQLiteBindable>(
    for sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> QueryPlan {
    var list: [any SQLiteBindable] = []
    for value in repeat each values { list.append(value) }
    return try queryPlan(for: sql, values: list)
  }

  /// How SQLite means to run a statement, with as many values as a list holds.
  ///
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
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

  /// The program that SQLite's machine would run for a statement, which is not run.
  ///
  /// The instructions differ between SQLite's releases.
  ///
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
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
      // The caller wrote what follows the prefix.
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
  /// The text, where it is one.
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

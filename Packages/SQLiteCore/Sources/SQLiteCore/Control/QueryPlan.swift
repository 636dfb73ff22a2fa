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

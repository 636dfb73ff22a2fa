/// A statement's plan.
public struct StatementPlan: Hashable, Sendable {
  /// The parts that the input chooses, such as `name, sort = best`; empty if there are none.
  public var combination: String
  public var tree: PlanTree

  public init(combination: String, tree: PlanTree) {
    self.combination = combination
    self.tree = tree
  }
}

/// The rows of `EXPLAIN QUERY PLAN` as a tree.
public struct PlanTree: Hashable, Sendable {
  /// The top-level steps, in order.
  public var steps: [Step]

  /// A step with its substeps.
  public struct Step: Hashable, Sendable {
    /// SQLite's description, such as `SCAN book`.
    public var detail: String
    public var children: [Step]

    public init(_ detail: String, _ children: [Step] = []) {
      self.detail = detail
      self.children = children
    }
  }

  public init(_ steps: [Step]) { self.steps = steps }
}

extension PlanTree {
  /// The plan on one line, with substeps in braces: `CO-ROUTINE x {SCAN book}; SCAN x`.
  public var line: String { Self.line(of: steps) }

  private static func line(of steps: [Step]) -> String {
    steps.map { step in
      let detail = step.detail.escaped(PlanTree.marks)
      return step.children.isEmpty ? detail : "\(detail) {\(line(of: step.children))}"
    }.joined(separator: "; ")
  }

  fileprivate static let marks: Set<Character> = [";", "{", "}"]

  /// Creates a plan from its ``line``; `nil` if the braces don't match.
  public init?(line: String) {
    var rest = line[...]
    guard let steps = Self.steps(&rest), rest.isEmpty else { return nil }
    self.init(steps)
  }

  /// Reads steps up to the end or a `}`.
  private static func steps(_ rest: inout Substring) -> [Step]? {
    var steps: [Step] = []
    while true {
      rest = rest.drop { $0 == " " }
      guard let first = rest.first, first != "}" else { return steps }
      var step = Step(rest.readEscaped(until: marks))
      if rest.first == "{" {
        while step.detail.last == " " { step.detail.removeLast() }
        rest.removeFirst()
        guard let children = Self.steps(&rest), rest.popFirst() == "}" else { return nil }
        step.children = children
      }
      steps.append(step)
      if rest.first == ";" {
        rest.removeFirst()
      } else if let next = rest.first, next != "}" {
        return nil
      }
    }
  }

  /// The plan as lines with a tree's branches, like those of SQLite's shell.
  public var text: String { Self.lines(of: steps, indent: "").joined(separator: "\n") }

  private static func lines(of steps: [Step], indent: String) -> [String] {
    steps.enumerated().flatMap { index, step in
      let isLast = index == steps.count - 1
      return ["\(indent)\(isLast ? "`" : "|")--\(step.detail)"]
        + lines(of: step.children, indent: indent + (isLast ? "   " : "|  "))
    }
  }
}

extension String {
  /// The text on one line, with a backslash before each of the given characters.
  func escaped(_ marks: Set<Character>) -> String {
    var text = ""
    for character in self {
      if character.isNewline {
        text += "\\n"
      } else {
        if character == "\\" || marks.contains(character) { text += "\\" }
        text.append(character)
      }
    }
    return text
  }
}

extension Substring {
  /// Removes and returns the text before the first of the given characters without a backslash.
  mutating func readEscaped(until marks: Set<Character>) -> String {
    var text = ""
    while let character = first, !marks.contains(character) {
      removeFirst()
      guard character == "\\", let escaped = popFirst() else {
        text.append(character)
        continue
      }
      text.append(escaped == "n" ? "\n" : escaped)
    }
    return text
  }
}

internal import SQLSyntax

/// The plans of a project's queries, so that changed plans are noticed: `plans.lock`.
///
/// The first line names SQLite's release. Each other line contains a query's name, the combination
/// of the parts that its input chooses, and the plan.
public struct PlanLock: Sendable {
  /// The name of the file, in the project's folder.
  public static let fileName = "plans.lock"
  private static let header =
    "# Plans of queries, to review their changes. Written by querygen check --plans --lock.\n"

  /// A plan of a query.
  struct Entry: Hashable, Sendable {
    var query: String
    var combination: String
    var tree: PlanTree
  }

  /// SQLite's release.
  private(set) var release = ""
  private(set) var entries: [Entry] = []
  /// The plans by query and combination.
  private(set) var plans: [String: [String: PlanTree]] = [:]

  /// Creates a lock of plans, sorted by query. The combinations of a query keep their order.
  init(release: String, _ queries: [(name: String, plans: [StatementPlan])]) {
    self.release = release
    for query in queries.sorted(by: { $0.name < $1.name }) {
      for plan in query.plans {
        add(Entry(query: query.name, combination: plan.combination, tree: plan.tree))
      }
    }
  }

  /// Reads a lock, and reports malformed lines.
  init(_ file: inout InputFile) {
    guard file.isText else { return }
    let table = file.source.lineTable()
    for number in 1...table.lineCount {
      guard let whole = table.span(ofLine: number) else { continue }
      let text = file.source[whole].filter { $0 != "\n" }
      if text.allSatisfy({ $0 == " " }) || text.hasPrefix("#") { continue }
      if release.isEmpty, text.hasPrefix("SQLite ") {
        release = String(text.dropFirst(7))
      } else if let entry = Entry(text) {
        add(entry)
      } else {
        let span = ByteSpan(whole.start, whole.start.advanced(by: text.utf8.count))
        file.diagnostics.append(
          Diagnostic(
            .malformedLock, at: span,
            "expected a query's name, a colon and a plan; run querygen check --plans --lock"))
      }
    }
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    plans[entry.query, default: [:]][entry.combination] = entry.tree
  }

  /// The contents of the lock's file.
  var text: String {
    Self.header + "SQLite \(release)\n" + entries.map { $0.line + "\n" }.joined()
  }
}

extension PlanLock.Entry {
  private static let marks: Set<Character> = [":", "[", "]"]

  fileprivate var line: String {
    var text = query.escaped(Self.marks)
    if !combination.isEmpty { text += " [\(combination.escaped(Self.marks))]" }
    return tree.steps.isEmpty ? text + ":" : "\(text): \(tree.line)"
  }

  /// Reads a line.
  fileprivate init?(_ line: String) {
    var rest = line[...]
    query = rest.readEscaped(until: Self.marks)
    combination = ""
    if rest.first == "[" {
      guard query.last == " " else { return nil }
      query.removeLast()
      rest.removeFirst()
      combination = rest.readEscaped(until: Self.marks)
      guard rest.popFirst() == "]" else { return nil }
    }
    guard !query.isEmpty, rest.popFirst() == ":", let tree = PlanTree(line: String(rest)) else {
      return nil
    }
    self.tree = tree
  }
}

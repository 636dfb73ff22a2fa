internal import SQLiteCore

/// A step of a plan that can be slow for many rows.
struct PlanEvent {
  enum Kind {
    /// All rows are read; repeatedly in an inner loop and in a correlated subquery.
    case scan(PlanNode.Access, isRepeated: Bool)
    case automaticIndex(PlanNode.Access)
    /// Some rows are read in an inner loop.
    case search(PlanNode.Access)
    /// `ORDER BY`, `GROUP BY` or `DISTINCT`
    case sort(String)
  }

  var kind: Kind
  /// The labels of all loops of the same select.
  var labels: [String]
  /// The labels of the enclosing loops of the same select that may return several rows.
  var outer: [String]
  /// Indicates whether the rows of the select are sorted, or grouped, in a temporary B-tree.
  var isSorted: Bool

  /// Returns the events of a plan in order.
  ///
  /// - Parameter isSingle: Returns whether a search finds at most one row.
  static func events(
    _ nodes: [PlanNode], isSingle: (PlanNode.Access) -> Bool
  ) -> [PlanEvent] {
    events(nodes, isRepeated: false, isSingle)
  }

  private static func events(
    _ nodes: [PlanNode], isRepeated: Bool, _ isSingle: (PlanNode.Access) -> Bool
  ) -> [PlanEvent] {
    let labels = nodes.compactMap(\.label)
    let isSorted = nodes.contains { if case .sort = $0.kind { true } else { false } }
    var outer: [String] = []
    func event(_ kind: Kind) -> PlanEvent {
      PlanEvent(kind: kind, labels: labels, outer: outer, isSorted: isSorted)
    }
    var isRepeated = isRepeated
    var found: [PlanEvent] = []
    for node in nodes {
      switch node.kind {
      case .access(let access):
        if access.path == .automatic {
          found.append(event(.automaticIndex(access)))
        } else if !access.isSearch, !access.isVirtual {
          found.append(event(.scan(access, isRepeated: isRepeated)))
        } else if !access.isVirtual, !outer.isEmpty, !isSingle(access) {
          found.append(event(.search(access)))
        }
        if !isSingle(access) {
          isRepeated = true
          outer.append(access.label)
        }
      case .sort(let term): found.append(event(.sort(term)))
      case .alternatives:
        isRepeated = true
        if let label = node.label { outer.append(label) }
      case .correlated:
        found += events(node.children, isRepeated: true, isSingle)
      case .nested:
        found += events(node.children, isRepeated: false, isSingle)
      }
    }
    return found
  }

  /// A number that is greater for worse plans.
  static func cost(of events: [PlanEvent]) -> Int {
    events.reduce(0) { $0 + $1.cost }
  }

  private var cost: Int {
    switch kind {
    case .scan(let access, let isRepeated):
      let cost = access.isCovering ? 60 : access.path == .table ? 100 : 90
      return isRepeated ? cost * 10 : cost
    case .automaticIndex: return 500
    case .search: return 0
    case .sort(let term): return Self.isPartial(term) ? 10 : 30
    }
  }

  /// Returns whether only rows with equal first terms are sorted.
  static func isPartial(_ term: String) -> Bool {
    term.hasPrefix("LAST ") || term.hasPrefix("RIGHT PART")
  }
}

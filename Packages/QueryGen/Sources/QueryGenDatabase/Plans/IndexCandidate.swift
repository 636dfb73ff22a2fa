internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
internal import SQLiteCore

/// The terms of an index that may improve a plan.
struct IndexCandidate: Hashable {
  struct Key: Hashable {
    /// The column's lowercase name; `nil` for an expression.
    var column: String?
    /// The term as SQL.
    var sql: String
    /// The term in the index's name.
    var word: String
  }

  var keys: [Key]

  /// Creates a candidate without the rowid, which every index ends with, and without repetitions.
  init(_ keys: [Key], of table: TableSchema) {
    var seen: Set<String> = []
    self.keys = keys.filter { key in
      if let column = key.column {
        return !table.isRowIDColumn(column) && seen.insert(column).inserted
      }
      return seen.insert(key.sql).inserted
    }
  }
}

extension IndexCandidate.Key {
  init?(_ column: String, of table: TableSchema, suffix: String = "") {
    guard let found = table.column(named: column) else { return nil }
    self.init(
      column: column, sql: found.name.nameInSQL + suffix, word: found.name)
  }

  /// Creates the term of an expression.
  init(expression: String) {
    let words = expression.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    self.init(column: nil, sql: expression, word: words.joined(separator: "_"))
  }
}

extension PlanCheck {
  /// Creates each index, and returns the one with which the plan is best; `nil` if none is better
  /// than the current plan.
  func proposal(_ candidates: [IndexCandidate], on table: TableSchema) -> IndexProposal? {
    var best: IndexProposal?
    var bestCost = PlanEvent.cost(of: events)
    var tried: Set<IndexCandidate> = []
    for candidate in candidates where !candidate.keys.isEmpty && tried.insert(candidate).inserted {
      let name = objects.indexName(table, candidate.keys.map(\.word))
      let terms = candidate.keys.map(\.sql).joined(separator: ", ")
      let sql = "CREATE INDEX \(name.nameInSQL) ON \(table.name.name.nameInSQL) (\(terms))"
      guard let nodes = try? statement.plan(withIndex: sql),
        nodes.flatMap(\.accesses).contains(where: { $0.indexName == name.asciiLowercased })
      else { continue }
      let cost = PlanEvent.cost(of: Self.events(of: nodes, facts, objects))
      guard cost < bestCost else { continue }
      bestCost = cost
      best = IndexProposal(name: name, sql: sql)
    }
    return best
  }
}

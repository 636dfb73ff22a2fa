import Observe
import Primitives
import QueryGen
import SQLiteCore

/// Observes a query while rows change, and prints the changes and the new results.
struct CommitWatcher {
  let db: DB
  let database: Database
  let report: Report

  /// A change and its source code.
  private struct Step {
    let title: String
    let run: () async throws -> Void
  }

  private var steps: [Step] {
    [
      Step(title: "recordVisit(\"JP\", \"cherry blossom\")") {
        _ = try await db.recordVisit.execute(country: "JP", note: "cherry blossom")
      },
      Step(title: "recordVisit(\"IS\", nil)") {
        _ = try await db.recordVisit.execute(country: "IS", note: nil)
      },
      Step(title: "recordVisit(\"JP\", nil)   the row exists: its count increases") {
        _ = try await db.recordVisit.execute(country: "JP", note: nil)
      },
      Step(title: "annotateVisit(\"IS\", \"geysers, and no trees\")") {
        try await db.annotateVisit.execute(note: "geysers, and no trees", country: "IS")
      },
    ]
  }

  func run() async throws {
    report.question(
      "How does the list of visits change when visits are recorded?", "Visits.sql: visits")
    try await db.forgetVisits.execute()
    try await database.startObserving()
    var changes = database.changes(in: .table("visit")).makeAsyncIterator()
    var lists = db.visits.observe().makeAsyncIterator()
    show(try await lists.next() ?? [])
    for step in steps {
      try await step.run()
      report.line()
      report.line("→ \(step.title)")
      if let change = try await changes.next() { report.line("changed: \(change)") }
      if let list = try await lists.next() { show(list) }
    }
  }

  private func show(_ visits: [VisitsRow]) {
    guard !visits.isEmpty else { return report.line("no visits yet") }
    var table = TextTable([.left("Country"), .right("Times"), .left("Note")])
    for visit in visits {
      table.add(["\(visit.flag) \(visit.displayName)", "\(visit.times)", visit.note ?? "–"])
    }
    report.table(table)
  }
}

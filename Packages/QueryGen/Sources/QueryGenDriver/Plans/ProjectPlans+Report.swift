internal import Primitives
internal import QueryModel
public import SQLSyntax

/// The diagnostics of a project's plans.
public struct PlanReport: Sendable {
  /// The diagnostics by path.
  public var diagnostics: [String: [Diagnostic]] = [:]
  /// The indexes that improve a plan, by the diagnostic about it.
  public var indexes: [Diagnostic: IndexProposal] = [:]
  /// Remarks about the run as a whole.
  public var notes: [String] = []

  public init() {}
}

extension ProjectPlans {
  /// Returns the diagnostics for the plans that are known so far.
  public func report(_ project: PlanProject) -> PlanReport {
    var report = PlanReport()
    if let failure {
      let migration = failure.migration.map { project.migrationFiles[$0].path }
      let reason = migration == nil ? "prepare the plans" : "run this migration"
      if let path = migration ?? project.configurationPath {
        report.diagnostics[path] = [
          Diagnostic(
            .unknownPlan, severity: .warning, at: ByteSpan(0..<0),
            "no plans are known, since SQLite \(release) can't \(reason): \(failure.message)")
        ]
      }
      return report
    }
    for file in project.queryFiles {
      report.diagnostics[file.path] = diagnostics(of: file, project, &report.indexes)
    }
    addSchema(project, &report)
    addNotes(project, &report)
    return report
  }

  // MARK: Queries

  /// Returns the diagnostics of a query file, as far as the plans of its queries are known.
  func diagnostics(
    of file: PlanProject.File, _ project: PlanProject, _ indexes: inout [Diagnostic: IndexProposal]
  ) -> [Diagnostic] {
    let lock = project.lock
    let comments = PlanAllowances(file.source)
    var found: [Diagnostic] = []
    var end = ByteOffset(0)
    for entry in file.statements {
      defer { end = entry.span.end }
      guard let query = entry.query else { continue }
      var allowances = comments.allowances(from: end, to: query.query.statement.span.start)
      let name = query.query.name
      let result = result(of: query)
      if let failure = result?.failure {
        found.append(
          Diagnostic(
            .unknownPlan, severity: .warning, at: name.span,
            "no plan is known, since SQLite \(release) can't prepare this statement: \(failure)"))
      }
      for finding in result?.findings ?? []
      where !allowances.allow(finding.rule)
        && !project.settings.allows(finding.rule, for: name.text)
      {
        let diagnostic = finding.diagnostic(at: name.span, project)
        indexes[diagnostic] = finding.index
        found.append(diagnostic)
      }
      found += comments.problems(
        allowances, isComplete: result != nil && result?.failure == nil)
      if let lock, lock.release == release {
        found += differences(of: result, name.text, from: lock).map {
          changedPlan($0.plan, from: $0.locked, at: name.span)
        }
      }
    }
    return found
  }

  /// Returns the plans of a query that differ from those in a lock.
  private func differences(
    of result: PlannedQuery?, _ name: String, from lock: PlanLock
  ) -> [(plan: StatementPlan, locked: PlanTree)] {
    guard let result, let locked = lock.plans[name] else { return [] }
    return result.plans.compactMap { plan in
      guard let tree = locked[plan.combination], tree != plan.tree else { return nil }
      return (plan, tree)
    }
  }

  private func changedPlan(
    _ plan: StatementPlan, from locked: PlanTree, at span: ByteSpan
  ) -> Diagnostic {
    Diagnostic(
      .changedPlan, severity: .warning, at: span,
      "the plan\(plan.combinationWords) differs from the one in \(PlanLock.fileName)",
      notes: [
        Diagnostic.Note("the plan in \(PlanLock.fileName):\n\(locked.text)"),
        Diagnostic.Note("the plan now:\n\(plan.tree.text)"),
      ])
  }

  private func addNotes(_ project: PlanProject, _ report: inout PlanReport) {
    guard let lock = project.lock, !release.isEmpty, lock.release != release else { return }
    let count = queries.reduce(0) {
      $0 + differences(of: result(of: $1), $1.definition.name, from: lock).count
    }
    let words = count == 1 ? "1 plan differs" : "\(count) plans differ"
    report.notes.append(
      "\(PlanLock.fileName) was written with SQLite \(lock.release), but this is SQLite "
        + "\(release): \(words)")
  }

  // MARK: Schema

  private func addSchema(_ project: PlanProject, _ report: inout PlanReport) {
    let placed = (schemaFindings ?? []).compactMap { found in
      project.definitions.place(of: found.subject).map { place in
        (place: place, finding: project.placed(found, at: place))
      }
    }
    for file in project.migrationFiles {
      let comments = PlanAllowances(file.source)
      var found: [Diagnostic] = []
      var end = ByteOffset(0)
      for entry in file.statements {
        var allowances = comments.allowances(from: end, to: entry.span.start)
        end = entry.span.end
        for (place, finding) in placed
        where place.path == file.path && entry.span.start <= place.span.start
          && place.span.end <= entry.span.end
        {
          guard !allowances.allow(finding.rule),
            !project.settings.allows(finding.rule, for: nil)
          else { continue }
          let diagnostic = finding.diagnostic(at: place.name, project)
          report.indexes[diagnostic] = finding.index
          found.append(diagnostic)
        }
        found += comments.problems(allowances, isComplete: schemaFindings != nil)
      }
      if !found.isEmpty { report.diagnostics[file.path, default: []] += found }
    }
  }
}

extension StatementPlan {
  /// The combination after a noun: ` with "name, sort = best"`; empty if there is only one plan.
  fileprivate var combinationWords: String { combination.isEmpty ? "" : " with \"\(combination)\"" }
}

extension [PlanAllowances.Allowance] {
  /// Returns whether a rule is allowed, and records that the allowance is needed.
  fileprivate mutating func allow(_ rule: PlanRule) -> Bool {
    guard let index = firstIndex(where: { $0.rule == rule }) else { return false }
    self[index].isNeeded = true
    return true
  }
}

extension PlanFinding {
  fileprivate func diagnostic(at name: ByteSpan, _ project: PlanProject) -> Diagnostic {
    var lines = notes
    if let view, let place = project.definitions.object(view),
      let line = project.line(of: place)
    {
      lines.append("in the view `\(view)`, which is defined in \(place.path), line \(line)")
    }
    if let index { lines.append("this index improves the plan: \(index.sql)") }
    return Diagnostic(
      rule.identity, severity: .warning, at: span ?? name, message,
      notes: lines.map { Diagnostic.Note($0) })
  }
}

extension DefinitionLog {
  /// Returns the place that defines an object of the schema.
  fileprivate func place(of subject: SchemaFinding.Subject) -> Place? {
    switch subject {
    case .index(let name): object(name)
    case .trigger(let name, _): triggers[name.asciiLowercased]?.definition
    case .foreignKey(let table, let columns):
      columns.first.flatMap { column($0, of: table)?.definition } ?? object(table)
    }
  }
}

public import QueryGenDriver
internal import SQLSyntax

/// The plans of a project's queries, which are determined after everything else.
extension LanguageProject {
  /// Updates the queries whose plans are determined, after the project was analyzed.
  ///
  /// - Returns: A schema if it has changed, so that a new session is required.
  public mutating func updatePlans() -> PlanSchema? {
    guard isFinished, needsPlanUpdate, !isSingleFile else { return nil }
    needsPlanUpdate = false
    guard !compilation.scripts.contains(where: \.diagnostics.hasErrors),
      compilation.failures.allSatisfy(\.isWarning)
    else {
      // The plans are kept, but their places may be wrong.
      planProject = nil
      planReport = PlanReport()
      return nil
    }
    let project = PlanProject(
      compilation, input, &parsing, schemaFingerprint: schemaFingerprint)
    planProject = project
    let isNew = plans.update(project)
    planReport = plans.report(project)
    return isNew ? project.schema : nil
  }

  /// Determines the plans of the next query.
  ///
  /// - Returns: Whether there is more to do.
  public mutating func planStep(_ session: any PlanSession) -> Bool {
    guard planProject != nil, !plans.isFinished else { return false }
    return plans.step(session)
  }

  /// Updates the diagnostics of plans that are known now.
  public mutating func reportPlans() {
    guard let planProject, !needsPlanUpdate else { return }
    planReport = plans.report(planProject)
  }

  /// Determines all plans.
  public mutating func finishPlans(
    _ session: inout (any PlanSession)?, _ makeSession: PlanSessionMaker
  ) {
    if let schema = updatePlans() { session = makeSession(schema) }
    guard let session else { return }
    while planStep(session) {}
    reportPlans()
  }

  /// Returns the diagnostics of plans of a file. Those of unchanged queries are known immediately
  /// after an edit.
  func planDiagnostics(of path: String) -> [Diagnostic] {
    guard let planProject, let source = file(path)?.source else { return [] }
    switch kind(of: path) {
    case .queries(let index) where !planProject.contains(path, source):
      guard compilation.isAnalyzed(index) else { return [] }
      var parsing = parsing
      return plans.diagnostics(ofQueriesAt: index, compilation, planProject, &parsing)
    case .migration where !planProject.contains(path, source): return []
    default: return planReport.diagnostics[path] ?? []
    }
  }

  /// Returns the plans of a query; `nil` if they are not known yet.
  public func plans(of query: String, in path: String) -> [StatementPlan]? {
    guard let planProject, let source = file(path)?.source, planProject.contains(path, source)
    else { return nil }
    return plans.plans(of: query, in: path)
  }
}

/// A plan in an editor.
extension LanguageProject {
  /// Returns the plans of a query as text; `nil` if they are not known.
  public func planText(of query: String, in path: String) -> String? {
    guard let plans = plans(of: query, in: path) else { return nil }
    return plans.map { plan in
      let heading = plan.combination.isEmpty ? "" : "With \"\(plan.combination)\":\n"
      return heading + (plan.tree.steps.isEmpty ? "no steps" : plan.tree.text)
    }.joined(separator: "\n\n")
  }
}

public import QueryGenDriver
internal import SQLSyntax

/// The plans of a project's queries, which are determined after everything else.
extension LanguageProject {
  /// Adds the queries of the next file to those whose plans are determined, or determines the plans
  /// of the next query, after the project was analyzed.
  ///
  /// - Parameters:
  ///   - session: The session of the project, which is replaced if the schema has changed.
  ///   - makeSession: Creates a session.
  /// - Returns: Whether there is more to do.
  public mutating func planStep(
    _ session: inout (any PlanSession)?, _ makeSession: PlanSessionMaker
  ) -> Bool {
    guard isFinished, !isSingleFile else { return false }
    if needsPlanUpdate {
      updatePlans(&session, makeSession)
      return true
    }
    guard planProject != nil, let session, !plans.isFinished else { return false }
    return plans.step(session)
  }

  /// Adds the next file to the next ``planProject``, or begins or completes it.
  private mutating func updatePlans(
    _ session: inout (any PlanSession)?, _ makeSession: PlanSessionMaker
  ) {
    let compilation = compilation
    guard nextPlanProject != nil else {
      guard !compilation.scripts.contains(where: \.diagnostics.hasErrors),
        compilation.failures.allSatisfy(\.isWarning)
      else {
        // The plans are kept, but their places may be wrong.
        needsPlanUpdate = false
        planProject = nil
        planReport = PlanReport()
        return
      }
      nextPlanProject = PlanProject(compilation, input, schemaFingerprint: schemaFingerprint)
      return
    }
    guard nextPlanProject?.addFile(compilation, &parsing) == false, let project = nextPlanProject
    else { return }
    needsPlanUpdate = false
    nextPlanProject = nil
    planProject = project
    if plans.update(project) { session = makeSession(project.schema) }
    planReport = plans.report(project)
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
    while planStep(&session, makeSession) {}
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

internal import LSPWire
internal import QueryGenDriver
internal import QueryGenLanguage

/// The state of the work on plans, which follows all other work.
enum PlanWork {
  case none
  /// The work begins if no document changes for a moment.
  case scheduled
  case running

  var delay: Duration? {
    switch self {
    case .none: nil
    case .scheduled: .milliseconds(100)
    case .running: .zero
    }
  }
}

/// The plans of queries.
extension LanguageServer {
  /// The command of code lenses that shows a plan. Its arguments are a document's URI and a query.
  static let showPlan = "querygen.showPlan"

  /// Begins the work on plans, if it is scheduled.
  mutating func startPlans() {
    guard planWork == .scheduled else { return }
    planSessions = planSessions.filter { host.projects[$0.key] != nil }
    planWork = .running
  }

  /// Determines some plans. Sends their diagnostics when all are known.
  mutating func workOnPlans() {
    guard let makePlanSession else {
      planWork = .none
      return
    }
    let roots = host.projects.keys.sorted()
    for root in roots {
      var session = planSessions[root]
      let isUnfinished = host.withProject(at: root) { $0.planStep(&session, makePlanSession) }
      planSessions[root] = session
      if isUnfinished == true { return }
    }
    planWork = .none
    for root in roots { _ = host.withProject(at: root) { $0.reportPlans() } }
    schedulePublication()
    if client.refreshesCodeLenses { request("workspace/codeLens/refresh", JSONValue.null) }
  }

  /// Runs a command of the server.
  mutating func executeCommand(
    _ parameters: LSP.ExecuteCommandParams
  ) throws(ResponseError) -> JSONValue {
    guard parameters.command == Self.showPlan else {
      throw ResponseError(.invalidParams, "there is no command \"\(parameters.command)\"")
    }
    guard let uri = parameters.arguments?.first?.string, let path = DocumentURI.path(uri),
      let query = parameters.arguments?.last?.string, parameters.arguments?.count == 2
    else {
      throw ResponseError(
        .invalidParams, "\"\(Self.showPlan)\" requires a document's URI and a query's name")
    }
    if let makePlanSession, let root = host.projectRoot(of: path) {
      var session = planSessions[root]
      _ = host.withProject(at: root) { project in
        project.finish()
        project.finishPlans(&session, makePlanSession)
      }
      planSessions[root] = session
    }
    guard let plan = host.withProject(of: path, { $0.planText(of: query, in: path) }) ?? nil else {
      throw ResponseError(.requestFailed, "the plan of `\(query)` is not known")
    }
    notify(
      "window/showMessage", ["type": 3, "message": .string("\(query)\n\(plan)")] as JSONValue)
    return .string(plan)
  }
}

public import Foundation
public import LSPWire
public import QueryGenDriver
internal import QueryGenLanguage

/// The language server: messages in, messages out.
///
/// A server runs on one thread and has no clock. Its owner passes it messages with
/// ``receive(_:)``, and calls ``work()`` when there are none and ``delay`` has passed.
public struct LanguageServer {
  /// The state of the connection.
  private enum Phase { case created, running, shutDown }

  private var phase = Phase.created
  /// The exit code, once the client has ended the connection.
  public private(set) var exitCode: Int32?
  let send: (Data) -> Void
  let isCancelled: (RequestID) -> Bool
  /// Creates the databases in which plans are determined; `nil` if plans are not shown.
  let makePlanSession: PlanSessionMaker?
  var planSessions: [String: any PlanSession] = [:]
  var planWork = PlanWork.none
  var host = LanguageHost(folders: [], encoding: .utf16)
  /// The URIs of the open documents as the client spells them, by path.
  var uris: [String: String] = [:]
  var published: [String: LSP.PublishDiagnosticsParams] = [:]
  /// The files whose diagnostics may differ from those that were sent, the next one last.
  var unpublished: [String] = []
  /// The time until the changes are analyzed.
  private var debounce: Duration?
  /// Indicates whether files must be analyzed, and their diagnostics be sent.
  private var hasUnanalyzed = false
  /// Indicates whether diagnostics must be sent when the open documents are analyzed.
  private var hasUnpublishedDocuments = false
  /// Indicates whether the client reports changed files.
  var watchesFiles = false
  var client = ClientCapabilities()
  /// The identifier of the client's process, with which the server ends.
  var clientProcess: Int?
  var progress = LoadProgress.none
  /// The semantic tokens that were sent last, by path, with the number of the result.
  var sentTokens: [String: (id: Int, data: [Int])] = [:]
  private var nextRequest = 1

  public init(
    makePlanSession: PlanSessionMaker? = nil,
    isCancelled: @escaping (RequestID) -> Bool = { _ in false }, send: @escaping (Data) -> Void
  ) {
    self.makePlanSession = makePlanSession
    self.send = send
    self.isCancelled = isCancelled
  }

  /// The time after which ``work()`` must be called if no message arrives; `nil` if there is no
  /// work.
  public var delay: Duration? {
    guard phase == .running else { return nil }
    if let debounce { return debounce }
    return hasUnanalyzed || !unpublished.isEmpty ? .zero : planWork.delay
  }

  // MARK: Messages

  public mutating func receive(_ message: IncomingMessage) {
    switch message {
    case .malformed(let id, let error): send(OutgoingMessage.failure(id, error))
    case .response(let id, let body): receive(responseTo: id, body)
    case .notification(let method, let body): receive(notification: method, body)
    case .request(let id, let method, let body):
      guard !isCancelled(id) else {
        send(
          OutgoingMessage.failure(
            id, ResponseError(.requestCancelled, "the request was cancelled")))
        return
      }
      do throws(ResponseError) {
        send(OutgoingMessage.response(id, try respond(to: method, body)))
      } catch {
        send(OutgoingMessage.failure(id, error))
      }
    }
  }

  private mutating func respond(
    to method: String, _ body: MessageBody
  ) throws(ResponseError) -> any Encodable {
    switch (phase, method) {
    case (.created, "initialize"):
      let result = initialize(try body.parameters())
      phase = .running
      return result
    case (.created, _):
      throw ResponseError(.serverNotInitialized, "the first request must be \"initialize\"")
    case (.running, "initialize"), (.shutDown, _):
      throw ResponseError(.invalidRequest, "\"\(method)\" is not allowed in this state")
    case (.running, "shutdown"):
      phase = .shutDown
      return JSONValue.null
    case (.running, _):
      return try answer(method, body)
    }
  }

  private mutating func receive(notification method: String, _ body: MessageBody) {
    if method == "exit" {
      exitCode = phase == .shutDown ? 0 : 1
      return
    }
    guard phase == .running else { return }
    do throws(ResponseError) {
      try handle(method, body)
    } catch {
      log("\(method): \(error.message)", type: 2)
    }
  }

  /// Ends the connection, if the stream ends without an `exit` notification.
  public mutating func streamEnded() { exitCode = exitCode ?? (phase == .shutDown ? 0 : 1) }

  // MARK: Work

  /// Schedules the analysis of changes.
  mutating func schedule(after delay: Duration) {
    debounce = delay
    hasUnanalyzed = true
    hasUnpublishedDocuments = true
    unpublished = []
  }

  /// Works for a few milliseconds, so that no message waits longer: analyzes files, sends the
  /// diagnostics that have changed, and then determines plans.
  public mutating func work() {
    debounce = nil
    if !hasUnanalyzed, unpublished.isEmpty { startPlans() }
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(5))
    repeat {
      if hasUnanalyzed {
        analyze()
      } else if !unpublished.isEmpty {
        publishNext()
      } else if planWork == .running {
        workOnPlans()
      } else {
        return
      }
    } while clock.now < end
    if hasUnanalyzed { reportProgress() }
  }

  /// Analyzes a part of the projects.
  private mutating func analyze() {
    guard host.step() else {
      hasUnanalyzed = false
      hasUnpublishedDocuments = false
      endProgress()
      schedulePublication()
      if makePlanSession != nil { planWork = .scheduled }
      return
    }
    // The documents that the user sees come first, and are not delayed by other files or by the
    // check of the whole project.
    if hasUnpublishedDocuments, host.areDocumentsAnalyzed {
      hasUnpublishedDocuments = false
      for path in uris.keys.sorted() { publish(path) }
    }
  }

  /// Sends a notification.
  func notify(_ method: String, _ parameters: some Encodable) {
    send(OutgoingMessage.notification(method, parameters))
  }

  /// Sends a request, and returns its identifier.
  @discardableResult
  mutating func request(_ method: String, _ parameters: some Encodable) -> RequestID {
    let id = RequestID.string("querygen-\(nextRequest)")
    nextRequest += 1
    send(OutgoingMessage.request(id, method, parameters))
    return id
  }

  /// Shows a message in the client's log. Logs contain no SQL.
  ///
  /// - Parameter type: 1 for an error, 2 for a warning, 3 for information and 4 for others.
  func log(_ message: String, type: Int = 4) {
    notify(
      "window/logMessage", ["type": .integer(type), "message": .string(message)] as JSONValue)
  }
}

/// The capabilities of the client that affect responses.
struct ClientCapabilities {
  var supportsSnippets = false
  var supportsHierarchicalSymbols = false
  var supportsDocumentChanges = false
  var supportsAnnotations = false
  var supportsFileCreation = false
  var canRegisterWatchers = false
  var refreshesCodeLenses = false
  var showsProgress = false
  var offersUTF8 = false

  init() {}

  init(_ value: JSONValue) {
    let document = value["textDocument"]
    let edit = value["workspace"]?["workspaceEdit"]
    supportsSnippets =
      document?["completion"]?["completionItem"]?["snippetSupport"]?.bool ?? false
    supportsHierarchicalSymbols =
      document?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"]?.bool ?? false
    supportsDocumentChanges = edit?["documentChanges"]?.bool ?? false
    supportsAnnotations = edit?["changeAnnotationSupport"] != nil
    supportsFileCreation =
      edit?["resourceOperations"]?.array?.contains(.string("create")) ?? false
    canRegisterWatchers =
      value["workspace"]?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    refreshesCodeLenses = value["workspace"]?["codeLens"]?["refreshSupport"]?.bool ?? false
    showsProgress = value["window"]?["workDoneProgress"]?.bool ?? false
    offersUTF8 =
      value["general"]?["positionEncodings"]?.array?.contains(.string("utf-8")) ?? false
  }
}

internal import LSPWire
internal import QueryGenLanguage

extension LanguageServer {
  mutating func initialize(_ parameters: LSP.InitializeParams) -> JSONValue {
    client = ClientCapabilities(parameters.capabilities)
    clientProcess = parameters.processId
    var folders = (parameters.workspaceFolders ?? []).compactMap { DocumentURI.path($0.uri) }
    if folders.isEmpty, let root = parameters.rootUri.flatMap(DocumentURI.path) { folders = [root] }
    if folders.isEmpty, let root = parameters.rootPath { folders = [root] }
    let encoding: PositionEncoding = client.offersUTF8 ? .utf8 : .utf16
    host = LanguageHost(folders: folders, encoding: encoding)
    schedule(after: .zero)
    return [
      "capabilities": capabilities(encoding),
      "serverInfo": ["name": "querygen", "version": "0.1.0"],
    ]
  }

  private func capabilities(_ encoding: PositionEncoding) -> JSONValue {
    func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return [
      "positionEncoding": .string(encoding.rawValue),
      // Changes are sent as differences.
      "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
      "hoverProvider": true,
      "completionProvider": [
        "triggerCharacters": [".", ":", "@", "$", "\"", "`"], "resolveProvider": true,
      ],
      "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
      "declarationProvider": true,
      "definitionProvider": true,
      "referencesProvider": true,
      "documentHighlightProvider": true,
      "documentSymbolProvider": true,
      "workspaceSymbolProvider": true,
      "codeActionProvider": [
        "codeActionKinds": ["quickfix", "refactor.rewrite", "source.fixAll"]
      ],
      "codeLensProvider": ["resolveProvider": false],
      "documentFormattingProvider": true,
      "documentRangeFormattingProvider": true,
      "documentOnTypeFormattingProvider": ["firstTriggerCharacter": ";"],
      "renameProvider": ["prepareProvider": true],
      "foldingRangeProvider": true,
      "selectionRangeProvider": true,
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": strings(Self.tokenTypes), "tokenModifiers": strings(Self.tokenModifiers),
        ],
        "range": true, "full": ["delta": true],
      ],
      "inlayHintProvider": true,
      "executeCommandProvider": ["commands": [.string(Self.showPlan)]],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
    ]
  }

  /// Registers for changes of SQL files and configurations.
  mutating func initialized() {
    guard client.canRegisterWatchers else { return }
    watchesFiles = true
    let patterns = ["**/*.sql", "**/querygen.yaml", "**/*.lock"]
    let registration: JSONValue = [
      "id": "querygen-files", "method": "workspace/didChangeWatchedFiles",
      "registerOptions": ["watchers": .array(patterns.map { ["globPattern": .string($0)] })],
    ]
    request("client/registerCapability", ["registrations": [registration]] as JSONValue)
  }
}

extension LanguageServer {
  /// Answers messages until the connection ends.
  ///
  /// - Returns: The exit code of the process.
  public mutating func run(_ inbox: Inbox) -> Int32 {
    let clock = ContinuousClock()
    var due: ContinuousClock.Instant?
    var watched: Int?
    while true {
      if let clientProcess, watched == nil {
        watched = clientProcess
        inbox.end(withProcess: clientProcess)
      }
      if let delay {
        due = due ?? clock.now.advanced(by: delay)
      } else {
        due = nil
      }
      let wait = due.map { max(0, clock.now.duration(to: $0) / .seconds(1)) }
      switch inbox.next(waiting: wait) {
      case .message(let message):
        receive(message)
        if case .request(let id, _, _) = message { inbox.forget(id) }
        // A change within the delay starts it again.
        if case .notification = message { due = nil }
      case .end(let failure):
        if let failure { log("the stream is not a sequence of messages: \(failure)", type: 1) }
        streamEnded()
      case nil:
        due = nil
        work()
      }
      if let exitCode { return exitCode }
    }
  }
}

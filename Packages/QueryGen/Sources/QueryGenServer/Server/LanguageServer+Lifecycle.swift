internal import LSPWire
internal import QueryGenLanguage

extension LanguageServer {
  mutating func initialize(_ parameters: LSP.InitializeParams) -> LSP.InitializeResult {
    client = ClientCapabilities(parameters.capabilities)
    clientProcess = parameters.processId
    var folders = (parameters.workspaceFolders ?? []).compactMap { DocumentURI.path($0.uri) }
    if folders.isEmpty, let root = parameters.rootUri.flatMap(DocumentURI.path) { folders = [root] }
    if folders.isEmpty, let root = parameters.rootPath { folders = [root] }
    let encoding: PositionEncoding = client.offersUTF8 ? .utf8 : .utf16
    host = LanguageHost(folders: folders, encoding: encoding)
    schedule(after: .zero)
    return LSP.InitializeResult(
      capabilities: capabilities(encoding), name: "querygen", version: "0.1.0")
  }

  private func capabilities(_ encoding: PositionEncoding) -> LSP.ServerCapabilities {
    var capabilities = LSP.ServerCapabilities(positionEncoding: encoding.rawValue)
    capabilities.documentSymbolProvider = true
    capabilities.workspaceSymbolProvider = true
    capabilities.completionProvider = .init(
      triggerCharacters: [".", ":", "@", "$", "\"", "`"], resolveProvider: true)
    capabilities.signatureHelpProvider = .init(triggerCharacters: ["(", ","])
    capabilities.renameProvider = .init()
    capabilities.codeActionProvider = .init(
      codeActionKinds: ["quickfix", "refactor.rewrite", "source.fixAll"])
    capabilities.semanticTokensProvider = .init(
      types: Self.tokenTypes, modifiers: Self.tokenModifiers)
    capabilities.inlayHintProvider = true
    capabilities.codeLensProvider = .init()
    capabilities.executeCommandProvider = .init(commands: [Self.showPlan])
    capabilities.hoverProvider = true
    capabilities.definitionProvider = true
    capabilities.declarationProvider = true
    capabilities.referencesProvider = true
    capabilities.documentHighlightProvider = true
    capabilities.foldingRangeProvider = true
    capabilities.selectionRangeProvider = true
    capabilities.documentFormattingProvider = true
    capabilities.documentRangeFormattingProvider = true
    capabilities.documentOnTypeFormattingProvider = .init()
    return capabilities
  }

  /// Registers for changes of SQL files and configurations.
  mutating func initialized() {
    guard client.canRegisterWatchers else { return }
    watchesFiles = true
    let patterns = ["**/*.sql", "**/querygen.yaml", "**/*.lock"]
    request(
      "client/registerCapability",
      LSP.RegistrationParams(registrations: [
        LSP.Registration(
          id: "querygen-files", method: "workspace/didChangeWatchedFiles",
          registerOptions: [
            "watchers": .array(patterns.map { ["globPattern": .string($0)] })
          ])
      ]))
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

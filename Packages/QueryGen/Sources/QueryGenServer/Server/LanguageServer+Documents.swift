internal import LSPWire
internal import QueryGenLanguage

extension LanguageServer {
  mutating func handle(_ method: String, _ body: MessageBody) throws(ResponseError) {
    switch method {
    case "initialized": initialized()
    case "textDocument/didOpen": didOpen(try body.parameters())
    case "textDocument/didChange": try didChange(try body.parameters())
    case "textDocument/didClose": didClose(try body.parameters())
    case "textDocument/didSave", "workspace/didCreateFiles", "workspace/didDeleteFiles",
      "workspace/didRenameFiles":
      if !watchesFiles { filesChanged() }
    case "workspace/didChangeWatchedFiles": filesChanged()
    case "workspace/didChangeWorkspaceFolders": didChangeFolders(try body.parameters())
    case "workspace/didChangeConfiguration", "$/setTrace": break
    default:
      // Notifications that begin with "$/" are optional.
      if !method.hasPrefix("$/") { log("ignored: \(method)") }
    }
  }

  private mutating func didOpen(_ parameters: LSP.DidOpenParams) {
    let document = parameters.textDocument
    guard let path = DocumentURI.path(document.uri) else { return }
    uris[path] = document.uri
    host.open(path, text: document.text, version: document.version)
    schedule(after: .zero)
  }

  private mutating func didChange(_ parameters: LSP.DidChangeParams) throws(ResponseError) {
    let document = parameters.textDocument
    guard let path = DocumentURI.path(document.uri),
      host.change(
        path, parameters.contentChanges.map { DocumentChange($0) }, version: document.version)
    else { throw ResponseError(.invalidParams, "the document is not open") }
    schedule(after: isQueryFile(path) ? .milliseconds(20) : .milliseconds(100))
  }

  private func isQueryFile(_ path: String) -> Bool {
    guard let root = host.projectRoot(of: path), case .queries = host.projects[root]?.kind(of: path)
    else { return false }
    return true
  }

  private mutating func didClose(_ parameters: LSP.DocumentParams) {
    guard let path = DocumentURI.path(parameters.textDocument.uri) else { return }
    host.close(path)
    uris[path] = nil
    sentTokens[path] = nil
    schedule(after: .zero)
  }

  private mutating func filesChanged() {
    host.filesChanged()
    schedule(after: .milliseconds(20))
  }

  private mutating func didChangeFolders(_ parameters: LSP.DidChangeWorkspaceFoldersParams) {
    let removed = parameters.event.removed.compactMap { DocumentURI.path($0.uri) }
    let added = parameters.event.added.compactMap { DocumentURI.path($0.uri) }
    host.setFolders(host.workspaceFolders.filter { !removed.contains($0) } + added)
    schedule(after: .zero)
  }
}

extension DocumentChange {
  fileprivate init(_ event: LSP.TextDocumentContentChangeEvent) {
    self.init(range: event.range.map { Range($0) }, text: event.text)
  }
}

extension Range<TextPosition> {
  /// Creates a range. Reversed ends are swapped.
  init(_ range: LSP.Range) {
    let (start, end) = (TextPosition(range.start), TextPosition(range.end))
    self = start < end ? start..<end : end..<start
  }
}

extension TextPosition {
  init(_ position: LSP.Position) {
    self.init(line: position.line, character: position.character)
  }
}

extension LSP.Position {
  init(_ position: TextPosition) {
    self.init(line: position.line, character: position.character)
  }
}

extension LSP.Range {
  init(_ range: Range<TextPosition>) {
    self.init(start: .init(range.lowerBound), end: .init(range.upperBound))
  }
}

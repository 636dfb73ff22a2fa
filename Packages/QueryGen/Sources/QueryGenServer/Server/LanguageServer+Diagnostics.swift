internal import LSPWire
internal import QueryGenDriver
internal import QueryGenLanguage
internal import SQLSyntax

extension LanguageServer {
  /// Begins to send the diagnostics of all files that have changed since they were sent last, the
  /// open documents first.
  mutating func schedulePublication() {
    let paths = Set(host.paths).union(published.keys).union(uris.keys)
    unpublished = paths.subtracting(uris.keys).sorted(by: >) + uris.keys.sorted(by: >)
  }

  /// Sends the diagnostics of the next file, if they have changed.
  mutating func publishNext() {
    guard let path = unpublished.popLast() else { return }
    publish(path)
    guard unpublished.isEmpty else { return }
    let paths = Set(host.paths)
    published = published.filter { paths.contains($0.key) }
  }

  mutating func publish(_ path: String) {
    let current = LSP.PublishDiagnosticsParams(
      uri: uri(path), version: host.documents[path]?.version, diagnostics: diagnostics(path))
    let isUnchanged =
      published[path].map { $0.uri == current.uri && $0.diagnostics == current.diagnostics }
      ?? (current.diagnostics.isEmpty && current.version == nil)
    if isUnchanged, published[path]?.version == current.version { return }
    published[path] = current
    notify("textDocument/publishDiagnostics", current)
  }

  /// The URI of a path, as the client spells it.
  func uri(_ path: String) -> String { uris[path] ?? DocumentURI.uri(path) }

  mutating func diagnostics(_ path: String) -> [LSP.Diagnostic] {
    var found = host.diagnostics(of: path).map { (diagnostic: $0, isUnusedName: false) }
    if host.documents[path] != nil {
      let unused = host.withProject(of: path) { $0.unusedNames(path) } ?? []
      found += unused.map { (diagnostic: $0, isUnusedName: true) }
    }
    guard !found.isEmpty, let positions = host.positions(of: path) else { return [] }
    return found.map { diagnostic, isUnusedName in
      let messages =
        [diagnostic.message] + diagnostic.notes.filter { $0.span == nil }.map(\.message)
      let related = diagnostic.notes.compactMap { note in
        note.span.map { span in
          LSP.Diagnostic.RelatedInformation(
            location: LSP.Location(
              uri: uri(path), range: LSP.Range(positions.range(of: span))),
            message: note.message)
        }
      }
      return LSP.Diagnostic(
        range: LSP.Range(positions.range(of: diagnostic.span)),
        severity: diagnostic.identity == .noProject
          ? 3
          : isUnusedName ? 4 : diagnostic.isPlanHint ? 3 : diagnostic.severity == .error ? 1 : 2,
        code: diagnostic.identity.rawValue, source: "querygen",
        message: messages.joined(separator: "\n"), tags: isUnusedName ? [1] : nil,
        relatedInformation: related.isEmpty ? nil : related)
    }
  }
}

internal import LSPWire
internal import QueryGenLanguage
internal import SQLSyntax

extension LanguageServer {
  /// Returns the result of a request.
  mutating func answer(
    _ method: String, _ body: MessageBody
  ) throws(ResponseError) -> any Encodable {
    switch method {
    case "textDocument/documentSymbol": return try documentSymbols(body.parameters())
    case "workspace/symbol": return try workspaceSymbols(body.parameters())
    case "textDocument/foldingRange": return try foldingRanges(body.parameters())
    case "textDocument/selectionRange": return try selectionRanges(body.parameters())
    case "textDocument/formatting": return try formatting(body.parameters())
    case "textDocument/rangeFormatting": return try rangeFormatting(body.parameters())
    case "textDocument/onTypeFormatting": return try onTypeFormatting(body.parameters())
    case "textDocument/hover": return try hover(body.parameters())
    case "textDocument/definition", "textDocument/declaration":
      return try definition(body.parameters())
    case "textDocument/references": return try references(body.parameters())
    case "textDocument/documentHighlight": return try highlights(body.parameters())
    case "textDocument/completion": return try completion(body.parameters())
    case "completionItem/resolve": return resolve(try body.parameters())
    case "textDocument/signatureHelp": return try signatureHelp(body.parameters())
    case "textDocument/prepareRename": return try prepareRename(body.parameters())
    case "textDocument/rename": return try rename(body.parameters())
    case "textDocument/codeAction": return try codeActions(body.parameters())
    case "textDocument/semanticTokens/full": return try semanticTokens(body.parameters())
    case "textDocument/semanticTokens/full/delta":
      return try semanticTokensDelta(body.parameters())
    case "textDocument/semanticTokens/range": return try semanticTokens(in: body.parameters())
    case "textDocument/inlayHint": return try inlayHints(body.parameters())
    case "textDocument/codeLens": return try codeLenses(body.parameters())
    case "workspace/executeCommand": return try executeCommand(body.parameters())
    case "textDocument/diagnostic": return try documentDiagnostics(body.parameters())
    default:
      throw ResponseError(.methodNotFound, "\"\(method)\" is not supported")
    }
  }

  /// A file in its project, which a request is about.
  struct Target {
    var path: String
    var positions: PositionMap
  }

  func target(_ document: LSP.TextDocumentIdentifier) throws(ResponseError) -> Target {
    guard let path = DocumentURI.path(document.uri), let positions = host.positions(of: path) else {
      throw ResponseError(.invalidParams, "the document is not open, and belongs to no project")
    }
    return Target(path: path, positions: positions)
  }

  /// Calls a function with the project of a file.
  mutating func withProject<Result>(
    _ target: Target, default empty: Result, _ body: (inout LanguageProject) -> Result
  ) -> Result {
    host.withProject(of: target.path, body) ?? empty
  }

  func range(_ span: ByteSpan, _ target: Target) -> LSP.Range {
    LSP.Range(target.positions.range(of: span))
  }

  func edits(_ changes: [TextChange], _ target: Target) -> [LSP.TextEdit] {
    changes.map { LSP.TextEdit(range: range($0.span, target), newText: $0.replacement) }
  }

  // MARK: Diagnostics

  private mutating func documentDiagnostics(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> LSP.DocumentDiagnosticReport {
    let target = try target(parameters.textDocument)
    host.finish()
    return LSP.DocumentDiagnosticReport(items: diagnostics(target.path))
  }

  // MARK: Symbols

  private mutating func documentSymbols(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> any Encodable {
    let target = try target(parameters.textDocument)
    let symbols = withProject(target, default: []) { $0.symbols(of: target.path) }
    guard client.supportsHierarchicalSymbols else {
      return symbols.flatMap { symbol in
        [information(LocatedSymbol(symbol: symbol, path: target.path), target)]
          + symbol.children.map {
            information(
              LocatedSymbol(symbol: $0, path: target.path, container: symbol.name), target)
          }
      }
    }
    return symbols.map { documentSymbol($0, target) }
  }

  private func documentSymbol(_ symbol: Symbol, _ target: Target) -> LSP.DocumentSymbol {
    LSP.DocumentSymbol(
      // Clients reject empty names.
      name: symbol.name.isEmpty ? "\"\"" : symbol.name, detail: symbol.detail,
      kind: symbol.kind.symbolKind, range: range(symbol.span, target),
      selectionRange: range(symbol.nameSpan, target),
      children: symbol.children.isEmpty
        ? nil : symbol.children.map { documentSymbol($0, target) })
  }

  private func information(_ located: LocatedSymbol, _ target: Target) -> LSP.SymbolInformation {
    LSP.SymbolInformation(
      name: located.symbol.name, kind: located.symbol.kind.symbolKind,
      location: LSP.Location(
        uri: uri(target.path), range: range(located.symbol.nameSpan, target)),
      containerName: located.container)
  }

  private mutating func workspaceSymbols(
    _ parameters: LSP.WorkspaceSymbolParams
  ) -> [LSP.SymbolInformation] {
    var found: [LSP.SymbolInformation] = []
    var targets: [String: Target] = [:]
    for root in host.projects.keys.sorted() {
      let path = host.projects[root]?.paths.first ?? root
      for located in host.withProject(of: path, { $0.symbols(matching: parameters.query) }) ?? [] {
        let target =
          targets[located.path]
          ?? host.positions(of: located.path).map { Target(path: located.path, positions: $0) }
        guard let target, found.count < 500 else { continue }
        targets[located.path] = target
        found.append(information(located, target))
      }
    }
    return found
  }

  // MARK: Layout

  private mutating func foldingRanges(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> [LSP.FoldingRange] {
    let target = try target(parameters.textDocument)
    return withProject(target, default: []) { $0.folds(of: target.path, target.positions) }.map {
      LSP.FoldingRange(
        startLine: $0.lines.lowerBound, endLine: $0.lines.upperBound,
        kind: $0.isComment ? "comment" : nil)
    }
  }

  private mutating func selectionRanges(
    _ parameters: LSP.SelectionRangeParams
  ) throws(ResponseError) -> [LSP.SelectionRange] {
    let target = try target(parameters.textDocument)
    return parameters.positions.map { position in
      let offset = target.positions.offset(of: TextPosition(position))
      let spans = withProject(target, default: []) { $0.selections(target.path, at: offset) }
      let outermost: LSP.SelectionRange? = spans.reversed().reduce(nil) { parent, span in
        LSP.SelectionRange(range: range(span, target), parent: parent)
      }
      return outermost
        ?? LSP.SelectionRange(range: LSP.Range(start: position, end: position), parent: nil)
    }
  }

  private mutating func formatting(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> [LSP.TextEdit] {
    let target = try target(parameters.textDocument)
    return edits(withProject(target, default: []) { $0.format(target.path) }, target)
  }

  private mutating func rangeFormatting(
    _ parameters: LSP.RangeParams
  ) throws(ResponseError) -> [LSP.TextEdit] {
    let target = try target(parameters.textDocument)
    let span = target.positions.span(of: Range(parameters.range))
    return edits(withProject(target, default: []) { $0.format(target.path, in: span) }, target)
  }

  private mutating func onTypeFormatting(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> [LSP.TextEdit] {
    let target = try target(parameters.textDocument)
    let offset = target.positions.offset(of: TextPosition(parameters.position))
    return edits(
      withProject(target, default: []) { $0.formatStatement(target.path, endingAt: offset) },
      target)
  }
}

extension Symbol.Kind {
  fileprivate var symbolKind: LSP.SymbolKind {
    switch self {
    case .query: .function
    case .table: .structure
    case .view: .interface
    case .index: .key
    case .trigger: .event
    case .column: .field
    case .parameter: .property
    }
  }
}

internal import LSPWire
internal import QueryGenLanguage
internal import SQLSyntax

/// Completion and signature help.
extension LanguageServer {
  mutating func completion(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> LSP.CompletionList {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    guard
      let list = withProject(
        target, default: nil, { $0.completions(target.path, at: offset) })
    else { return LSP.CompletionList(isIncomplete: false, items: []) }
    let place = range(list.span, target)
    let items = list.items.enumerated().map { number, item in
      // A snippet becomes a plain text for clients that don't support snippets.
      let isSnippet = item.isSnippet && client.supportsSnippets
      let text = item.isSnippet && !isSnippet ? item.plainText : item.text
      let order = String(1_000_000 + item.rank * 100_000 + number)
      return LSP.CompletionItem(
        label: item.label, kind: item.kind.itemKind, detail: item.detail, sortText: order,
        // With a begun quote, clients compare the quoted text.
        filterText: text.hasPrefix("\"") ? text : nil,
        textEdit: LSP.TextEdit(range: place, newText: text), isSnippet: isSnippet,
        data: item.kind.hasDocumentation
          ? ["path": .string(target.path), "name": .string(item.label)] : nil)
    }
    return LSP.CompletionList(isIncomplete: false, items: items)
  }

  /// Adds the documentation to a completion.
  mutating func resolve(_ item: LSP.CompletionItem) -> LSP.CompletionItem {
    guard let path = item.data?["path"]?.string, let name = item.data?["name"]?.string else {
      return item
    }
    var item = item
    let text =
      host.withProject(of: path) { project in
        project.documentation(ofTableOrFunction: name)
      } ?? nil
    item.documentation = text.map { LSP.MarkupContent(markdown: $0) }
    return item
  }

  mutating func signatureHelp(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> LSP.SignatureHelp? {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    guard
      let help = withProject(
        target, default: nil, { $0.callSignatures(target.path, at: offset) })
    else { return nil }
    return LSP.SignatureHelp(
      signatures: help.signatures.map { signature in
        LSP.SignatureHelp.Signature(
          label: signature.label, documentation: nil,
          parameters: signature.parameters.map { .init(label: $0) })
      }, activeSignature: help.active, activeParameter: help.argument)
  }
}

extension Completion {
  /// The text of a snippet without its placeholders.
  fileprivate var plainText: String {
    text.replacing("${1:name}", with: "name").replacing("$1", with: "").replacing("$0", with: "")
  }
}

extension Completion.Kind {
  fileprivate var itemKind: LSP.CompletionItem.Kind {
    switch self {
    case .column: .field
    case .join, .snippet: .snippet
    case .table, .commonTable: .structure
    case .view: .interface
    case .alias, .parameter: .variable
    case .value, .collation: .value
    case .function: .function
    case .keyword: .keyword
    }
  }

  fileprivate var hasDocumentation: Bool { self == .table || self == .view || self == .function }
}

internal import LSPWire
internal import QueryGenLanguage
internal import SQLSyntax

/// Semantic tokens, inlay hints and code lenses.
extension LanguageServer {
  /// The names of the token types, in the order of ``SemanticToken/Kind``.
  static let tokenTypes = [
    "keyword", "class", "interface", "property", "variable", "struct", "parameter", "function",
    "string", "number", "operator", "comment", "method",
  ]
  static let tokenModifiers = ["declaration", "nullable"]

  mutating func semanticTokens(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> LSP.SemanticTokens {
    tokens(of: try target(parameters.textDocument))
  }

  private mutating func tokens(of target: Target) -> LSP.SemanticTokens {
    let data = tokenData(target, in: nil)
    let id = (sentTokens[target.path]?.id ?? 0) + 1
    sentTokens[target.path] = (id, data)
    return LSP.SemanticTokens(resultId: String(id), data: data)
  }

  mutating func semanticTokens(
    in parameters: LSP.RangeParams
  ) throws(ResponseError) -> LSP.SemanticTokens {
    let target = try target(parameters.textDocument)
    let span = target.positions.span(of: Range(parameters.range))
    return LSP.SemanticTokens(resultId: nil, data: tokenData(target, in: span))
  }

  mutating func semanticTokensDelta(
    _ parameters: LSP.SemanticTokensDeltaParams
  ) throws(ResponseError) -> any Encodable {
    let target = try target(parameters.textDocument)
    let previous = sentTokens[target.path]
    let tokens = tokens(of: target)
    guard let previous, String(previous.id) == parameters.previousResultId else { return tokens }
    let (old, new) = (previous.data, tokens.data)
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let limit = min(old.count, new.count) - prefix
    let suffix = zip(old.reversed(), new.reversed()).prefix(limit).prefix { $0 == $1 }.count
    let edit = LSP.SemanticTokensDelta.Edit(
      start: prefix, deleteCount: old.count - prefix - suffix,
      data: Array(new[prefix..<new.count - suffix]))
    let isUnchanged = edit.deleteCount == 0 && edit.data.isEmpty
    return LSP.SemanticTokensDelta(
      resultId: tokens.resultId ?? "", edits: isUnchanged ? [] : [edit])
  }

  /// Returns tokens in the relative form of the protocol. A token of several lines is split.
  private mutating func tokenData(_ target: Target, in span: ByteSpan?) -> [Int] {
    let tokens = withProject(target, default: []) { $0.semanticTokens(target.path) }
    var data: [Int] = []
    var last = TextPosition(line: 0, character: 0)
    for token in tokens {
      if let span, token.span.end < span.start || span.end < token.span.start { continue }
      let place = target.positions.range(of: token.span)
      for line in place.lowerBound.line...place.upperBound.line {
        let start =
          line == place.lowerBound.line ? place.lowerBound : TextPosition(line: line, character: 0)
        let end =
          line == place.upperBound.line
          ? place.upperBound
          : target.positions.position(
            of: ByteOffset(target.positions.content(ofLine: line).upperBound))
        guard end.character > start.character else { continue }
        let isSameLine = start.line == last.line
        data += [
          start.line - last.line,
          isSameLine ? start.character - last.character : start.character,
          end.character - start.character, token.kind.rawValue,
          (token.isDeclaration ? 1 : 0) | (token.isNullable ? 2 : 0),
        ]
        last = start
      }
    }
    return data
  }

  mutating func inlayHints(
    _ parameters: LSP.RangeParams
  ) throws(ResponseError) -> [LSP.InlayHint] {
    let target = try target(parameters.textDocument)
    let span = target.positions.span(of: Range(parameters.range))
    return withProject(target, default: []) { $0.hints(target.path, in: span) }.map {
      LSP.InlayHint(
        position: LSP.Position(target.positions.position(of: $0.offset)), label: $0.text,
        kind: $0.isParameter ? 2 : 1, paddingLeft: nil)
    }
  }

  mutating func codeLenses(
    _ parameters: LSP.DocumentParams
  ) throws(ResponseError) -> [LSP.CodeLens] {
    let target = try target(parameters.textDocument)
    return withProject(target, default: []) { $0.lenses(target.path) }.map { lens in
      let command =
        lens.plannedQuery.map { query in
          LSP.Command(
            title: lens.title, command: Self.showPlan,
            arguments: [.string(parameters.textDocument.uri), .string(query)])
        } ?? LSP.Command(title: lens.title, command: "")
      return LSP.CodeLens(range: range(lens.span, target), command: command)
    }
  }
}

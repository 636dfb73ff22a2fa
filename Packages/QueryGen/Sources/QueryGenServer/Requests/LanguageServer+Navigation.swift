internal import LSPWire
internal import QueryGenLanguage
internal import SQLSyntax

/// Hover, definitions, references and highlights.
extension LanguageServer {
  func offset(_ position: LSP.Position, _ target: Target) -> ByteOffset {
    target.positions.offset(of: TextPosition(position))
  }

  func location(_ place: FilePlace) -> LSP.Location? {
    guard let positions = host.positions(of: place.path) else { return nil }
    return LSP.Location(
      uri: uri(place.path), range: LSP.Range(positions.range(of: place.span)))
  }

  mutating func hover(_ parameters: LSP.PositionParams) throws(ResponseError) -> LSP.Hover? {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    guard let text = withProject(target, default: nil, { $0.hover(target.path, at: offset) }) else {
      return nil
    }
    return LSP.Hover(
      contents: LSP.MarkupContent(markdown: text.markdown), range: range(text.span, target))
  }

  mutating func definition(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> [LSP.Location] {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    let places = withProject(target, default: []) { project in
      project.object(target.path, at: offset).map { project.declarations(of: $0.object) } ?? []
    }
    return places.compactMap(location)
  }

  mutating func references(
    _ parameters: LSP.ReferenceParams
  ) throws(ResponseError) -> [LSP.Location] {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    let occurrences = withProject(target, default: []) { project in
      project.object(target.path, at: offset).map { project.occurrences(of: $0.object) } ?? []
    }
    return
      occurrences
      .filter { parameters.context.includeDeclaration || !$0.isDeclaration }
      .compactMap { location($0.place) }
  }

  mutating func highlights(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> [LSP.DocumentHighlight] {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    let occurrences = withProject(target, default: []) { project in
      project.object(target.path, at: offset).map {
        project.occurrences(of: $0.object, in: target.path)
      } ?? []
    }
    return occurrences.map {
      LSP.DocumentHighlight(
        range: range($0.place.span, target), kind: $0.isWrite || $0.isDeclaration ? 3 : 2)
    }
  }
}

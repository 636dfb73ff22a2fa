internal import LSPWire
internal import QueryGenLanguage
internal import SQLSyntax

/// Renames and code actions.
extension LanguageServer {
  mutating func prepareRename(
    _ parameters: LSP.PositionParams
  ) throws(ResponseError) -> LSP.PrepareRenameResult {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    let found = result(target) { project throws(RenameFailure) in
      try project.renamable(target.path, at: offset)
    }
    switch found {
    case .success(let found):
      return LSP.PrepareRenameResult(range: range(found.span, target), placeholder: found.name)
    case .failure(let failure): throw ResponseError(.requestFailed, failure.message)
    }
  }

  mutating func rename(
    _ parameters: LSP.RenameParams
  ) throws(ResponseError) -> LSP.WorkspaceEdit {
    let target = try target(parameters.textDocument)
    let offset = offset(parameters.position, target)
    let newName = parameters.newName
    let found = result(target) { project throws(RenameFailure) in
      try project.rename(target.path, at: offset, to: newName)
    }
    switch found {
    case .success(let rename):
      let label = rename.newFile == nil ? "Rename" : "Rename by a new migration"
      return try edit(rename, label)
    case .failure(let failure): throw ResponseError(.requestFailed, failure.message)
    }
  }

  private mutating func result<Value>(
    _ target: Target, _ body: (inout LanguageProject) throws(RenameFailure) -> Value
  ) -> Result<Value, RenameFailure> {
    host.withProject(of: target.path) { project in
      do throws(RenameFailure) {
        return .success(try body(&project))
      } catch {
        return .failure(error)
      }
    } ?? .failure(RenameFailure("the document belongs to no project"))
  }

  private func edit(
    _ rename: Rename, _ label: String
  ) throws(ResponseError) -> LSP.WorkspaceEdit {
    guard client.supportsDocumentChanges else {
      guard rename.newFile == nil else {
        throw ResponseError(
          .requestFailed,
          "a new migration is required, which the editor can't create")
      }
      var changes: [String: [LSP.TextEdit]] = [:]
      for (path, texts) in rename.changes { changes[uri(path)] = textEdits(path, texts, nil) }
      return LSP.WorkspaceEdit(changes: changes)
    }
    let annotation = rename.note != nil && client.supportsAnnotations ? "rename" : nil
    var changes: [LSP.DocumentChange] = []
    if let file = rename.newFile {
      guard client.supportsFileCreation else {
        throw ResponseError(
          .requestFailed, "the editor can't create the migration \(file.path)")
      }
      changes.append(.create(LSP.CreateFile(uri: uri(file.path), annotationId: annotation)))
      let start = LSP.Position(line: 0, character: 0)
      changes.append(
        .edit(
          LSP.TextDocumentEdit(
            textDocument: .init(uri: uri(file.path), version: nil),
            edits: [
              LSP.TextEdit(
                range: LSP.Range(start: start, end: start), newText: file.text,
                annotationId: annotation)
            ])))
    }
    for (path, texts) in rename.changes.sorted(by: { $0.key < $1.key }) {
      changes.append(
        .edit(
          LSP.TextDocumentEdit(
            textDocument: .init(uri: uri(path), version: host.documents[path]?.version),
            edits: textEdits(path, texts, annotation))))
    }
    return LSP.WorkspaceEdit(
      documentChanges: changes,
      changeAnnotations: annotation.map {
        [
          $0: .init(
            label: label, needsConfirmation: rename.newFile != nil, description: rename.note)
        ]
      })
  }

  private func textEdits(
    _ path: String, _ changes: [TextChange], _ annotation: String?
  ) -> [LSP.TextEdit] {
    guard let positions = host.positions(of: path) else { return [] }
    return changes.map {
      LSP.TextEdit(
        range: LSP.Range(positions.range(of: $0.span)), newText: $0.replacement,
        annotationId: annotation)
    }
  }

  mutating func codeActions(
    _ parameters: LSP.CodeActionParams
  ) throws(ResponseError) -> [LSP.CodeAction] {
    let target = try target(parameters.textDocument)
    let span = target.positions.span(of: Range(parameters.range))
    let actions = withProject(target, default: []) { $0.actions(target.path, in: span) }
    let wanted = parameters.context.only
    return actions.compactMap { action in
      if let wanted, !wanted.contains(where: { action.kind.rawValue.hasPrefix($0) }) { return nil }
      let resolved = action.diagnostic.map { diagnostic in
        parameters.context.diagnostics.filter {
          $0.code == .string(diagnostic.identity.rawValue)
            && $0.range == range(diagnostic.span, target)
        }
      }
      var edit: LSP.WorkspaceEdit? = LSP.WorkspaceEdit(
        changes: [uri(target.path): edits(action.changes, target)])
      if let file = action.newFile {
        edit = try? self.edit(
          Rename(changes: [:], newFile: file, note: "Creates \(file.path)"), action.title)
      }
      guard let edit else { return nil }
      return LSP.CodeAction(
        title: action.title, kind: action.kind.rawValue, diagnostics: resolved,
        isPreferred: action.kind == .quickFix && action.newFile == nil ? true : nil, edit: edit)
    }
  }
}

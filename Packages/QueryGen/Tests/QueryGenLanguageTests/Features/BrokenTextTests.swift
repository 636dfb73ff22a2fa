import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Features on broken text` {
  static let count = OpenCorpora.isWhole ? 5_000 : 150

  @Test(arguments: [UInt64](1...3))
  func `end, and return places within the text`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let names = Shop.files.keys.sorted()
    for number in 1...Self.count {
      let name = random.pick(names)
      let path = "\(workspace.path)/\(name)"
      var bytes = Array((Shop.files[name] ?? "").utf8)
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0..<40, using: &random))
        let inserted = random.pick(["", "(", ")", "'", "\"", ";", " SELECT ", "\u{0}", "é", "-- "])
        bytes.replaceSubrange(start..<end, with: inserted.utf8)
      }
      host.open(path, text: String(decoding: bytes, as: UTF8.self), version: number)
      let count = host.documents[path]?.bytes.count ?? 0
      let offset = ByteOffset(Int.random(in: 0...count, using: &random))
      host.withProject(of: path) { project in
        check(&project, path, offset, count, "seed \(seed), round \(number)")
      }
    }
  }

  private func check(
    _ project: inout LanguageProject, _ path: String, _ offset: ByteOffset, _ count: Int,
    _ label: String
  ) {
    func isInside(_ span: ByteSpan) -> Bool { span.start <= span.end && span.end.value <= count }
    if let hover = project.hover(path, at: offset) {
      #expect(isInside(hover.span) && !hover.markdown.isEmpty, "\(label)")
    }
    if let (object, span) = project.object(path, at: offset) {
      #expect(isInside(span), "\(label)")
      _ = project.declarations(of: object)
      #expect(
        project.occurrences(of: object, in: path).allSatisfy { isInside($0.place.span) },
        "\(label)")
      _ = try? project.rename(path, at: offset, to: "renamed")
    }
    if let list = project.completions(path, at: offset) {
      #expect(isInside(list.span) && list.span.start <= offset, "\(label)")
    }
    _ = project.callSignatures(path, at: offset)
    let place = ByteSpan(offset, offset)
    #expect(
      project.actions(path, in: place).flatMap(\.changes).allSatisfy { isInside($0.span) },
      "\(label)")
    let tokens = project.semanticTokens(path)
    #expect(tokens.allSatisfy { isInside($0.span) }, "\(label)")
    #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.span.end <= $1.span.start }, "\(label)")
    _ = project.hints(path, in: ByteSpan(0..<count))
    _ = project.lenses(path)
    _ = project.unusedNames(path)
    _ = project.symbols(of: path)
    #expect(project.format(path).allSatisfy { isInside($0.span) }, "\(label)")
    #expect(project.selections(path, at: offset).allSatisfy(isInside), "\(label)")
    let positions = PositionMap(project.tokens(path)?.source.bytes ?? [], encoding: .utf16)
    #expect(
      project.folds(of: path, positions).allSatisfy { $0.lines.upperBound < positions.lineCount },
      "\(label)")
  }
}

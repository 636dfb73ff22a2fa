import QueryGenDriver
import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

/// The diagnostics that only the language server shows.
@Suite struct `Explanations of editors' diagnostics` {
  static let shown = DiagnosticExplanation.Family.editors.explanations.filter { $0.example != nil }

  /// Returns the diagnostics of all files, as they are shown while the files are open.
  private func diagnostics(_ sample: SampleFiles) throws -> [Diagnostic] {
    let workspace = try Workspace(sample)
    var host = LanguageHost(workspace)
    return host.paths.flatMap { path in
      host.diagnostics(of: path) + (host.withProject(of: path) { $0.unusedNames(path) } ?? [])
    }
  }

  @Test(arguments: shown.map(\.identity))
  func `have an example with only this diagnostic, and a correction without`(
    _ identity: String
  ) throws {
    let explanation = try #require(DiagnosticExplanation.find(identity))
    let example = try SampleFiles(#require(explanation.example))
    let found = try diagnostics(example)
    #expect(found.map(\.identity.rawValue) == [identity])
    #expect((found.first?.severity == .warning) == (explanation.severity == .warning))
    let correction = try SampleFiles(#require(explanation.correction))
    #expect(try diagnostics(example.replacing(correction)) == [])
  }

  @Test func `include that of a file outside of all projects, which has no example`() {
    let unshown = DiagnosticExplanation.Family.editors.explanations.filter { $0.example == nil }
    #expect(unshown.map(\.identity) == [Diagnostic.Identity.noProject.rawValue])
  }
}

import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Declared functions in an editor` {
  private static let declaration = """
    -- The part of an address.
    -- function: slug(title TEXT NOT NULL, separator TEXT DEFAULT '-') -> TEXT NOT NULL
    -- module: series(value INTEGER, start INTEGER HIDDEN) eponymous

    """

  private func host(_ text: String) throws -> (LanguageHost, path: String, Workspace) {
    let workspace = try Shop.workspace()
    try workspace.write(Self.declaration, to: "Queries/Functions.sql")
    try workspace.write(text, to: "Queries/Z.sql")
    return (LanguageHost(workspace), "\(workspace.path)/Queries/Z.sql", workspace)
  }

  @Test func `are completed`() throws {
    for (text, label) in [("q: SELECT sl", "slug"), ("q: SELECT 1 FROM ser", "series")] {
      var (host, path, workspace) = try host(text)
      defer { withExtendedLifetime(workspace) {} }
      let offset = ByteOffset(text.utf8.count)
      let items = (host.withProject(of: path) { $0.completions(path, at: offset) } ?? nil)?.items
      #expect(items?.contains { $0.label == label } == true)
    }
  }

  @Test func `are described`() throws {
    var (host, path, workspace) = try host("q: SELECT slug(name) FROM customer;")
    defer { withExtendedLifetime(workspace) {} }
    let hover = host.withProject(of: path) { $0.hover(path, at: ByteOffset(12)) } ?? nil
    let text = try #require(hover).markdown
    #expect(text.contains("slug(title[, separator]) -> TEXT"))
    #expect(text.contains("A declared function."))
    #expect(text.contains("The part of an address."))
  }

  @Test func `are known in other files after they are edited`() throws {
    var (host, path, workspace) = try host("q: SELECT trimmed(name) FROM customer;")
    defer { withExtendedLifetime(workspace) {} }
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["unknown-function"])
    let functions = path.replacing("Z.sql", with: "Functions.sql")
    host.open(functions, text: "-- function: trimmed(text TEXT) -> TEXT\n", version: 1)
    host.finish()
    #expect(host.diagnostics(of: path).isEmpty)
    host.close(functions)
    host.finish()
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["unknown-function"])
  }
}

import Testing

@Suite struct `The expansion of @Table` {
  @Test func `reads, writes and names the columns`() throws {
    let expansion = try Plugin.expand(
      """
      @Table
      struct Track {
        var id: AutoId = 0, `default` = 0
        let kind = "track"
        @UnixDate var added: Date
        var album: OneRelation<Album>
        var writers = ManyRelation<Writer>(\\.album)
        var similar: Relations.RelationQuery<Track>
        static var count = 1
        var length: Int { 1 }
        var watched = 1 { didSet {} }
      }
      """, macro: "Table")
    #expect(expansion.diagnostics.map(\.message) == [])
    #expect(expansion.members == "")
    #expect(
      expansion.conformance == """
        extension App.Route: nonisolated HoltMacros.Table {
        nonisolated init(row: borrowing HoltMacros.Row) throws {
          self.id = try row.read(at: 0)
          self.`default` = try row.read(at: 1)
          self._added = try row.read(at: 3)
          self.album = try row.read(at: 4)
          self.watched = try row.read(at: 5)
        }

        nonisolated static var properties: [HoltMacros.RowProperty<App.Route>] {
          [
            .init(column: "id") { $0.id },
            .init(column: "default") { $0.`default` },
            .init(column: "kind") { $0.kind },
            .init(column: "added") { $0._added },
            .init(column: "album") { $0.album },
            .init(relation: "writers") { $0.writers },
            .init(relation: "similar") { $0.similar },
            .init(column: "watched") { $0.watched },
          ]
        }

        nonisolated struct Columns: Swift.Sendable {
          let id = HoltMacros.RelationExpression(column: "id", \\App.Route.id)
          let `default` = HoltMacros.RelationExpression(column: "default", \\App.Route.`default`)
          let kind = HoltMacros.RelationExpression(column: "kind", \\App.Route.kind)
          let added = HoltMacros.RelationExpression(column: "added", \\App.Route.added)
          let album = HoltMacros.RelationExpression(column: "album", \\App.Route.album)
          let watched = HoltMacros.RelationExpression(column: "watched", \\App.Route.watched)
        }

        nonisolated static var columns: Columns { Columns() }
        }
        """)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let source: String
    var conforms = false
    let parts: [String]
    var testDescription: String { source }
  }

  @Test(arguments: [
    Case(
      source: "@Table struct A { var id = 0; var b: OneRelation<B> }",
      parts: ["nonisolated init() {\n  self.b = .init()\n}"]),
    Case(
      source: "@Table public struct A { var id = 0 }",
      parts: [
        "public nonisolated init(row:", "public nonisolated static var properties",
        "public nonisolated struct Columns", "  public let id =",
      ]),
    Case(
      source: "@Table struct A: Table { var id = 0 }", conforms: true,
      parts: ["extension App.Route {\n"]),
    Case(
      source: """
        @Table struct A {
          var id = 0
          var b = ""
          var cached = 1
          enum CodingKeys: String, CodingKey { case b = "name", id }
        }
        """,
      parts: [
        "self.b = try row.read(at: 0)\n  self.id = try row.read(at: 1)\n}",
        #".init(column: "name") { $0.b },"#,
      ]),
    Case(
      source: "@available(macOS 15, *) @Table struct A { var id = 0 }",
      parts: ["@available(macOS 15, *)\nextension App.Route"]),
  ])
  func `follows the declaration`(_ expected: Case) throws {
    let expansion = try Plugin.expand(
      expected.source, conforms: expected.conforms, macro: "Table")
    #expect(expansion.diagnostics.map(\.message) == [])
    for part in expected.parts { #expect(expansion.conformance.contains(part), "\(part)") }
  }

  @Test func `is a model with a locked value`() throws {
    let expansion = try Plugin.expand(
      """
      @Table
      public final class Album: Model {
        struct Value: Table {
          var id: AutoId = 0
          var name = ""
          var year: Int?
          var ratio = -1.5
          var size = makeSize()
          var tracks = ManyRelation<Track>(\\.album)
          private var secret = 1
        }
        var year: Int { 1 }
      }
      """, conforms: true, macro: "Table")
    #expect(expansion.diagnostics.map(\.message) == [])
    #expect(expansion.conformance == "")
    #expect(
      expansion.members == """
        private nonisolated let storage: HoltMacros.ModelStorage<Value>

        public nonisolated init(_ value: Value) { storage = .init(value) }

        public nonisolated var value: Value {
          get { storage.value }
          set {
            storage.value = newValue
            didChange()
          }
        }

        public nonisolated var name: Swift.String {
          get { value.name }
          set { value.name = newValue }
        }

        public nonisolated var ratio: Swift.Double {
          get { value.ratio }
          set { value.ratio = newValue }
        }

        public nonisolated var tracks: ManyRelation<Track> { value.tracks }
        """)
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let source: String
    let message: String
    var testDescription: String { source }
  }

  @Test(arguments: [
    Fault(
      source: "@Table enum A {}", message: "@Table needs a struct or a class; 'A' is an enum"),
    Fault(
      source: "@Table struct A {\n#if DEBUG\nvar a = 1\n#endif\n}",
      message: "@Table does not support '#if': declare the properties of 'A' outside of it"),
    Fault(
      source: "@Table struct A { lazy var a = 1 }",
      message:
        "a lazy property can't be a column: make 'a' of 'A' a computed property, or remove 'lazy'"
    ),
    Fault(
      source: "@Table struct A { static var columns: Int { 1 } }",
      message: "@Table generates 'columns'; 'A' must not declare it"),
    Fault(
      source: "@Table struct A { init(row: borrowing Row) throws {} }",
      message: "@Table generates 'init(row:)'; 'A' must not declare it"),
    Fault(
      source: "@Table struct A { func encode(to encoder: any Encoder) throws {} }",
      message:
        "@Table accesses the properties directly, and would ignore 'encode(to:)': remove it, "
        + "or remove '@Table' from 'A' to use 'Codable'"),
  ])
  func `is empty for a declaration that it can't read`(_ fault: Fault) throws {
    let expansion = try Plugin.expand(fault.source, macro: "Table")
    #expect(expansion.diagnostics.map(\.message) == [fault.message])
    #expect(expansion.conformance == "")
  }

  @Test func `is refused for a type that the extension can't access`() throws {
    let expansion = try Plugin.expand(
      "@Table private struct A { var id = 0 }", in: ["struct Outer {}"], macro: "Table")
    #expect(
      expansion.diagnostics.map(\.message) == [
        "'private' hides 'A' from the extension that @Table generates; use 'fileprivate'"
      ])
  }
}

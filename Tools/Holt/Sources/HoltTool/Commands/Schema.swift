import ArgumentParser
import SQLiteCore
import Terminal

/// `holt schema`
struct Schema: ParsableCommand, JSONCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what a file holds, as SQL, Markdown, JSON, or a diagram.",
    discussion: """
      --format svg draws tables as boxes with their columns and keys, and references as lines: \
      a crow's foot is many rows, a bar one, a \
      ring none; the line of a reference that may be NULL is dashed, and `?` stands behind a \
      type that may be. By default the picture follows \
      its viewer's light or dark mode.

      Examples:

        holt schema towns.json
        holt schema app.sqlite --format markdown > SCHEMA.md
        holt schema app.sqlite --format svg > app.svg
      """)

  @Argument(help: "The file; - for the standard input.", completion: .file())
  var file: SourceArgument

  @Option(
    name: .shortAndLong, help: "How it is shown: sql, markdown, json or svg. By default sql.")
  var format: SchemaFormat?

  @Flag(help: "Short for --format json.")
  var json = false

  @Option(help: "What the file is. By default that is found out.")
  var sourceFormat: FileFormat?

  @Option(help: "The colours of the diagram: auto, light or dark.")
  var theme: DiagramTheme = .auto

  @Flag(
    name: .customLong("no-pager"), help: "Don't start $PAGER for what is longer than the screen.")
  var skipsPager = false

  var wantsJSON: Bool { json || format == .json }

  func run() throws {
    let workspace = try Workspace([file], format: sourceFormat)
    let connection = workspace.connection
    let out = Output(isPaged: !skipsPager)
    switch format ?? (json ? .json : .sql) {
    case .sql: out.write(try connection.databaseSchema().sql)
    case .markdown: out.write(try SchemaDocument(connection).markdown)
    case .json: out.write(try SchemaDocument(connection).json + "\n")
    case .svg: out.write(try SVGDiagram(SchemaDiagram(connection), theme: theme).text)
    }
    try out.finish()
  }
}

/// The values of `schema --format`.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument { case sql, markdown, json, svg }

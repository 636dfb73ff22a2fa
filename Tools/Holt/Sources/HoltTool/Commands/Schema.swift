import ArgumentParser
import SQLiteCore
import Terminal

/// `holt schema`
struct Schema: AsyncParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a file's schema as SQL, Markdown, JSON or a diagram.",
    discussion: """
      --format svg draws tables as boxes with their columns and keys, and foreign keys as \
      lines: a crow's foot means many rows, a bar one row, a ring zero rows. The line of a \
      nullable foreign key is dashed, and the type of a nullable column has the suffix `?`. By \
      default, the diagram follows the viewer's light or dark mode.

      For a PostgreSQL database, sql is a script that PostgreSQL accepts. The other formats show \
      its tables with SQLite's types.

      Examples:

        holt schema towns.json
        holt schema app.sqlite --format markdown > SCHEMA.md
        holt schema app.sqlite --format svg > app.svg
      """)

  @Argument(help: "The file, or - for standard input.", completion: .file())
  var file: SourceArgument

  @Option(
    name: .shortAndLong, help: "The output format: sql, markdown, json or svg. By default, sql.")
  var format: SchemaFormat?

  @Flag(help: "Short for --format json.")
  var json = false

  @Option(help: "The file's format. By default, it is detected.")
  var sourceFormat: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Option(help: "The colors of the diagram: auto, light or dark.")
  var theme: DiagramTheme = .auto

  @Flag(
    name: .customLong("no-pager"),
    help: "Don't start $PAGER for output that is longer than the screen.")
  var skipsPager = false

  @Option(help: "PostgreSQL: the schema of the objects.")
  var schema = "public"

  var wantsJSON: Bool { json || format == .json }

  func run() async throws {
    if file.isServer { return try await showServer() }
    let workspace = try Workspace([file], input.values(format: sourceFormat))
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

extension Schema {
  /// Shows the schema of a PostgreSQL database.
  private func showServer() async throws {
    let source = try ServerSource(file, schema: schema)
    let (catalog, counts) = try await source.read(countsRows: format == .markdown || wantsJSON)
    let out = Output(isPaged: !skipsPager)
    if format ?? (json ? .json : .sql) == .sql {
      out.write(catalog.sql)
      return try out.finish()
    }
    let connection = try catalog.sqliteSchema().connection
    switch format {
    case .svg: out.write(try SVGDiagram(SchemaDiagram(connection), theme: theme).text)
    case .markdown: out.write(try SchemaDocument(connection, rowCounts: counts).markdown)
    default: out.write(try SchemaDocument(connection, rowCounts: counts).json + "\n")
    }
    try out.finish()
  }
}

/// The values of `schema --format`.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument { case sql, markdown, json, svg }

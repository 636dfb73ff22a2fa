internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// What a project's migrations make.
public struct ProjectSchema: Hashable, Sendable {
  /// A migration, as its file has it.
  public struct Migration: Hashable, Sendable {
    public var name: String
    public var path: String
    public var sql: String
  }

  /// What is wrong with the configuration and the migrations; queries are not looked at.
  public var outcome: Driver.Outcome
  /// In the order in which they run.
  public var migrations: [Migration] = []
  /// The schema after the last one, as formatted statements with the comments above them.
  public var sql = ""
}

extension Driver {
  /// Replays the migrations.
  public func projectSchema() -> ProjectSchema {
    let input = Input(options)
    let (compilation, parsed) = analyze(input)
    var schema = ProjectSchema(
      outcome: Outcome(
        compilation.otherFiles + compilation.migrations, compilation.failures,
        usesColor: options.usesColor))
    schema.outcome.parsed = parsed
    schema.outcome.tableCount = compilation.project.tables.count
    schema.migrations = zip(compilation.migrations, compilation.project.migrations).map {
      ProjectSchema.Migration(name: $0.name, path: $0.path, sql: $1.sql)
    }
    schema.sql = Self.text(
      of: compilation.catalog.statements(), SQLFormatter(options: input.configuration.format))
    return schema
  }

  private static func text(
    of statements: [Catalog.SchemaStatement], _ formatter: SQLFormatter
  ) -> String {
    statements.map { statement in
      let comment = (statement.documentation ?? "").split(separator: "\n").map { "-- \($0)\n" }
      let text = comment.joined() + statement.sql + ";\n"
      guard case .formatted(let bytes) = formatter.format(Array(text.utf8), path: "schema")
      else { return text }
      return String(decoding: bytes, as: UTF8.self)
    }.joined(separator: "\n")
  }
}

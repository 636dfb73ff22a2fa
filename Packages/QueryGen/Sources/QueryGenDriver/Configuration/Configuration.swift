internal import QueryModel
internal import SQLSyntax

/// What `querygen.yaml` says: where a project's files are, and what is made of them.
///
/// ```yaml
/// path: Sources/App
/// access: public
/// database: Library
/// types: { DATETIME: Date }
/// tables:
///   user_accounts:
///     name: Member
///     columns:
///       tags: { type: "[String]", as: json }
/// ```
struct Configuration: Hashable, Sendable {
  /// The name of the file, in a project's folder.
  static let fileName = "querygen.yaml"

  /// The project's folder, as seen from the file's.
  var path: String?
  /// The folders of the migrations and of the queries, in the project's folder.
  var migrations = "Migrations"
  var queries = "Queries"
  /// The folder that generated files go to, as seen from the project's.
  var output = "Generated"
  /// The SQLite that the statements are for.
  var target = SQLiteVersion.standard
  /// What is chosen about the generated code.
  var generation = GenerationOptions()
  /// How `format` writes SQL.
  var format = FormatOptions()
  /// What it says about tables and queries, and where: they may not be there.
  var references: [Reference] = []

  init() {}

  /// A name in the file that has to be one in the project.
  struct Reference: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
      case table(String)
      case column(String, of: String)
      case query(String)
      case resultColumn(String, of: String)
      case parameter(String, of: String)
    }

    var subject: Subject
    var span: ByteSpan
  }
}

public import QueryModel
public import SQLSyntax

/// The settings of `querygen.yaml`: the locations of a project's files, and options for the
/// generated code.
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
public struct ProjectConfiguration: Hashable, Sendable {
  /// The name of the file, in the project's folder.
  public static let fileName = "querygen.yaml"

  /// The path of the project's folder, relative to the file's.
  public var path: String?
  /// The folders of the migrations, the queries and the temporary objects, relative to the
  /// project's.
  public var migrations = "Migrations"
  public var queries = "Queries"
  public var temporary = "Temporary"
  /// The folder for generated files, relative to the project's.
  var output = "Generated"
  /// The SQLite version that the statements must be valid for.
  public var target = SQLiteVersion.standard
  /// The options for generated code.
  public var generation = GenerationOptions()
  /// The options for `querygen format`.
  public var format = FormatOptions()
  /// The settings for plans.
  public var plans = PlanSettings()
  /// The tables, queries and parameters that the file names. They may not exist in the project.
  public var references: [Reference] = []

  /// The declared functions, collations and modules.
  public var declarations: [Declared] = []
  /// The databases to attach, in order.
  public var attachments: [Attachment] = []

  public init() {}

  /// A declaration, which is written as in a comment, without the keyword.
  public struct Declared: Hashable, Sendable {
    public var kind: Declaration.Kind
    public var text: String
    public var span: ByteSpan
  }

  /// A database that is attached to each connection.
  public struct Attachment: Hashable, Sendable {
    /// The name of the schema.
    public var schema: String
    /// The database's folder, relative to the file.
    public var folder: String
    public var span: ByteSpan
  }

  /// A name in the file that must exist in the project.
  public struct Reference: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
      case table(String)
      case column(String, of: String)
      case query(String)
      case resultColumn(String, of: String)
      case parameter(String, of: String)
    }

    public var subject: Subject
    public var span: ByteSpan
  }
}

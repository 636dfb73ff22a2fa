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
  /// The SQLite that the statements are for; `nil` for the one whose dialect is known best.
  var sqlite: SQLiteVersion?
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

/// A release of SQLite.
struct SQLiteVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  var major: Int
  var minor: Int
  var patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads `3.40` or `3.40.1`; `nil` for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } && part.utf8.count < 4 ? Int(part) : nil
    }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return nil }
    self.init(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
  }

  var description: String { "\(major).\(minor)" + (patch == 0 ? "" : ".\(patch)") }

  static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }
}

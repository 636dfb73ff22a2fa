/// An error of the app. Database errors are thrown as `SQLiteError`.
enum AtlasError: Error, Hashable {
  /// A data file is missing. It is part of the Debian package `package`.
  case missingData(path: String, package: String)
  /// A data file has invalid content.
  case unreadable(path: String, line: Int?, reason: String)
  /// The answers to these questions differ between two databases.
  case answersDiffer([String])
}

extension AtlasError: CustomStringConvertible {
  var description: String {
    switch self {
    case .missingData(let path, let package):
      """
      The file \(path) does not exist.
      It is part of the Debian package \(package): run `make setup`, or \
      `apt-get install \(package)`.
      If the data is in another folder, pass --iso-codes FOLDER or --zones FOLDER.
      """
    case .unreadable(let path, let line, let reason):
      line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
    case .answersDiffer(let questions):
      "The answers of PostgreSQL and SQLite differ:\n" + questions.joined(separator: "\n")
    }
  }
}

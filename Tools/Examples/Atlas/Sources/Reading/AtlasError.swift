/// Why the atlas can't be made. What the engine refuses is an `SQLiteError` instead.
enum AtlasError: Error, Hashable {
  /// A data file is not there; the Debian package that holds it is `package`.
  case missingData(path: String, package: String)
  /// A data file says something that the reader does not understand.
  case unreadable(path: String, line: Int?, reason: String)
}

extension AtlasError: CustomStringConvertible {
  var description: String {
    switch self {
    case .missingData(let path, let package):
      """
      There is no \(path).
      It comes with the Debian package \(package): run `make setup`, or \
      `apt-get install \(package)`.
      Where the data is elsewhere, say so with --iso-codes FOLDER or --zones FOLDER.
      """
    case .unreadable(let path, let line, let reason):
      line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
    }
  }
}

import ArgumentParser
import Foundation

/// A source given on the command line: a path, or `NAME=PATH`.
struct SourceArgument: ExpressibleByArgument, Hashable {
  /// The schema name in SQL; `nil` to derive it from the path.
  var name: String?
  /// The path, or `-` for standard input.
  var path: String

  init(name: String? = nil, path: String) {
    self.name = name
    self.path = path
  }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = argument
    guard !FileManager.default.fileExists(atPath: argument),
      let equals = argument.firstIndex(of: "=")
    else { return }
    let name = argument[..<equals]
    let rest = argument[argument.index(after: equals)...]
    // An argument with a slash before the equals sign is a path.
    guard !name.isEmpty, !name.contains("/"), !rest.isEmpty else { return }
    self.name = String(name)
    path = String(rest)
  }

  var isStandardInput: Bool { path == "-" }

  /// Indicates whether the source is a PostgreSQL database.
  var isServer: Bool { ServerAddress.isURL(path) }

  /// The default schema name: the file's name without folders and extensions.
  var stem: String {
    if let name { return name }
    if isStandardInput { return "stdin" }
    let file = (path as NSString).lastPathComponent
    let stem = file.dropFirst().prefix { $0 != "." }
    return String(file.prefix(1)) + stem
  }
}

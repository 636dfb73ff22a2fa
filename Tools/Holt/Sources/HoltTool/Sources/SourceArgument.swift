import ArgumentParser
import Foundation

/// A source as the command line names it: a path, or `NAME=PATH`.
struct SourceArgument: ExpressibleByArgument, Hashable {
  /// What SQL calls it; `nil` where the path says.
  var name: String?
  /// `-` for the standard input.
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
    // What has a slash in front of the sign is a path.
    guard !name.isEmpty, !name.contains("/"), !rest.isEmpty else { return }
    self.name = String(name)
    path = String(rest)
  }

  var isStandardInput: Bool { path == "-" }

  /// What it is called unless something else is called so: the file's name without folders and extensions.
  var stem: String {
    if let name { return name }
    if isStandardInput { return "stdin" }
    let file = (path as NSString).lastPathComponent
    let stem = file.dropFirst().prefix { $0 != "." }
    return String(file.prefix(1)) + stem
  }
}

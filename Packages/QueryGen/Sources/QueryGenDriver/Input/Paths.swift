/// Paths, as texts.
enum Paths {
  /// The path of `name` as seen from `folder`; a full path stays what it is.
  static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") || folder == "." { return name }
    if name == "." { return folder }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A folder's path without slashes at its end.
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// The number at the beginning of a migration's name: 1 for `001_init`, 20240131 for
/// `20240131_users`.
///
/// It may have any number of digits, so that dates and times of any precision are valid.
struct MigrationNumber: Comparable {
  private let digits: String

  /// Creates a number from a name; `nil` if the name does not begin with a digit.
  init?(_ name: String) {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    self.digits = String(digits.drop { $0 == "0" })
  }

  static func < (a: MigrationNumber, b: MigrationNumber) -> Bool {
    a.digits.count != b.digits.count ? a.digits.count < b.digits.count : a.digits < b.digits
  }
}

/// Operations on paths as strings.
public enum Paths {
  /// Returns the path of `name`, which is relative to `folder` unless it is absolute.
  public static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") || folder == "." { return name }
    if name == "." { return folder }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the folder that contains a file.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns a path without `.` and, if possible, without `..`.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
  }

  /// Returns a path without trailing slashes.
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// The number that a migration's name begins with: `001_init` is 1, `20240131_users` is large.
///
/// It may have any number of digits, so dates and times of any precision can be one.
struct MigrationNumber: Comparable {
  private let digits: String

  /// `nil` where the name begins with no digit.
  init?(_ name: String) {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    self.digits = String(digits.drop { $0 == "0" })
  }

  static func < (a: MigrationNumber, b: MigrationNumber) -> Bool {
    a.digits.count != b.digits.count ? a.digits.count < b.digits.count : a.digits < b.digits
  }
}

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

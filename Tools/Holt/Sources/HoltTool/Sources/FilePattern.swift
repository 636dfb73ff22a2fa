import Foundation

/// A pattern that matches paths: `*` and `?` match characters of a name, `[a-z]` one of several
/// characters, and `**` any folders.
struct FilePattern {
  private let path: String

  /// - Returns: `nil` if the path contains no pattern, or if a file with exactly this name exists.
  init?(_ path: String) {
    guard path.contains(where: { "*?[".contains($0) }), !OpenedFile.exists(path) else {
      return nil
    }
    self.path = path
  }

  /// Returns the files that match, sorted by path.
  func files() -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let name = parts.popLast() ?? ""
    var folders = [path.hasPrefix("/") ? "/" : ""]
    for part in parts {
      folders = folders.flatMap { folder -> [String] in
        if part == "**" { return [folder] + Self.subfolders(of: folder) }
        guard part.contains(where: { "*?[".contains($0) }) else { return ["\(folder)\(part)/"] }
        return Self.names(in: folder).filter { Self.matches($0, part) }.map { "\(folder)\($0)/" }
          .filter(Self.isFolder)
      }
    }
    return folders.flatMap { folder in
      Self.names(in: folder).filter { Self.matches($0, name) }.map { folder + $0 }
    }.filter { !Self.isFolder($0) }.sorted()
  }

  /// The default name of the files' table: the pattern's name without its extension and without the
  /// special characters.
  var stem: String {
    let name = (path as NSString).lastPathComponent.prefix { $0 != "." }
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.isEmpty ? "files" : words.joined(separator: "_")
  }

  private static func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    let attributes = try? OpenedFile.attributes(of: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  private static func subfolders(of folder: String) -> [String] {
    names(in: folder).filter { !$0.hasPrefix(".") }.map { "\(folder)\($0)/" }.filter(isFolder)
      .flatMap { [$0] + subfolders(of: $0) }
  }

  /// Returns whether a pattern matches a whole name. A leading `.` must be written in the pattern.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    if name.hasPrefix("."), !pattern.hasPrefix(".") { return false }
    return matches(Array(name)[...], Array(pattern)[...])
  }

  private static func matches(_ name: ArraySlice<Character>, _ pattern: ArraySlice<Character>)
    -> Bool
  {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*":
      return (name.startIndex...name.endIndex).contains { matches(name[$0...], rest) }
    case "?": return !name.isEmpty && matches(name.dropFirst(), rest)
    case "[":
      guard let end = rest.dropFirst().firstIndex(of: "]"), let character = name.first else {
        return false
      }
      return isIn(character, rest[..<end]) && matches(name.dropFirst(), rest[(end + 1)...])
    default: return name.first == first && matches(name.dropFirst(), rest)
    }
  }

  private static func isIn(_ character: Character, _ set: ArraySlice<Character>) -> Bool {
    let isNegated = set.first == "!" || set.first == "^"
    var set = isNegated ? set.dropFirst() : set
    var isFound = false
    while let first = set.popFirst() {
      if set.first == "-", let last = set.dropFirst().first {
        isFound = isFound || first <= character && character <= last
        set = set.dropFirst(2)
      } else {
        isFound = isFound || first == character
      }
    }
    return isFound != isNegated
  }
}

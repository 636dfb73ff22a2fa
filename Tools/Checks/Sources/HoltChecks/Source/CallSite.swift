/// The part of the repository that contains a Swift file, determined by its path.
enum CallSite: Equatable {
  /// The sources of a target.
  case target(String)
  /// The tests of a package or of the repository.
  case tests

  /// - Returns: `nil` for files outside `Packages`, `Tools` and `Tests`, and for manifests.
  init?(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard let top = parts.first, ["Packages", "Tools", "Tests"].contains(top),
      parts.last != "Package.swift"
    else { return nil }
    if parts.dropLast().contains("Tests") {
      self = .tests
    } else if let folder = parts.firstIndex(where: { $0 == "Sources" || $0 == "Plugins" }),
      folder + 2 < parts.count, parts[1] != "Examples"
    {
      self = .target(parts[folder + 1])
    } else if parts.starts(with: ["Tools", "Examples"]), parts.count > 3 {
      self = .target(parts[2])
    } else {
      return nil
    }
  }
}

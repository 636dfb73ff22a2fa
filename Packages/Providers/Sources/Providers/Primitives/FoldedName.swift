internal import SQLiteCore

/// A name that is compared as SQLite compares names.
struct FoldedName: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (a: FoldedName, b: FoldedName) -> Bool { SQLName.isSame(a.name, b.name) }
  func hash(into hasher: inout Hasher) { SQLName.hash(name, into: &hasher) }
}

extension Set<FoldedName> {
  /// Inserts a name, or the name with the first suffix of `_2`, `_3` and so on that makes it
  /// unique.
  ///
  /// - Returns: The inserted name.
  mutating func insertUnique(_ name: String) -> String {
    var unique = name
    var number = 2
    while !insert(FoldedName(unique)).inserted {
      unique = "\(name)_\(number)"
      number += 1
    }
    return unique
  }
}

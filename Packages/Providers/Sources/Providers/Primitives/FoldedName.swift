internal import SQLiteCore

/// A name that is compared as SQLite compares names.
struct FoldedName: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (a: FoldedName, b: FoldedName) -> Bool { SQLName.isSame(a.name, b.name) }
  func hash(into hasher: inout Hasher) { SQLName.hash(name, into: &hasher) }
}

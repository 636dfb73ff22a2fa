internal import SQLiteCore

/// A name that equals another one where SQLite takes the two for one.
struct FoldedName: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (a: FoldedName, b: FoldedName) -> Bool { SQLName.isSame(a.name, b.name) }
  func hash(into hasher: inout Hasher) { SQLName.hash(name, into: &hasher) }
}

internal import Primitives

/// A name in the form that SQLite compares: case-insensitive for ASCII letters, exact for all other
/// characters.
struct NameKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name with its ASCII letters in lowercase.
  let folded: String

  init(_ name: some StringProtocol) { folded = name.asciiLowercased }

  var description: String { folded }

  static func < (left: NameKey, right: NameKey) -> Bool { left.folded < right.folded }

  /// Indicates whether the name is one of the rowid's names.
  var isRowID: Bool { folded == "rowid" || folded == "oid" || folded == "_rowid_" }
}

extension NameKey: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self.init(value) }
}

extension SPONValue {
  /// What changes one value into another: a list of changes, each with the path to where it is made.
  ///
  /// ```swift
  /// let old: SPONValue = ["name": "Ada", "tags": ["a", "b"]]
  /// let new: SPONValue = ["name": "Eva", "tags": ["b", "c"]]
  /// let difference = old.difference(to: new)
  /// print(difference)
  /// // ~ name: `Ada` → `Eva`
  /// // - tags[0]: `a`
  /// // + tags[1]: `c`
  /// print(try old.applying(difference) == new)  // true
  /// ```
  ///
  /// Changes are made one after the other: the path of each counts in what the ones before have made. In an
  /// array, ``Change/added(_:_:)`` moves what follows up, and ``Change/removed(_:_:)`` moves it down. The
  /// order of an object's keys is no part of its value, and so none of a difference.
  public struct Difference: Hashable, Sendable {
    /// The changes, in the order in which they are made.
    public var changes: [Change]

    public init(_ changes: [Change] = []) { self.changes = changes }

    /// One change. Two are equal if all of their parts are.
    public enum Change: Hashable, Sendable {
      /// A key that an object did not have, or an element that is inserted into an array.
      case added(SPONPath, SPONValue)
      /// A key or an element that is no more, and what it was.
      case removed(SPONPath, SPONValue)
      /// A value that another one replaces.
      case changed(SPONPath, from: SPONValue, to: SPONValue)
      /// An object with another type name; empty where there is none.
      case renamed(SPONPath, from: String, to: String)

      /// Where the change is made.
      public var path: SPONPath {
        switch self {
        case .added(let path, _), .removed(let path, _), .changed(let path, _, _),
          .renamed(let path, _, _):
          path
        }
      }

      /// What undoes the change.
      public var inverted: Change {
        switch self {
        case .added(let path, let value): .removed(path, value)
        case .removed(let path, let value): .added(path, value)
        case .changed(let path, let old, let new): .changed(path, from: new, to: old)
        case .renamed(let path, let old, let new): .renamed(path, from: new, to: old)
        }
      }
    }

    /// Whether nothing is changed.
    public var isEmpty: Bool { changes.isEmpty }
    public var count: Int { changes.count }

    /// The difference the other way round: what this one makes, it makes undone.
    public var inverted: Difference { Difference(changes.reversed().map(\.inverted)) }
  }
}

extension SPONValue.Difference.Change: CustomStringConvertible {
  /// The change on one line: `+` added, `-` removed, `~` changed, `:` another type name.
  public var description: String {
    switch self {
    case .added(let path, let value): "+ \(path.shown): \(value)"
    case .removed(let path, let value): "- \(path.shown): \(value)"
    case .changed(let path, let old, let new): "~ \(path.shown): \(old) → \(new)"
    case .renamed(let path, let old, let new): ": \(path.shown): \(old.shown) → \(new.shown)"
    }
  }
}

extension SPONValue.Difference: CustomStringConvertible {
  /// A line for each change; nothing where there is none.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension SPONPath {
  fileprivate var shown: String { isEmpty ? "(root)" : description }
}

extension String {
  /// A type name in a message.
  fileprivate var shown: String { isEmpty ? "(no type name)" : self }
}

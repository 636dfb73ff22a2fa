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

extension SPONValue {
  /// What changes this value into another one.
  ///
  /// Objects are compared key by key, whatever their type names are. Of arrays, the least number of
  /// elements is removed and added, as long as it is not too large; elements that stand in for one another
  /// are compared in turn. Arrays that have little in common are compared index by index.
  ///
  /// `try applying(difference(to: other))` is `other`, always.
  ///
  /// - Complexity: O(*n* · *d*) in the number of values and how deep they are nested, and for arrays
  ///   besides O(*n* · *c*) in their elements and their changes, of which a thousand count at most.
  public func difference(to other: SPONValue) -> Difference {
    var comparison = Comparison()
    comparison.compare(self, other)
    return Difference(comparison.changes)
  }
}

/// Two values on the way to their difference.
private struct Comparison {
  private(set) var changes: [SPONValue.Difference.Change] = []
  private var path = SPONPath()
  private let depthLimit = SPONValue.Limits().depth

  mutating func compare(_ old: SPONValue, _ new: SPONValue) {
    // What is nested deeper than can be written is one change.
    switch (old, new) {
    case (.object(let old), .object(let new)) where path.count < depthLimit:
      compare(old, new)
    case (.array(let old), .array(let new)) where path.count < depthLimit:
      compare(old, new)
    default:
      if old != new { changes.append(.changed(path, from: old, to: new)) }
    }
  }

  private mutating func compare(_ old: SPONObject, _ new: SPONObject) {
    if !old.typeName.isSameUTF8(as: new.typeName) {
      changes.append(.renamed(path, from: old.typeName, to: new.typeName))
    }
    for (key, value) in old {
      path.steps.append(.key(key))
      if let other = new[key] {
        compare(value, other)
      } else {
        changes.append(.removed(path, value))
      }
      path.steps.removeLast()
    }
    for (key, value) in new where old.place(of: key) == nil {
      changes.append(.added(path.appending(.key(key)), value))
    }
  }

  private mutating func compare(_ old: [SPONValue], _ new: [SPONValue]) {
    // Where the next element stands in the array as it is by then.
    var place = 0
    var (oldAt, newAt) = (0, 0)
    for match in ArrayMatching.matches(old, new) {
      replace(old[oldAt..<match.old], new[newAt..<match.new], at: &place)
      place += match.count
      oldAt = match.old + match.count
      newAt = match.new + match.count
    }
    replace(old[oldAt...], new[newAt...], at: &place)
  }

  /// Elements that others stand in for: pair by pair, and what is left over added or removed.
  private mutating func replace(
    _ old: ArraySlice<SPONValue>, _ new: ArraySlice<SPONValue>, at place: inout Int
  ) {
    for (old, new) in zip(old, new) {
      path.steps.append(.index(place))
      compare(old, new)
      path.steps.removeLast()
      place += 1
    }
    // From the last one, so that the inverse adds from the first one.
    for offset in stride(from: old.count - 1, through: new.count, by: -1) {
      let index = place + offset - new.count
      changes.append(.removed(path.appending(.index(index)), old[old.startIndex + offset]))
    }
    for value in new.dropFirst(old.count) {
      changes.append(.added(path.appending(.index(place)), value))
      place += 1
    }
  }
}

extension SPONValue {
  /// The difference between two values: a list of changes, each with its path.
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
  /// Changes are applied in order: the path of each refers to the value after the previous ones. In
  /// an array, ``Change/added(_:_:)`` moves the following elements up, and ``Change/removed(_:_:)``
  /// moves them down. The order of an object's keys is not part of its value, so it is ignored.
  public struct Difference: Hashable, Sendable {
    /// The changes, in the order in which they are applied.
    public var changes: [Change]

    public init(_ changes: [Change] = []) { self.changes = changes }

    /// A change. Two changes are equal if all of their parts are.
    public enum Change: Hashable, Sendable {
      /// A key that was added to an object, or an element that was inserted into an array.
      case added(SPONPath, SPONValue)
      /// A key or an element that was removed, with its value.
      case removed(SPONPath, SPONValue)
      /// A value that was replaced.
      case changed(SPONPath, from: SPONValue, to: SPONValue)
      /// A new type name of an object. An empty string means no type name.
      case typeNameChanged(SPONPath, from: String, to: String)

      /// The path of the change.
      public var path: SPONPath {
        switch self {
        case .added(let path, _), .removed(let path, _), .changed(let path, _, _),
          .typeNameChanged(let path, _, _):
          path
        }
      }

      /// The change that reverts this one.
      public var inverted: Change {
        switch self {
        case .added(let path, let value): .removed(path, value)
        case .removed(let path, let value): .added(path, value)
        case .changed(let path, let old, let new): .changed(path, from: new, to: old)
        case .typeNameChanged(let path, let old, let new):
          .typeNameChanged(path, from: new, to: old)
        }
      }
    }

    /// A Boolean value that indicates whether there are no changes.
    public var isEmpty: Bool { changes.isEmpty }
    public var count: Int { changes.count }

    /// The inverse difference, which reverts this one.
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
    case .typeNameChanged(let path, let old, let new):
      ": \(path.shown): \(old.shown) → \(new.shown)"
    }
  }
}

extension SPONValue.Difference: CustomStringConvertible {
  /// One line for each change; empty if there are none.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

extension SPONPath {
  fileprivate var shown: String { isEmpty ? "(root)" : description }
}

extension String {
  /// The type name in a message.
  fileprivate var shown: String { isEmpty ? "(no type name)" : self }
}

extension SPONValue {
  /// Returns the difference that changes this value into another one.
  ///
  /// Objects are compared key by key, even if their type names differ. For arrays, the number of
  /// removed and added elements is minimal unless it is large; elements that replace each other are
  /// compared recursively. Arrays with little in common are compared index by index.
  ///
  /// `try applying(difference(to: other))` is always equal to `other`.
  ///
  /// - Complexity: O(*n* · *d*) in the number of values and their nesting depth. For arrays, also
  ///   O(*n* · *c*) in the number of elements and of changes, which is limited to a thousand.
  public func difference(to other: SPONValue) -> Difference {
    var comparison = Comparison()
    comparison.compare(self, other)
    return Difference(comparison.changes)
  }
}

/// Computes the difference between two values.
private struct Comparison {
  private(set) var changes: [SPONValue.Difference.Change] = []
  private var path = SPONPath()
  private let depthLimit = SPONValue.Limits().depth

  mutating func compare(_ old: SPONValue, _ new: SPONValue) {
    // Values that are nested too deeply to be written are compared as a whole.
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
      changes.append(.typeNameChanged(path, from: old.typeName, to: new.typeName))
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
    // The index of the next element in the array at this stage.
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

  /// Compares replaced elements pair by pair, and removes or adds the remaining ones.
  private mutating func replace(
    _ old: ArraySlice<SPONValue>, _ new: ArraySlice<SPONValue>, at place: inout Int
  ) {
    for (old, new) in zip(old, new) {
      path.steps.append(.index(place))
      compare(old, new)
      path.steps.removeLast()
      place += 1
    }
    // In descending order, so that the inverse adds elements in ascending order.
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

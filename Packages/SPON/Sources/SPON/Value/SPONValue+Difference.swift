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

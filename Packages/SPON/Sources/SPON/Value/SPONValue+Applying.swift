extension SPONValue {
  /// Returns the value after applying a difference.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/conflictingDifference`` if a value that is
  ///   removed or changed is not the one recorded in the difference, or if a key that is added
  ///   already exists. The error's `codingPath` is the path of the conflict. Values that the
  ///   difference does not affect are not checked.
  /// - Complexity: O(*n*) in the number of changes and of the elements that they move. Adjacent
  ///   changes in an array move the elements only once.
  public func applying(_ difference: Difference) throws(SPONError) -> SPONValue {
    var value = self
    try value.apply(difference.changes[...])
    return value
  }

  private mutating func apply(
    _ changes: ArraySlice<Difference.Change>
  ) throws(SPONError) {
    var changes = changes
    while let change = changes.first {
      let path = change.path
      guard path.count <= Limits.greatestDepth else {
        throw SPONError(.tooDeep, "the path has more than \(Limits.greatestDepth) steps")
      }
      let run = Self.run(changes)
      if run.count > 1, let parent = path.parent {
        try withValue(parent.steps[...], path) { (array) throws(SPONError) in
          try array.apply(run: run)
        }
      } else {
        switch change {
        case .changed(_, let old, let new):
          try withValue(path.steps[...], path) { (value) throws(SPONError) in
            guard value == old else {
              throw path.conflictError("the value differs from the expected one")
            }
            value = new
          }
        case .typeNameChanged(_, let old, let new):
          try withValue(path.steps[...], path) { (value) throws(SPONError) in
            try value.rename(from: old, to: new, path)
          }
        case .added(_, let new): try add(new, path)
        case .removed(_, let old): try remove(old, path)
        }
      }
      changes = changes.dropFirst(run.count)
    }
  }

  // MARK: Single changes

  private mutating func rename(
    from old: String, to new: String, _ path: SPONPath
  ) throws(SPONError) {
    guard case .object(let object) = self, object.typeName.isSameUTF8(as: old) else {
      throw path.conflictError("there is no object with the type name \"\(old)\"")
    }
    if var object = takeObject() {
      object.typeName = new
      self = .object(object)
    }
  }

  private mutating func add(_ value: SPONValue, _ path: SPONPath) throws(SPONError) {
    guard let last = path.steps.last else {
      throw path.conflictError("nothing can be added at the root")
    }
    try withValue(path.steps.dropLast(), path) { (container) throws(SPONError) in
      switch last {
      case .key(let key): try container.add(value, forKey: key, path)
      case .index(let index): try container.insert([value], at: index, path)
      }
    }
  }

  private mutating func add(
    _ value: SPONValue, forKey key: String, _ path: SPONPath
  ) throws(SPONError) {
    guard case .object(let object) = self else { throw path.conflictError("\(kind) has no keys") }
    guard object.place(of: key) == nil else {
      throw path.conflictError("the object has the key \"\(key)\" already")
    }
    self[key] = value
  }

  private mutating func insert(
    _ values: [SPONValue], at index: Int, _ path: SPONPath
  ) throws(SPONError) {
    guard var elements = takeArray() else { throw path.conflictError("\(kind) has no elements") }
    defer { self = .array(elements) }
    guard (0...elements.count).contains(index) else {
      throw path.conflictError("the array has \(elements.count) elements")
    }
    elements.insert(contentsOf: values, at: index)
  }

  private mutating func remove(_ value: SPONValue, _ path: SPONPath) throws(SPONError) {
    guard let last = path.steps.last else {
      throw path.conflictError("the root can't be removed")
    }
    try withValue(path.steps.dropLast(), path) { (container) throws(SPONError) in
      guard let found = container[step: last] else {
        throw path.conflictError("the value is missing")
      }
      guard found == value else {
        throw path.conflictError("the value differs from the expected one")
      }
      container[step: last] = nil
    }
  }

  // MARK: Adjacent elements

  /// Returns the first changes if they add consecutive elements in ascending order, or remove
  /// consecutive elements in descending order; otherwise only the first one.
  private static func run(
    _ changes: ArraySlice<Difference.Change>
  ) -> ArraySlice<Difference.Change> {
    guard let first = changes.first, case .index(var last) = first.path.steps.last else {
      return changes.prefix(1)
    }
    var end = changes.startIndex + 1
    while end < changes.endIndex {
      let path = changes[end].path
      guard path.count == first.path.count, case .index(let index) = path.steps.last,
        path.steps.dropLast() == first.path.steps.dropLast()
      else { break }
      switch (first, changes[end]) {
      case (.added, .added) where last < .max && index == last + 1,
        (.removed, .removed) where last > .min && index == last - 1:
        last = index
      default: return changes[changes.startIndex..<end]
      }
      end += 1
    }
    return changes[changes.startIndex..<end]
  }

  private mutating func apply(
    run: ArraySlice<Difference.Change>
  ) throws(SPONError) {
    guard let first = run.first, let last = run.last,
      case .index(let start) = first.path.steps.last, case .index(let end) = last.path.steps.last
    else { return }
    if case .added = first { return try insert(run.map(\.value), at: start, first.path) }
    guard var elements = takeArray() else {
      throw first.path.conflictError("\(kind) has no elements")
    }
    defer { self = .array(elements) }
    guard end >= 0, start < elements.count else {
      throw first.path.conflictError("the array has \(elements.count) elements")
    }
    for (index, change) in zip(stride(from: start, through: end, by: -1), run)
    where elements[index] != change.value {
      throw change.path.conflictError("the value differs from the expected one")
    }
    elements.removeSubrange(end...start)
  }

  /// Modifies the value at the end of some steps, which are a prefix of the change's path.
  private mutating func withValue(
    _ steps: ArraySlice<SPONPath.Key>, _ path: SPONPath,
    _ change: (inout SPONValue) throws(SPONError) -> Void
  ) throws(SPONError) {
    let taken = try withValue(at: steps, missing: nil, change)
    guard taken == steps.count else {
      throw SPONPath(Array(path.steps[...taken])).conflictError("the value is missing")
    }
  }
}

extension SPONValue.Difference.Change {
  /// The value that is added or removed.
  fileprivate var value: SPONValue {
    switch self {
    case .added(_, let value), .removed(_, let value), .changed(_, let value, _): value
    case .typeNameChanged: .null
    }
  }
}

extension SPONPath {
  /// Returns an error for a difference that conflicts with the value at this path.
  fileprivate func conflictError(_ message: String) -> SPONError {
    SPONError(
      .conflictingDifference, "the difference conflicts with the value: \(message)", in: steps)
  }
}

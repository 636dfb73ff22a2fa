extension SPONValue {
  /// The value that a path leads to; `nil` where it leads nowhere.
  ///
  /// Setting a value makes the objects and arrays on the way that are missing or null; setting `nil`
  /// removes the value, and the path without steps becomes null. Where the path does not fit the value,
  /// or has more than 512 steps, setting has no effect; ``set(_:at:)`` is for who wants an error.
  ///
  /// ```swift
  /// var value = SPONValue.null
  /// value[["people", 0, "name"]] = "Ada"
  /// print(value)  // @obj<people=@array[@obj<name$=`Ada`>]>
  /// ```
  public subscript(path: SPONPath) -> SPONValue? {
    get {
      var value = self
      for step in path.steps {
        guard let next = value[step: step] else { return nil }
        value = next
      }
      return value
    }
    set {
      guard let newValue else {
        if path.isEmpty { self = .null } else { _ = try? remove(at: path) }
        return
      }
      guard canSet(at: path) else { return }
      set(newValue, at: path.steps[...])
    }
  }

  /// The value that a path leads to.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/keyNotFound`` or
  ///   ``SPONError/Code/valueNotFound`` where an object does not have a key or an array an index, and
  ///   ``SPONError/Code/typeMismatch`` where a step is not one of that container. Its `codingPath` ends
  ///   with the first step that can't be taken.
  public func value(at path: SPONPath) throws(SPONError) -> SPONValue {
    var value = self
    for (place, step) in path.steps.enumerated() {
      value = try value.taking(step, path.steps[...place])
    }
    return value
  }

  /// Replaces what a path leads to. The last step may also be a key that the object does not have, or the
  /// index behind the last element.
  ///
  /// - Throws: ``SPONError``, as ``value(at:)`` does; then nothing is changed.
  public mutating func set(_ value: SPONValue, at path: SPONPath) throws(SPONError) {
    try checkDepth(path)
    guard let last = path.steps.last else {
      self = value
      return
    }
    try checkPlace(last, at: path)
    set(value, at: path.steps[...])
  }

  /// Removes what a path leads to.
  ///
  /// - Returns: What was removed.
  /// - Throws: ``SPONError``, as ``value(at:)`` does, and of code ``SPONError/Code/typeMismatch`` where
  ///   the path has no steps; then nothing is changed.
  @discardableResult
  public mutating func remove(at path: SPONPath) throws(SPONError) -> SPONValue {
    try checkDepth(path)
    guard !path.isEmpty else {
      throw SPONError(.typeMismatch, "a path without steps leads to nothing that can be removed")
    }
    let removed = try value(at: path)
    set(nil, at: path.steps[...])
    return removed
  }

  /// Checks that the last step of a path is one that its container has, or can have as its next.
  private func checkPlace(_ last: SPONPath.Key, at path: SPONPath) throws(SPONError) {
    let container = try value(at: SPONPath(Array(path.steps.dropLast())))
    switch (container, last) {
    case (.object, .key): break
    case (.array(let elements), .index(let index)) where index == elements.count: break
    default: _ = try container.taking(last, path.steps[...])
    }
  }

  private func checkDepth(_ path: SPONPath) throws(SPONError) {
    guard path.count <= Limits.greatestDepth else {
      throw SPONError(.tooDeep, "the path has more than \(Limits.greatestDepth) steps")
    }
  }

  // MARK: Steps

  subscript(step step: SPONPath.Key) -> SPONValue? {
    get {
      switch step {
      case .key(let key): self[key]
      case .index(let index): self[index]
      }
    }
    _modify {
      switch step {
      case .key(let key): yield &self[key]
      case .index(let index): yield &self[index]
      }
    }
  }

  /// The value of one step, which is the last of `path`.
  private func taking(
    _ step: SPONPath.Key, _ path: ArraySlice<SPONPath.Key>
  ) throws(SPONError) -> SPONValue {
    if let value = self[step: step] { return value }
    switch (self, step) {
    case (.object, .key(let key)):
      throw SPONError(.keyNotFound, "the object has no key \"\(key)\"", in: path)
    case (.array(let elements), .index(let index)):
      throw SPONError(
        .valueNotFound, "the array has no element \(index), but \(elements.count) elements",
        in: path)
    case (_, .key(let key)):
      throw SPONError(.typeMismatch, "\(kind) has no key \"\(key)\"", in: path)
    case (_, .index(let index)):
      throw SPONError(.typeMismatch, "\(kind) has no element \(index)", in: path)
    }
  }

  /// Whether a value can be set at the end of a path, with what is made on the way.
  private func canSet(at path: SPONPath) -> Bool {
    guard path.count <= Limits.greatestDepth else { return false }
    var value: SPONValue? = self
    for step in path.steps {
      switch (value, step) {
      case (.object, .key): break
      case (.array(let elements), .index(let index)):
        guard (0...elements.count).contains(index) else { return false }
      case (nil, .key), (.null, .key), (nil, .index(0)), (.null, .index(0)): break
      default: return false
      }
      value = value?[step: step]
    }
    return true
  }

  /// Sets or removes what is known to fit.
  private mutating func set(_ value: SPONValue?, at steps: ArraySlice<SPONPath.Key>) {
    guard let last = steps.last else {
      if let value { self = value }
      return
    }
    withValue(at: steps.dropLast(), missing: .null) { container in
      container[step: last] = value
    }
  }

  /// Changes what some steps lead to where it stands. The containers on the way are taken out one by one
  /// and put back after, so that none is copied, however deep they are nested.
  ///
  /// - Parameter missing: What stands in for a value that is not there; `nil` where that is a failure.
  /// - Returns: How many steps could be taken; if not all, nothing is changed.
  @discardableResult
  mutating func withValue<Failure: Error>(
    at steps: ArraySlice<SPONPath.Key>, missing: SPONValue?,
    _ change: (inout SPONValue) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var containers: [SPONValue] = []
    var value = SPONValue.null
    swap(&value, &self)
    defer {
      while var container = containers.popLast() {
        container[step: steps[steps.startIndex + containers.count]] = value
        value = container
      }
      self = value
    }
    for step in steps {
      guard let next = value.take(step) ?? missing else { return containers.count }
      containers.append(value)
      value = next
    }
    try change(&value)
    return containers.count
  }

  /// The value of one step, in whose place is null until it is put back.
  private mutating func take(_ step: SPONPath.Key) -> SPONValue? {
    guard let value = self[step: step] else { return nil }
    self[step: step] = .null
    return value
  }

  /// What kind of value this is, as messages say it.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned: "an integer"
    case .float: "a Float"
    case .double: "a Double"
    case .decimal: "a decimal number"
    case .string: "a text"
    case .bytes: "data"
    case .instant: "an instant"
    case .opaque: "a text without a type"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

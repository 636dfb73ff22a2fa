extension SPONValue {
  /// The value at a path; `nil` if there is none.
  ///
  /// Setting a value creates objects and arrays on the path that are missing or null. Setting `nil`
  /// removes the value; with an empty path, the value becomes null. If the path does not match the
  /// value, or has more than 512 steps, setting has no effect; use ``set(_:at:)`` to get an error
  /// instead.
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

  /// Returns the value at a path.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/keyNotFound`` or
  ///   ``SPONError/Code/valueNotFound`` if an object does not have a key or an array does not have
  ///   an index, and with ``SPONError/Code/typeMismatch`` if a step does not match the kind of
  ///   container. The last step of its `codingPath` is the first one that failed.
  public func value(at path: SPONPath) throws(SPONError) -> SPONValue {
    var value = self
    for (index, step) in path.steps.enumerated() {
      value = try value.taking(step, path.steps[...index])
    }
    return value
  }

  /// Replaces the value at a path. The last step may also be a new key of an object, or the index
  /// after the last element.
  ///
  /// - Throws: ``SPONError``, as ``value(at:)`` does. In that case, the value is not changed.
  public mutating func set(_ value: SPONValue, at path: SPONPath) throws(SPONError) {
    try checkDepth(path)
    guard let last = path.steps.last else {
      self = value
      return
    }
    try checkPlace(last, at: path)
    set(value, at: path.steps[...])
  }

  /// Removes the value at a path.
  ///
  /// - Returns: The removed value.
  /// - Throws: ``SPONError``, as ``value(at:)`` does, and with code ``SPONError/Code/typeMismatch``
  ///   if the path has no steps. In that case, the value is not changed.
  @discardableResult
  public mutating func remove(at path: SPONPath) throws(SPONError) -> SPONValue {
    try checkDepth(path)
    guard !path.isEmpty else {
      throw SPONError(.typeMismatch, "the root can't be removed: the path has no steps")
    }
    let removed = try value(at: path)
    set(nil, at: path.steps[...])
    return removed
  }

  /// Checks that the container has a value for the last step of a path, or can append one.
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

  /// Returns the value for one step, which is the last of `path`.
  private func taking(
    _ step: SPONPath.Key, _ path: ArraySlice<SPONPath.Key>
  ) throws(SPONError) -> SPONValue {
    if let value = self[step: step] { return value }
    switch (self, step) {
    case (.object, .key(let key)):
      throw SPONError(.keyNotFound, "the object has no key \"\(key)\"", in: path)
    case (.array(let elements), .index(let index)):
      throw SPONError(
        .valueNotFound, "index \(index) is out of range: the array has \(elements.count) elements",
        in: path)
    case (_, .key(let key)):
      throw SPONError(.typeMismatch, "\(kind) has no key \"\(key)\"", in: path)
    case (_, .index(let index)):
      throw SPONError(.typeMismatch, "\(kind) has no element \(index)", in: path)
    }
  }

  /// Returns whether a value can be set at a path, creating containers if necessary.
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

  /// Sets or removes a value at a path that has been checked.
  private mutating func set(_ value: SPONValue?, at steps: ArraySlice<SPONPath.Key>) {
    guard let last = steps.last else {
      if let value { self = value }
      return
    }
    withValue(at: steps.dropLast(), missing: .null) { container in
      container[step: last] = value
    }
  }

  /// Modifies the value at the end of some steps in place. The containers on the path are moved out
  /// one after another and restored afterwards, so that they are not copied, regardless of the
  /// nesting depth.
  ///
  /// - Parameter missing: The value that replaces a missing one; `nil` if a missing value is a
  ///   failure.
  /// - Returns: The number of steps that succeeded. If it is less than the number of steps, the
  ///   value is not changed.
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

  /// Moves the value for one step out, and replaces it by null.
  private mutating func take(_ step: SPONPath.Key) -> SPONValue? {
    guard let value = self[step: step] else { return nil }
    self[step: step] = .null
    return value
  }

  /// The kind of value, as used in messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned: "an integer"
    case .float: "a Float"
    case .double: "a Double"
    case .decimal: "a decimal number"
    case .string: "a string"
    case .bytes: "data"
    case .instant: "an instant"
    case .opaque: "an untyped string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

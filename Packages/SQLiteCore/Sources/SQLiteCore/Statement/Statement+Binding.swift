extension Statement {
  /// Binds `value` to one parameter, for this run and every later one.
  ///
  /// The engine keeps its own copy, so `value` need not outlive the call. A statement that stands at a
  /// row is reset first.
  ///
  /// ```swift
  /// let find = try connection.prepare("SELECT id FROM user WHERE name = ?1")
  /// try find.bind("Ada", at: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value to bind. `nil` binds `NULL`.
  ///   - index: The parameter's number, counting from 1 as SQL does.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` when the statement has no such
  ///   parameter. A value that does not suit the column is not an error here: the engine applies
  ///   the column's affinity when the statement runs.
  /// - Complexity: O(*n*) in the size of `value`, which is copied once.
  @inlinable
  public func bind(
    _ value: some SQLiteBindable, at index: ParameterIndex
  ) throws(SQLiteError) {
    try value.bind(to: self, at: index)
  }

  /// Binds `value` to the parameter of this name.
  ///
  /// - Parameters:
  ///   - value: The value to bind. `nil` binds `NULL`.
  ///   - name: The name as the statement spells it, with its `:`, `@` or `$`; without it, a
  ///     parameter that begins with `:` is meant, then one with `@`, then one with `$`.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter``.
  public func bind(_ value: some SQLiteBindable, named name: String) throws(SQLiteError) {
    try value.bind(to: self, at: parameter(named: name))
  }

  private func parameter(named name: String) throws(SQLiteError) -> ParameterIndex {
    for spelling in [name, ":\(name)", "@\(name)", "$\(name)"] {
      let index = handle.cursor.parameterIndex(named: spelling)
      if index > 0 { return ParameterIndex(index) }
    }
    throw SQLiteError(
      code: .unknownParameter, message: "the statement has no parameter \(name)", sql: sql)
  }

  /// Binds one value to each parameter, in their order.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` where the numbers differ.
  @inlinable
  public func bindAll<each Value: SQLiteBindable>(
    _ values: repeat each Value
  ) throws(SQLiteError) {
    var index = 0
    beginBindingAll()
    defer { endBindingAll() }
    for value in repeat each values {
      index += 1
      if index <= parameterCount { try value.bind(to: self, at: ParameterIndex(index)) }
    }
    try checkParameterCount(index)
  }

  /// Binds one value to each parameter, in their order.
  public func bindAll(_ values: [any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    beginBindingAll()
    defer { endBindingAll() }
    for (offset, value) in values.enumerated() {
      try value.bind(to: self, at: ParameterIndex(offset + 1))
    }
  }

  /// Binds values to parameters by their names, and demands that none is left.
  public func bindAll(named values: [String: any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    var bound: Set<ParameterIndex> = []
    for (name, value) in values {
      let index = try parameter(named: name)
      try value.bind(to: self, at: index)
      bound.insert(index)
    }
    // Two names may mean one parameter: `a` and `:a`.
    try checkParameterCount(bound.count)
  }

  /// What was bound before goes: its texts lie in the arena, whose memory is now used again.
  @usableFromInline
  func beginBindingAll() {
    clearBindings()
    arena.reset()
    arena.isInUse = true
  }

  @usableFromInline
  func endBindingAll() { arena.isInUse = false }

  /// Makes every parameter NULL again.
  public func clearBindings() {
    reset()
    handle.cursor.clearBindings()
  }

  @usableFromInline
  func checkParameterCount(_ count: Int) throws(SQLiteError) {
    guard count == parameterCount else {
      throw SQLiteError(
        code: .parameterCount,
        message: "the statement takes \(parameterCount) values, and \(count) were given", sql: sql)
    }
  }

  public func bindNull(at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bindNull(at: prepared(index)))
  }

  public func bindInteger(_ value: Int64, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index)))
  }

  public func bindReal(_ value: Double, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index)))
  }

  public func bindText(_ value: String, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index), in: &arena))
  }

  public func bindBlob(_ value: [UInt8], at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index), in: &arena))
  }

  /// Binding is refused in the middle of a run; a number that does not fit is out of range for all.
  private func prepared(_ index: ParameterIndex) throws(SQLiteError) -> Int32 {
    guard connection.isOpen else {
      throw SQLiteError(code: .closed, message: "the connection is closed", sql: sql)
    }
    reset()
    return Int32(exactly: index.rawValue) ?? 0
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != 0 { throw error(code) }
  }
}

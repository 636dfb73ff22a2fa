extension Statement {
  /// Binds `value` to one parameter, for this and all later runs.
  ///
  /// The value is copied, so `value` need not outlive the call. A running statement is reset first.
  ///
  /// ```swift
  /// let find = try connection.prepare("SELECT id FROM user WHERE name = ?1")
  /// try find.bind("Ada", at: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value to bind. `nil` binds `NULL`.
  ///   - index: The parameter's number, counting from 1 as SQL does.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` if the statement has no such
  ///   parameter. A value that does not match the column's type is not an error here: SQLite
  ///   applies the column's affinity when the statement runs.
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
  ///   - name: The parameter's name, with or without its prefix. Without it, the prefixes `:`, `@`
  ///     and `$` are tried in this order.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter``.
  public func bind(_ value: some SQLiteBindable, named name: String) throws(SQLiteError) {
    try value.bind(to: self, at: parameter(named: name))
  }

  private func parameter(named name: String) throws(SQLiteError) -> ParameterIndex {
    try connection.requireAccess(sql: sql)
    for spelling in [name, ":\(name)", "@\(name)", "$\(name)"] {
      let index = handle.cursor.parameterIndex(named: spelling)
      if index > 0 { return ParameterIndex(index) }
    }
    throw .unknownParameter(name, sql: sql)
  }

  /// Binds one value to each parameter, in order.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the numbers differ.
  ///   Earlier bindings are cleared then.
  @inlinable
  public func bindAll<each Value: SQLiteBindable>(
    _ values: repeat each Value
  ) throws(SQLiteError) {
    try bindingAll { () throws(SQLiteError) in
      var index = 0
      for value in repeat each values {
        index += 1
        if index <= parameterCount { try value.bind(to: self, at: ParameterIndex(index)) }
      }
      try checkParameterCount(index)
    }
  }

  /// Binds one value to each parameter, in order.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the numbers differ,
  ///   in which case earlier bindings are kept; errors of binding a value, such as
  ///   ``SQLiteError/Code/valueOutOfRange`` and ``SQLiteError/Code/tooBig``, in which case all
  ///   parameters are NULL.
  public func bindAll(_ values: [any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    try bindingAll { () throws(SQLiteError) in
      for (offset, value) in values.enumerated() {
        try value.bind(to: self, at: ParameterIndex(offset + 1))
      }
    }
  }

  /// Binds the properties of a value, each to one parameter.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the value does not
  ///   bind each parameter exactly once, which is checked for up to 64 parameters; errors of the
  ///   value's `bind(to:)`. All parameters are NULL then.
  @inlinable
  public func bindAll<Value: RowEncodable & ~Copyable>(of value: borrowing Value) throws {
    try beginBindingAll()
    do {
      try value.bind(to: self)
      try checkBoundCount()
    } catch {
      cancelBindingAll()
      throw error
    }
    endBindingAll()
  }

  /// Binds values to parameters by name. Every parameter must have a value.
  ///
  /// - Throws: The same errors as binding a list of values; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/unknownParameter`` for a name that the statement does not contain, with
  ///   ``SQLiteError/Code/parameterCount`` if two names refer to one parameter.
  public func bindAll(named values: [String: any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    var bound: Set<ParameterIndex> = []
    try bindingAll { () throws(SQLiteError) in
      for (name, value) in values {
        let index = try parameter(named: name)
        try value.bind(to: self, at: index)
        bound.insert(index)
      }
      // Two names may refer to one parameter: `a` and `:a`.
      try checkParameterCount(bound.count)
    }
  }

  /// Binds all parameters with `body`. If it throws, all parameters are NULL.
  @inlinable @inline(__always)
  func bindingAll(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try beginBindingAll()
    do throws(SQLiteError) {
      try body()
    } catch {
      cancelBindingAll()
      throw error
    }
    endBindingAll()
  }

  /// Starts binding all parameters. The code that binds them is the caller's and may omit one: see
  /// ``endBindingAll()``.
  @usableFromInline
  func beginBindingAll() throws(SQLiteError) {
    try connection.requireAccess(sql: sql)
    endRun()
    if parameterCount > 64 { handle.cursor.clearBindings() }
    arena.begin()
    boundCount = 0
    bound = 0
  }

  /// Ends binding all parameters. Earlier bindings refer to memory that the next run reuses, so
  /// omitted parameters are set to NULL.
  @usableFromInline
  func endBindingAll() {
    arena.end()
    if bound & completeBoundMask != completeBoundMask { clearUnbound() }
  }

  private func clearUnbound() {
    for number in 0..<parameterCount where bound & (1 << UInt64(number)) == 0 {
      _ = handle.cursor.bindNull(at: Int32(number + 1))
    }
  }

  @usableFromInline
  func cancelBindingAll() {
    arena.end()
    clearValues()
  }

  /// Sets every parameter to NULL.
  ///
  /// Has no effect after the end of the access that the connection was lent to.
  public func clearBindings() { if connection.isAccessible { clearValues() } }

  /// Sets every parameter to NULL. The calling thread owns the connection.
  func clearValues() {
    endRun()
    if borrow.isActive { return deferClearing() }
    handle.cursor.clearBindings()
  }

  @usableFromInline
  func checkParameterCount(_ count: Int) throws(SQLiteError) {
    guard count == parameterCount else { throw parameterCountError(count) }
  }

  @usableFromInline
  func checkBoundCount() throws(SQLiteError) {
    guard boundCount == parameterCount, bound & completeBoundMask == completeBoundMask else {
      throw parameterCountError(
        boundCount == parameterCount ? bound.nonzeroBitCount : boundCount)
    }
  }

  private func parameterCountError(_ count: Int) -> SQLiteError {
    .parameterCount(expected: parameterCount, given: count, sql: sql)
  }

  /// Binds NULL to one parameter.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` if the statement has no such
  ///   parameter.
  public func bindNull(at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bindNull(at: beginBinding(at: index)))
  }

  /// Binds an INTEGER to one parameter.
  ///
  /// - Throws: The same errors as ``bindNull(at:)``.
  public func bindInteger(_ value: Int64, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: beginBinding(at: index)))
  }

  /// Binds a REAL to one parameter.
  ///
  /// - Throws: The same errors as ``bindNull(at:)``. A NaN is not an error, and is bound as NULL.
  public func bindReal(_ value: Double, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: beginBinding(at: index)))
  }

  /// Binds a TEXT to one parameter.
  ///
  /// - Throws: The same errors as ``bindNull(at:)``; with code ``SQLiteError/Code/tooBig`` if the
  ///   text exceeds SQLite's limit.
  public func bindText(_ value: String, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: beginBinding(at: index), in: arena))
  }

  /// Binds a copy of UTF-8 bytes as TEXT to one parameter.
  ///
  /// - Throws: The same errors as ``bindText(_:at:)``; with code ``SQLiteError/Code/invalidText``
  ///   if the bytes are not valid UTF-8.
  public func bindText(_ utf8: Span<UInt8>, at index: ParameterIndex) throws(SQLiteError) {
    try requireUTF8(utf8)
    try check(handle.cursor.bind(text: utf8, at: beginBinding(at: index), in: arena))
  }

  /// Binds a BLOB to one parameter.
  ///
  /// - Throws: The same errors as `bindText(_:at:)`.
  public func bindBlob(_ value: [UInt8], at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: beginBinding(at: index), in: arena))
  }

  /// Binds a copy of bytes as a BLOB to one parameter.
  ///
  /// - Throws: The same errors as `bindText(_:at:)`.
  public func bindBlob(_ value: Span<UInt8>, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: beginBinding(at: index), in: arena))
  }

  /// Prepares binding a parameter: resets a running statement, and converts the index. An index
  /// that is not an `Int32` becomes 0, which SQLite rejects.
  @inline(__always)
  func beginBinding(at index: ParameterIndex) throws(SQLiteError) -> Int32 {
    try connection.requireAccess(sql: sql)
    endRun()
    boundCount += 1
    bound |= 1 << UInt64(truncatingIfNeeded: index.rawValue &- 1)
    return Int32(exactly: index.rawValue) ?? 0
  }

  @inline(__always)
  func check(_ code: Int32) throws(SQLiteError) {
    if code != 0 { throw error(code) }
  }
}

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
    try connection.requireAccess(sql: sql)
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
  ///   What was bound before is then gone.
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

  /// Binds one value to each parameter, in their order.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` where the numbers
  ///   differ, and what was bound before stays then; with what a value throws as it is bound, and
  ///   all parameters are NULL then: ``SQLiteError/Code/valueOutOfRange``,
  ///   ``SQLiteError/Code/tooBig``.
  public func bindAll(_ values: [any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    try bindingAll { () throws(SQLiteError) in
      for (offset, value) in values.enumerated() {
        try value.bind(to: self, at: ParameterIndex(offset + 1))
      }
    }
  }

  /// Binds the parts of a value, each to a parameter.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the value does not bind each
  ///   parameter once, which is checked for up to 64 parameters; what the value throws as it is bound. All
  ///   parameters are NULL then.
  @inlinable
  public func bindAll<Value: RowEncodable & ~Copyable>(of value: borrowing Value) throws {
    try beginBindingAll()
    do {
      try value.bind(to: self)
      try checkBoundCount()
    } catch {
      abandonBindingAll()
      throw error
    }
    endBindingAll()
  }

  /// Binds values to parameters by their names, and demands that none is left.
  ///
  /// - Throws: As binding values by a list; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/unknownParameter`` for a name that the statement lacks, with
  ///   ``SQLiteError/Code/parameterCount`` where two names are of one parameter.
  public func bindAll(named values: [String: any SQLiteBindable]) throws(SQLiteError) {
    try checkParameterCount(values.count)
    var bound: Set<ParameterIndex> = []
    try bindingAll { () throws(SQLiteError) in
      for (name, value) in values {
        let index = try parameter(named: name)
        try value.bind(to: self, at: index)
        bound.insert(index)
      }
      // Two names may mean one parameter: `a` and `:a`.
      try checkParameterCount(bound.count)
    }
  }

  /// Binds all parameters by `body`; where it fails, none is bound.
  @inlinable @inline(__always)
  func bindingAll(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try beginBindingAll()
    do throws(SQLiteError) {
      try body()
    } catch {
      abandonBindingAll()
      throw error
    }
    endBindingAll()
  }

  /// What binds the parameters is the caller's code, which may leave one out: see
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

  /// What was bound before lies in memory that the next run uses again: a parameter that was left out
  /// must not refer to it.
  @usableFromInline
  func endBindingAll() {
    arena.end()
    if bound & boundOnce != boundOnce { clearUnbound() }
  }

  private func clearUnbound() {
    for number in 0..<parameterCount where bound & (1 << UInt64(number)) == 0 {
      _ = handle.cursor.bindNull(at: Int32(number + 1))
    }
  }

  @usableFromInline
  func abandonBindingAll() {
    arena.end()
    clearValues()
  }

  /// Makes every parameter NULL again.
  ///
  /// After the access that the connection was lent to, nothing happens.
  public func clearBindings() { if connection.isAccessible { clearValues() } }

  /// Makes every parameter NULL again. The calling thread owns the connection.
  func clearValues() {
    endRun()
    if loan.isOut { return deferClearing() }
    handle.cursor.clearBindings()
  }

  @usableFromInline
  func checkParameterCount(_ count: Int) throws(SQLiteError) {
    guard count == parameterCount else { throw parameterCountDiffers(count) }
  }

  @usableFromInline
  func checkBoundCount() throws(SQLiteError) {
    guard boundCount == parameterCount, bound & boundOnce == boundOnce else {
      throw parameterCountDiffers(
        boundCount == parameterCount ? bound.nonzeroBitCount : boundCount)
    }
  }

  private func parameterCountDiffers(_ count: Int) -> SQLiteError {
    SQLiteError(
      code: .parameterCount,
      message: SQLiteError.parameterCountMessage(expected: parameterCount, given: count), sql: sql)
  }

  /// Binds NULL to one parameter.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` where the statement has no such
  ///   parameter.
  public func bindNull(at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bindNull(at: prepared(index)))
  }

  /// Binds an INTEGER to one parameter.
  ///
  /// - Throws: As ``bindNull(at:)``.
  public func bindInteger(_ value: Int64, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index)))
  }

  /// Binds a REAL to one parameter.
  ///
  /// - Throws: As ``bindNull(at:)``. A NaN is not an error, and is NULL.
  public func bindReal(_ value: Double, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index)))
  }

  /// Binds a TEXT to one parameter.
  ///
  /// - Throws: As ``bindNull(at:)``; with code ``SQLiteError/Code/tooBig`` where no value can be
  ///   that large.
  public func bindText(_ value: String, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index), in: arena))
  }

  /// Binds a TEXT to one parameter, a copy of bytes that lie anywhere.
  ///
  /// - Throws: As ``bindText(_:at:)``; with code ``SQLiteError/Code/invalidText`` where they are not UTF-8.
  public func bindText(_ utf8: Span<UInt8>, at index: ParameterIndex) throws(SQLiteError) {
    try requireUTF8(utf8)
    try check(handle.cursor.bind(text: utf8, at: prepared(index), in: arena))
  }

  /// Binds a BLOB to one parameter.
  ///
  /// - Throws: As `bindText(_:at:)`.
  public func bindBlob(_ value: [UInt8], at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index), in: arena))
  }

  /// Binds a BLOB to one parameter, a copy of bytes that lie anywhere.
  ///
  /// - Throws: As `bindText(_:at:)`.
  public func bindBlob(_ value: Span<UInt8>, at index: ParameterIndex) throws(SQLiteError) {
    try check(handle.cursor.bind(value, at: prepared(index), in: arena))
  }

  /// Binding is refused in the middle of a run; a number that does not fit is out of range for all.
  @inline(__always)
  func prepared(_ index: ParameterIndex) throws(SQLiteError) -> Int32 {
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

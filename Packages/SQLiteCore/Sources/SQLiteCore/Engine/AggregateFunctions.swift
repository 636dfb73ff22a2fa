internal import CSQLite

/// The user data of an aggregate or window function: a closure that creates the state of a group or window.
private typealias AggregateBox = UncheckedBox<() -> AggregateState>

/// The state of one group or window. SQLite stores its address in the aggregate context.
///
/// A subclass stores the function, so that a step does not open an existential. The properties have no
/// exclusivity checks, because SQLite completes a call for a group before it begins the next one.
private class AggregateState {
  /// The error that a step threw. After it, the function is not called again.
  @exclusivity(unchecked) final var failure: (any Error)?

  func step(_ arguments: borrowing FunctionArguments) throws {}
  func inverse(_ arguments: borrowing FunctionArguments) throws {}
  func value() throws -> SQLiteValue { .null }
  func result() throws -> SQLiteValue { .null }
}

private final class FunctionState<Function: WindowFunction>: AggregateState {
  @exclusivity(unchecked) private var function = Function()

  override func step(_ arguments: borrowing FunctionArguments) throws {
    try unsafe function.step(arguments)
  }

  override func inverse(_ arguments: borrowing FunctionArguments) throws {
    try unsafe function.inverse(arguments)
  }

  override func value() throws -> SQLiteValue { try unsafe function.value() }
  override func result() throws -> SQLiteValue { try unsafe function.result() }
}

/// Adapts an aggregate function to ``WindowFunction``. SQLite never calls ``inverse(_:)``, because
/// the function is registered without that callback.
private struct AggregateAdapter<Function: AggregateFunction>: WindowFunction {
  private var function = Function()

  mutating func step(_ arguments: borrowing FunctionArguments) throws {
    try function.step(arguments)
  }

  mutating func inverse(_ arguments: borrowing FunctionArguments) throws {
    throw SQLiteError(
      code: .misuse, message: "an aggregate function can't remove a row from a window")
  }

  func value() throws -> SQLiteValue { try function.result() }
}

extension ConnectionHandle {
  func createAggregate<Function: AggregateFunction>(
    _ type: Function.Type, _ name: String, argumentCount: Int?, options: Connection.FunctionOptions
  ) throws(SQLiteError) {
    let box = AggregateBox { FunctionState<AggregateAdapter<Function>>() }
    try create(box, supportsInverse: false, name, argumentCount, options)
  }

  func createWindowFunction<Function: WindowFunction>(
    _ type: Function.Type, _ name: String, argumentCount: Int?, options: Connection.FunctionOptions
  ) throws(SQLiteError) {
    let box = AggregateBox { FunctionState<Function>() }
    try create(box, supportsInverse: true, name, argumentCount, options)
  }

  private func create(
    _ box: AggregateBox, supportsInverse: Bool, _ name: String, _ argumentCount: Int?,
    _ options: Connection.FunctionOptions
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.hasChangedSettings.value = true
    let count = try Self.functionArity(argumentCount)
    try Self.checkNoNUL(in: name)
    let box = unsafe Unmanaged.passRetained(box).toOpaque()
    let rc = unsafe sqlite3_create_window_function(
      db, name, count, options.flags, box, aggregateStepCallback, aggregateFinalCallback,
      supportsInverse ? windowValueCallback : nil, supportsInverse ? windowInverseCallback : nil,
      { unsafe $0.map { unsafe Unmanaged<AggregateBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }
}

private func aggregateStepCallback(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe withState(context) { _, state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.step(arguments)
  }
}

private func windowInverseCallback(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe withState(context) { _, state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.inverse(arguments)
  }
}

private func windowValueCallback(context: OpaquePointer?) {
  unsafe withState(context) { context, state in
    unsafe setResult(try state.value(), to: context)
  }
}

/// SQLite also calls this to clean up after a statement that failed or was reset early.
private func aggregateFinalCallback(context: OpaquePointer?) {
  unsafe withState(context) { context, state in
    unsafe setResult(try state.result(), to: context)
  }
  // SQLite frees the slot, but not the object that it points to.
  if let context = unsafe context, let slot = unsafe slot(context),
    let address = unsafe slot.pointee
  {
    unsafe Unmanaged<AggregateState>.fromOpaque(address).release()
    unsafe slot.pointee = nil
  }
}

/// Calls `body` with the state of a group or window, unless an earlier call failed.
@inline(__always)
private func withState(
  _ context: OpaquePointer?, _ body: (OpaquePointer, AggregateState) throws -> Void
) {
  guard let context = unsafe context, let address = unsafe stateAddress(context) else { return }
  // The slot retains the state.
  unsafe Unmanaged<AggregateState>.fromOpaque(address)._withUnsafeGuaranteedRef { state in
    do {
      if let failure = unsafe state.failure { throw failure }
      try unsafe body(context, state)
    } catch {
      unsafe state.failure = error
      unsafe fail(error, to: context)
    }
  }
}

/// The memory in which SQLite stores the address of the group's state.
private func slot(
  _ context: OpaquePointer
) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
  let size = unsafe Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
  return unsafe sqlite3_aggregate_context(context, size)?
    .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
}

/// Returns the address of the group's state, which is created first if necessary.
private func stateAddress(_ context: OpaquePointer) -> UnsafeMutableRawPointer? {
  guard let slot = unsafe slot(context) else {
    unsafe sqlite3_result_error_nomem(context)
    return nil
  }
  if let address = unsafe slot.pointee { return unsafe address }
  guard let data = unsafe sqlite3_user_data(context) else { return nil }
  let box = unsafe Unmanaged<AggregateBox>.fromOpaque(data).takeUnretainedValue()
  let address = unsafe Unmanaged.passRetained(box.value()).toOpaque()
  unsafe slot.pointee = address
  return unsafe address
}

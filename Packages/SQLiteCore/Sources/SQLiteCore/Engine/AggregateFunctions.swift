internal import CSQLite

/// The user data of an aggregate or window function: a closure that creates the state of a group or window.
private typealias AggregateBox = UncheckedBox<() -> any WindowFunction>

/// The state of one group or window. SQLite stores its address in the aggregate context.
private final class AggregateState {
  var function: any WindowFunction
  /// The error that a step threw. After it, the function is not called again.
  var failure: (any Error)?

  init(_ function: any WindowFunction) { self.function = function }
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
    let box = AggregateBox { AggregateAdapter<Function>() }
    try create(box, supportsInverse: false, name, argumentCount, options)
  }

  func createWindowFunction<Function: WindowFunction>(
    _ type: Function.Type, _ name: String, argumentCount: Int?, options: Connection.FunctionOptions
  ) throws(SQLiteError) {
    let box = AggregateBox { Function() }
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
  unsafe withState(context) { state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.function.step(arguments)
  }
}

private func windowInverseCallback(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe withState(context) { state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.function.inverse(arguments)
  }
}

private func windowValueCallback(context: OpaquePointer?) {
  guard let context = unsafe context, let state = unsafe state(context) else { return }
  do {
    if let failure = state.failure { throw failure }
    unsafe setResult(try state.function.value(), to: context)
  } catch {
    state.failure = error
    unsafe fail(error, to: context)
  }
}

/// SQLite also calls this to clean up after a statement that failed or was reset early.
private func aggregateFinalCallback(context: OpaquePointer?) {
  guard let context = unsafe context, let state = unsafe state(context) else { return }
  // SQLite frees the slot, but not the object that it points to.
  if let slot = unsafe slot(context), let address = unsafe slot.pointee {
    unsafe Unmanaged<AggregateState>.fromOpaque(address).release()
    unsafe slot.pointee = nil
  }
  do {
    if let failure = state.failure { throw failure }
    unsafe setResult(try state.function.result(), to: context)
  } catch {
    unsafe fail(error, to: context)
  }
}

/// Runs a step of a group or window, unless an earlier step failed.
private func withState(_ context: OpaquePointer?, _ body: (AggregateState) throws -> Void) {
  guard let context = unsafe context, let state = unsafe state(context), state.failure == nil else {
    return
  }
  do {
    try body(state)
  } catch {
    state.failure = error
    unsafe fail(error, to: context)
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

/// Returns the group's state, creating it first if necessary.
private func state(_ context: OpaquePointer) -> AggregateState? {
  guard let slot = unsafe slot(context) else {
    unsafe sqlite3_result_error_nomem(context)
    return nil
  }
  if let address = unsafe slot.pointee {
    return unsafe Unmanaged<AggregateState>.fromOpaque(address).takeUnretainedValue()
  }
  guard let data = unsafe sqlite3_user_data(context) else { return nil }
  let box = unsafe Unmanaged<AggregateBox>.fromOpaque(data).takeUnretainedValue()
  let state = AggregateState(box.value())
  unsafe slot.pointee = Unmanaged.passRetained(state).toOpaque()
  return state
}

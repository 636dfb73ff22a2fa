internal import CSQLite

/// What the engine keeps for a window function.
private final class WindowBox {
  let make: () -> any WindowFunction

  init(_ make: @escaping () -> any WindowFunction) { self.make = make }
}

/// The state of one window, or of one group, which the engine keeps the address of.
private final class WindowState {
  var function: any WindowFunction
  /// What a step threw: nothing is asked of the function any more.
  var failure: (any Error)?

  init(_ function: any WindowFunction) { self.function = function }
}

extension ConnectionHandle {
  func createWindowFunction(
    _ name: String, argumentCount: Int?, options: FunctionOptions,
    make: @escaping () -> any WindowFunction
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    let count = try Self.functionArity(argumentCount)
    try Self.refuseNUL(in: name)
    let box = unsafe Unmanaged.passRetained(WindowBox(make)).toOpaque()
    let rc = unsafe sqlite3_create_window_function(
      db, name, count, options.flags, box, stepWindow, finishWindow, giveWindowValue, leaveWindow,
      { unsafe $0.map { unsafe Unmanaged<WindowBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }
}

private func stepWindow(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe withWindow(context) { state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.function.step(arguments)
  }
}

private func leaveWindow(
  context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
) {
  unsafe withWindow(context) { state in
    let arguments = unsafe FunctionArguments(values: EngineValues(count: count, start: values))
    try state.function.inverse(arguments)
  }
}

private func giveWindowValue(context: OpaquePointer?) {
  guard let context = unsafe context, let state = unsafe windowState(context) else { return }
  do {
    if let failure = state.failure { throw failure }
    unsafe give(try state.function.value(), to: context)
  } catch {
    state.failure = error
    unsafe fail(error, to: context)
  }
}

/// Also called to clear up, where the statement has failed or was left.
private func finishWindow(context: OpaquePointer?) {
  guard let context = unsafe context, let state = unsafe windowState(context) else { return }
  if let slot = unsafe aggregateSlot(context), let address = unsafe slot.pointee {
    unsafe Unmanaged<WindowState>.fromOpaque(address).release()
    unsafe slot.pointee = nil
  }
  do {
    if let failure = state.failure { throw failure }
    unsafe give(try state.function.result(), to: context)
  } catch {
    unsafe fail(error, to: context)
  }
}

/// Runs a step of a window, unless one of its steps has failed.
private func withWindow(_ context: OpaquePointer?, _ body: (WindowState) throws -> Void) {
  guard let context = unsafe context, let state = unsafe windowState(context),
    state.failure == nil
  else { return }
  do {
    try body(state)
  } catch {
    state.failure = error
    unsafe fail(error, to: context)
  }
}

/// The state that the call belongs to, made when it is first needed.
private func windowState(_ context: OpaquePointer) -> WindowState? {
  guard let slot = unsafe aggregateSlot(context) else {
    unsafe sqlite3_result_error_nomem(context)
    return nil
  }
  if let address = unsafe slot.pointee {
    return unsafe Unmanaged<WindowState>.fromOpaque(address).takeUnretainedValue()
  }
  guard let data = unsafe sqlite3_user_data(context) else { return nil }
  let box = unsafe Unmanaged<WindowBox>.fromOpaque(data).takeUnretainedValue()
  let state = WindowState(box.make())
  unsafe slot.pointee = Unmanaged.passRetained(state).toOpaque()
  return state
}

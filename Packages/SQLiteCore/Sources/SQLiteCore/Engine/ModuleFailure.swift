internal import CSQLite

/// An error that a module or a tokenizer threw. SQLite drops the message that some callbacks report, and the code
/// that others report.
struct ModuleFailure {
  /// The code that the callback returns to the engine.
  let engineCode: Int32
  let code: SQLiteError.Code
  let message: String

  init(_ error: any Error, engineCode: Int32? = nil) {
    self.engineCode = engineCode ?? SQLiteCore.engineCode(of: error)
    message = SQLiteCore.message(of: error)
    // A code of success is no reason of a failure.
    let code = (error as? SQLiteError)?.code
    self.code =
      code.flatMap { isFailure($0) ? $0 : nil } ?? SQLiteError.Code(rawValue: self.engineCode)
  }
}

extension Hooks {
  /// Stores what was thrown, for the error of the call that the engine is about to fail.
  ///
  /// - Returns: The code that the callback returns to the engine.
  func keep(_ failure: ModuleFailure) -> Int32 {
    state.moduleFailure = failure
    return failure.engineCode
  }

  /// The failure of a module that the engine reports by this code and message, once.
  func takeModuleFailure(_ code: Int32, _ message: String) -> ModuleFailure? {
    guard let failure = state.moduleFailure else { return nil }
    state.moduleFailure = nil
    return failure.engineCode & 0xff == code & 0xff || failure.message == message ? failure : nil
  }

  /// Runs what the engine calls while it compiles or runs a statement, which may compile others.
  func inModule<Result>(_ body: () throws -> Result) rethrows -> Result {
    let recording = state.pauseRecording()
    defer { state.resumeRecording(recording) }
    return try inCall(body)
  }
}

/// Whether a callback may return a code for a failure. From 100 on are the engine's codes of success, which would end the
/// statement as if nothing had happened. The code of a changed schema has the engine compile the statement anew and run
/// it from its first row, again and again.
func isFailure(_ code: SQLiteError.Code) -> Bool {
  (1..<100).contains(code.primary.rawValue) && code.primary != .schema
}

/// The code that a callback returns to the engine for what was thrown.
func engineCode(of error: any Error) -> Int32 {
  guard let code = (error as? SQLiteError)?.code, isFailure(code) else { return SQLITE_ERROR }
  return code.primary == .error ? SQLITE_ERROR : code.rawValue
}

/// The message of what was thrown.
func message(of error: any Error) -> String {
  (error as? SQLiteError)?.message ?? String(describing: error)
}

internal import CSQLite

/// Leaving the engine's preupdate hook off while statements run whose changes no observer asks for: the engine
/// then does without what it costs.
///
/// It is off from one such statement to the next, and on for all else that the engine does. A statement that is
/// compiled while it is off may empty a table without a word: so that it is on while one is compiled, and where
/// the engine compiles one anew in the midst of a step, all are compiled anew before it is on again.
extension ConnectionHandle {
  /// Asks the observers whether a run is to be told, and has the engine do so or not.
  @inline(__always)
  func beginRun(of statement: StatementNumber, _ access: @autoclosure () -> StatementAccess) {
    // Observers may use the connection to decide, and must not hear of what was before in the midst of that.
    hooks.settle(on: self)
    if hooks.wantsChanges(of: statement, access) {
      unmute()
      if hooks.hasCompiledMuted { recompileAll() }
    } else if !hooks.isMuted, stepDepth == 0 {
      // A statement inside another's step must not hide the rest of that.
      mute()
    }
  }

  private func mute() {
    guard let db = unsafe try? pointer() else { return }
    hooks.isMuted = true
    unsafe holt_preupdate_hook(db, nil, nil)
  }

  /// Has the engine tell of changes again.
  @inline(__always)
  func unmute() { if hooks.isMuted { endMuting() } }

  private func endMuting() {
    hooks.isMuted = false
    if hooks.isObserved, let db = unsafe try? pointer() {
      unsafe holt_preupdate_hook(db, preupdateCallback, hooks.context)
    }
  }

  private func recompileAll() {
    guard let db = unsafe try? pointer() else { return }
    hooks.hasCompiledMuted = false
    unsafe hooks.expireStatements(of: db)
  }
}

extension Hooks {
  /// Takes note that a statement was compiled anew while it was muted: what it was expected to write may be wrong.
  func didCompileMuted() {
    hasCompiledMuted = true
    observers.forEach { $0.didRunOtherwise() }
  }

  fileprivate func wantsChanges(
    of statement: StatementNumber, _ access: () -> StatementAccess
  ) -> Bool {
    if unsafe sessions.head != nil { return true }
    if let observer = observers.only {
      return observer.willRunAgain(statement) ?? observer.willRun(access(), of: statement)
    }
    var isWanted = false
    observers.forEach { observer in
      if observer.willRunAgain(statement) ?? observer.willRun(access(), of: statement) {
        isWanted = true
      }
    }
    return isWanted
  }
}

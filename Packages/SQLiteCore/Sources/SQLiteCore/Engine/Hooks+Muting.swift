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
  func beginRun(of statement: Statement.ID, _ access: @autoclosure () -> Statement.Access) {
    // Observers may use the connection to decide, and must not hear of what was before in the midst of that.
    hooks.settle(on: self)
    if !hooks.hasDeclined(statement), hooks.wantsChanges(of: statement, access) {
      unmute()
      if hooks.hasCompiledMuted { recompileAll() }
    } else if !hooks.isMuted, writingSteps == 0, hooks.callDepth == 0 {
      // A statement inside the step of one that writes, or inside a changeset that is applied, must not hide the
      // rest of that.
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
    declined.value.statement = nil
    observers.forEach { $0.didRunOtherwise() }
  }

  fileprivate func wantsChanges(
    of statement: Statement.ID, _ access: () -> Statement.Access
  ) -> Bool {
    declined.value.statement = nil
    if unsafe sessions.head != nil { return true }
    guard let observer = observers.only else {
      var isWanted = false
      observers.forEach { if $0.willRun(statement, access) { isWanted = true } }
      return isWanted
    }
    // What changes while it answers has changed since.
    let numbers = interests?.numbers
    if observer.willRun(statement, access) { return true }
    if let numbers { declined.value = Declined(statement: statement, numbers: numbers) }
    return false
  }

  /// Whether the last statement whose changes nobody wanted was this, and nobody has come since who may want them.
  @inline(__always)
  fileprivate func hasDeclined(_ statement: Statement.ID) -> Bool {
    guard declined.value.statement == statement, let numbers = interests?.numbers else {
      return false
    }
    return numbers == declined.value.numbers
  }
}

/// The last statement whose changes nobody wanted, and the numbers on which that rests.
struct Declined {
  var statement: Statement.ID?
  var numbers: (UInt64, UInt64) = (0, 0)
}

extension Hooks.ChangeInterests {
  @inline(__always)
  fileprivate var numbers: (UInt64, UInt64) { (first.current, second?.current ?? 0) }
}

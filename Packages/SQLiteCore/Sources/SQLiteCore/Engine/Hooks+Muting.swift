internal import CSQLite

/// Leaving the engine's preupdate hook off while a statement runs whose changes no observer asks for: the engine
/// then does without what it costs.
///
/// A statement that is compiled while the hook is off may empty a table without a word. So it is off during a step
/// alone, and where the engine compiles during it, all statements are compiled anew before the hook is on again.
extension Hooks {
  /// Asks the observers whether a run is to be told, and has the engine do so or not.
  func beginRun(_ access: StatementAccess, of statement: StatementNumber) {
    var isWanted = unsafe sessions.head != nil
    observers.forEach { if $0.willRun(access, of: statement) { isWanted = true } }
    guard !isWanted else {
      unmute()
      if hasCompiledMuted, let db = unsafe try? connection() {
        hasCompiledMuted = false
        unsafe sqlite3_set_authorizer(db, authorizeCallback, context)
      }
      return
    }
    if isMuted { return }
    guard let db = unsafe try? connection() else { return }
    isMuted = true
    unsafe holt_preupdate_hook(db, nil, nil)
  }

  /// Has the engine tell of changes again.
  func unmute() {
    guard isMuted else { return }
    isMuted = false
    if !observers.isEmpty, let db = unsafe try? connection() {
      unsafe holt_preupdate_hook(db, preupdateCallback, context)
    }
  }
}

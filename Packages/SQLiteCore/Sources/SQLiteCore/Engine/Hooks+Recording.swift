internal import CSQLite

/// The accesses of the statement that is being compiled, as SQLite's authorizer reports them.
extension Hooks {
  func beginRecording() {
    compiledAccess = Statement.Access()
    isRecording = true
  }

  /// Ends the recording, and returns the access of the statement that was compiled.
  func endRecording() -> Statement.Access {
    isRecording = false
    return compiledAccess
  }

  /// Pauses the recording while nested statements are compiled.
  func pauseRecording() -> Statement.Access? {
    guard isRecording else { return nil }
    isRecording = false
    return compiledAccess
  }

  /// Continues the recording that ``pauseRecording()`` paused.
  func resumeRecording(_ recording: Statement.Access?) {
    guard let recording else { return }
    compiledAccess = recording
    isRecording = true
  }

  func record(_ request: AuthorizationRequest) {
    // Statements that virtual tables compile while a statement runs are not part of its access.
    if isRecording { compiledAccess.add(request) }
    if request.changesSettings { hasChangedSettings.value = true }
    // Most pragmas take effect while they are compiled.
    if request.setsQueryOnly, isQueryOnly != nil { isQueryOnly = nil }
    guard request.action == SQLITE_ATTACH else { return }
    hasAttached = true
    // `VACUUM` attaches a database without a name while it runs, and calls no commit hook.
    if !isRecording, request.first?.isEmpty == true { hasVacuumed = true }
  }
}

extension Statement.Access {
  /// Adds one action, as SQLite's authorizer numbers them.
  mutating func add(_ request: Hooks.AuthorizationRequest) {
    if request.outlastsRollback { outlastsRollback = true }
    switch request.action {
    case SQLITE_READ:
      let column = request.second ?? ""
      reads[table(of: request), default: []].formUnion(column.isEmpty ? [] : [column])
    case SQLITE_INSERT: writes[table(of: request), default: Writes()].inserts = true
    case SQLITE_DELETE: writes[table(of: request), default: Writes()].deletes = true
    case SQLITE_UPDATE:
      writes[table(of: request), default: Writes()].updates.insert(request.second ?? "")
    case SQLITE_PRAGMA:
      pragmas[(request.first ?? "").lowercased()] = request.second ?? ""
    case SQLITE_ANALYZE: gathersStatistics = true
    case SQLITE_TRANSACTION: endsTransaction = request.first != "BEGIN"
    case SQLITE_SAVEPOINT:
      guard let name = request.second else { return }
      switch request.first {
      case "BEGIN": savepoint = Hooks.SavepointEvent(kind: .begin, name: name)
      case "RELEASE": savepoint = Hooks.SavepointEvent(kind: .release, name: name)
      case "ROLLBACK": savepoint = Hooks.SavepointEvent(kind: .rollback, name: name)
      default: return
      }
    case _ where schemaChanges.contains(request.action): changesSchema = true
    default: return
    }
  }

  private func table(of request: Hooks.AuthorizationRequest) -> TableName {
    TableName(schema: request.schema ?? Statement.Access.unknownSchema, request.first ?? "")
  }
}

/// The authorizer's action codes (https://sqlite.org/c3ref/c_alter_table.html) of schema changes:
/// `CREATE` 1–8, `DROP` 10–17, `ATTACH`, `DETACH`, `ALTER TABLE`, `REINDEX`, virtual tables 29
/// and 30.
private let schemaChanges: Set<Int32> = Set(1...8).union(10...17).union([24, 25, 26, 27, 29, 30])

/// `CREATE` and `DROP` of temporary indexes, tables, triggers and views.
private let temporarySchemaChanges: Set<Int32> = Set(3...6).union(12...15)

extension Hooks.AuthorizationRequest {
  /// A Boolean value that indicates whether the statement sets `PRAGMA query_only`.
  var setsQueryOnly: Bool {
    action == SQLITE_PRAGMA && second != nil
      && first.map { $0.isEqualIgnoringASCIICase("query_only") } ?? false
  }

  /// A Boolean value that indicates whether the statement changes the state of the connection
  /// rather than the database.
  fileprivate var changesSettings: Bool {
    outlastsRollback || temporarySchemaChanges.contains(action)
  }

  /// A Boolean value that indicates whether the statement has an effect that a rollback does not
  /// undo.
  fileprivate var outlastsRollback: Bool {
    switch action {
    case SQLITE_ATTACH, SQLITE_DETACH: true
    case SQLITE_PRAGMA:
      second != nil
        && !Self.pragmasWithoutSetting.contains { name in
          first.map { $0.isEqualIgnoringASCIICase(name) } ?? false
        }
    default: false
    }
  }

  /// The pragmas with an argument that is not a setting of the connection.
  private static let pragmasWithoutSetting = [
    "application_id", "foreign_key_check", "foreign_key_list", "incremental_vacuum", "index_info",
    "index_list", "index_xinfo", "integrity_check", "optimize", "quick_check", "table_info",
    "table_list", "table_xinfo", "user_version", "wal_checkpoint",
  ]
}

/// Removes the preupdate hook while statements run whose changes no observer wants, which saves the
/// hook's cost.
///
/// The hook is removed from one such statement to the next, and installed for everything else.
/// Without the hook, SQLite may compile a `DELETE` to a truncation that reports no rows. The hook
/// is therefore installed while statements are compiled. If SQLite recompiles a statement mid-step
/// without the hook, all statements are expired before the next run whose changes an observer wants.
extension ConnectionHandle {
  /// Determines whether the observers want the changes of a run, and installs or removes the
  /// preupdate hook.
  @inline(__always)
  func beginRun(of statement: Statement.ID, _ access: @autoclosure () -> Statement.Access) {
    // Earlier events are delivered first, because observers may use the connection to decide.
    hooks.deliverEvents(on: self)
    if !hooks.wasDeclined(statement), hooks.wantsChanges(of: statement, access) {
      enablePreupdateHook()
      if hooks.hasCompiledWithoutPreupdateHook { recompileAll() }
    } else if !hooks.isPreupdateHookDisabled, writingSteps == 0, hooks.callbackDepth == 0 {
      // A statement nested in a writing step or in the application of a changeset must not hide the
      // outer changes.
      disablePreupdateHook()
    }
  }

  private func disablePreupdateHook() {
    guard let db = unsafe try? pointer() else { return }
    hooks.isPreupdateHookDisabled = true
    unsafe holt_preupdate_hook(db, nil, nil)
  }

  /// Installs the preupdate hook again.
  @inline(__always)
  func enablePreupdateHook() { if hooks.isPreupdateHookDisabled { restorePreupdateHook() } }

  private func restorePreupdateHook() {
    hooks.isPreupdateHookDisabled = false
    if hooks.isObserved, let db = unsafe try? pointer() {
      unsafe holt_preupdate_hook(db, preupdateCallback, hooks.context)
    }
  }

  private func recompileAll() {
    guard let db = unsafe try? pointer() else { return }
    hooks.hasCompiledWithoutPreupdateHook = false
    unsafe hooks.expireStatements(of: db)
  }
}

extension Hooks {
  /// Records that a statement was recompiled without the preupdate hook: the observers' answers may
  /// be based on outdated tables.
  func didCompileWithoutPreupdateHook() {
    hasCompiledWithoutPreupdateHook = true
    declinedStatement.value.statement = nil
    observers.forEach { $0.didRunRecompiled() }
  }

  fileprivate func wantsChanges(
    of statement: Statement.ID, _ access: () -> Statement.Access
  ) -> Bool {
    declinedStatement.value.statement = nil
    if unsafe sessions.head != nil { return true }
    guard let observer = observers.only else {
      var isWanted = false
      observers.forEach { if $0.willRun(statement, access) { isWanted = true } }
      return isWanted
    }
    // Read before the observer answers, so that a change during its answer is detected.
    let generations = interests?.generations
    if observer.willRun(statement, access) { return true }
    if let generations {
      declinedStatement.value = DeclinedStatement(statement: statement, generations: generations)
    }
    return false
  }

  /// Returns whether the statement is the last one that the observer did not want, and its
  /// interests have not changed since.
  @inline(__always)
  fileprivate func wasDeclined(_ statement: Statement.ID) -> Bool {
    guard declinedStatement.value.statement == statement, let generations = interests?.generations
    else {
      return false
    }
    return generations == declinedStatement.value.generations
  }
}

/// The last statement that the observer did not want, and the versions of the interests that its
/// answer depends on.
struct DeclinedStatement {
  var statement: Statement.ID?
  var generations: (UInt64, UInt64) = (0, 0)
}

extension Hooks.ChangeInterests {
  @inline(__always)
  fileprivate var generations: (UInt64, UInt64) { (first.current, second?.current ?? 0) }
}

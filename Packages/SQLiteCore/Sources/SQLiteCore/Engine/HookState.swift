internal import CSQLite

/// What the engine has reported, until someone who may act on it asks.
struct HookState {
  enum Outcome { case commit, rollback }

  /// The accesses of the statement that is being compiled.
  private var access = Statement.Access()
  private var isRecording = false
  private let news: UncheckedBox<Bool>
  /// What became of the transaction during the call that is now running.
  var outcome: Outcome? {
    didSet { if outcome != nil { hasNews = true } }
  }
  /// The longest write-ahead log among those that the call committed to.
  var walCommits: [(schema: String, pages: Int)] = [] {
    didSet { if !walCommits.isEmpty { hasNews = true } }
  }
  /// The table of the last change: changes come in runs of one table.
  var lastTable = TableName("")
  /// The error that a module threw during the call that is now running.
  var moduleFailure: ModuleFailure? {
    didSet { if moduleFailure != nil { hasNews = true } }
  }
  /// What a `willCommit` threw: the reason of the rollback that follows.
  var veto: (any Error)?
  /// Whether the transaction is to be rolled back as soon as no statement is in the midst of a step.
  var isUndoDue = false
  /// Whether a `VACUUM` has run that nobody was notified of.
  var hasVacuumed = false {
    didSet { if hasVacuumed { hasNews = true } }
  }
  /// Whether a statement was compiled that attaches a database.
  private(set) var hasAttached = false
  /// Whether statements that write are refused; `nil` if a `PRAGMA` of the user's may have changed that.
  var isQueryOnly: Bool? = false
  /// See ``Hooks/hasChangedSettings``.
  let hasChangedSettings: UncheckedBox<Bool>

  init(news: UncheckedBox<Bool>, hasChangedSettings: UncheckedBox<Bool>) {
    self.news = news
    self.hasChangedSettings = hasChangedSettings
  }

  /// Whether there is anything to tell.
  var hasNews: Bool {
    get { news.value }
    nonmutating set { news.value = newValue }
  }

  mutating func beginRecording() {
    access = Statement.Access()
    isRecording = true
  }

  mutating func endRecording() -> Statement.Access {
    isRecording = false
    return access
  }

  /// Ends the recording for statements that are compiled while one is compiled.
  mutating func pauseRecording() -> Statement.Access? {
    guard isRecording else { return nil }
    isRecording = false
    return access
  }

  /// Continues with what was recorded before ``pauseRecording()``.
  mutating func resumeRecording(_ recording: Statement.Access?) {
    guard let recording else { return }
    access = recording
    isRecording = true
  }

  mutating func record(_ request: Hooks.AuthorizationRequest) {
    // What virtual tables compile for themselves while a statement runs is no business of it.
    if isRecording { access.add(request) }
    if request.changesSettings { hasChangedSettings.value = true }
    // Most pragmas take effect while they are compiled.
    if request.setsQueryOnly, isQueryOnly != nil { isQueryOnly = nil }
    guard request.action == ActionCode.attach else { return }
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
    case ActionCode.read:
      let column = request.second ?? ""
      reads[table(of: request), default: []].formUnion(column.isEmpty ? [] : [column])
    case ActionCode.insert: writes[table(of: request), default: Writes()].inserts = true
    case ActionCode.delete: writes[table(of: request), default: Writes()].deletes = true
    case ActionCode.update:
      writes[table(of: request), default: Writes()].updates.insert(request.second ?? "")
    case ActionCode.pragma:
      pragmas[(request.first ?? "").lowercased()] = request.second ?? ""
    case ActionCode.analyze: gathersStatistics = true
    case ActionCode.transaction: endsTransaction = request.first != "BEGIN"
    case ActionCode.savepoint:
      guard let name = request.second else { return }
      switch request.first {
      case "BEGIN": savepoint = Hooks.SavepointEvent(kind: .begin, name: name)
      case "RELEASE": savepoint = Hooks.SavepointEvent(kind: .release, name: name)
      case "ROLLBACK": savepoint = Hooks.SavepointEvent(kind: .rollback, name: name)
      default: return
      }
    case _ where ActionCode.schemaChanges.contains(request.action): changesSchema = true
    default: return
    }
  }

  private func table(of request: Hooks.AuthorizationRequest) -> TableName {
    TableName(schema: request.schema ?? Statement.Access.unknownSchema, request.first ?? "")
  }
}

/// The authorizer's action codes: https://sqlite.org/c3ref/c_alter_table.html
private enum ActionCode {
  static let delete: Int32 = 9
  static let insert: Int32 = 18
  static let pragma: Int32 = 19
  static let read: Int32 = 20
  static let transaction: Int32 = 22
  static let update: Int32 = 23
  static let attach: Int32 = 24
  static let detach: Int32 = 25
  static let analyze: Int32 = 28
  static let savepoint: Int32 = 32
  /// `CREATE` 1–8, `DROP` 10–17, `ATTACH`, `DETACH`, `ALTER TABLE`, `REINDEX`, virtual tables 29
  /// and 30.
  static let schemaChanges: Set<Int32> = Set(1...8).union(10...17).union([24, 25, 26, 27, 29, 30])
  /// `CREATE` and `DROP` of temporary indexes, tables, triggers and views.
  static let temporarySchemaChanges: Set<Int32> = Set(3...6).union(12...15)
}

extension Hooks.AuthorizationRequest {
  /// Whether the statement sets `PRAGMA query_only`.
  var setsQueryOnly: Bool {
    action == ActionCode.pragma && second != nil
      && first.map { $0.isEqualIgnoringASCIICase("query_only") } ?? false
  }

  /// Whether the statement changes what belongs to the connection and not to the database.
  fileprivate var changesSettings: Bool {
    outlastsRollback || ActionCode.temporarySchemaChanges.contains(action)
  }

  /// Whether the statement changes what no rollback undoes.
  fileprivate var outlastsRollback: Bool {
    switch action {
    case ActionCode.attach, ActionCode.detach: true
    case ActionCode.pragma:
      second != nil
        && !Self.pragmasWithoutSetting.contains { name in
          first.map { $0.isEqualIgnoringASCIICase(name) } ?? false
        }
    default: false
    }
  }

  /// The pragmas whose argument is no setting of the connection.
  private static let pragmasWithoutSetting = [
    "application_id", "foreign_key_check", "foreign_key_list", "incremental_vacuum", "index_info",
    "index_list", "index_xinfo", "integrity_check", "optimize", "quick_check", "table_info",
    "table_list", "table_xinfo", "user_version", "wal_checkpoint",
  ]
}

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

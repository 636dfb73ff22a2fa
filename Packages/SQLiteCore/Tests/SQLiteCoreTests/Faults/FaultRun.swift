import SQLiteCore
import Testing

/// Runs the workload with one fault, and compares the database with the acknowledged commits.
struct FaultRun {
  struct Mode: CustomTestStringConvertible, Sendable {
    let journal: Configuration.JournalMode
    let synchronous: Configuration.Synchronous
    /// The distance between the injected faults in `make faults`, in calls.
    let step: Int

    init(
      _ journal: Configuration.JournalMode, _ synchronous: Configuration.Synchronous, step: Int = 1
    ) {
      (self.journal, self.synchronous, self.step) = (journal, synchronous, step)
    }

    var testDescription: String { "\(journal.rawValue), synchronous=\(synchronous)" }

    /// Returns the minimum number of commits that must survive a power loss.
    ///
    /// With `NORMAL`, commits in a write-ahead log are synced later. A deleted rollback journal
    /// reappears unless the directory was synced, which only `EXTRA` does; its transaction is then
    /// rolled back.
    func fewest(of acknowledged: Int) -> Int {
      switch (journal, synchronous) {
      case (_, .off), (_, .normal): 0
      case (.delete, .full): max(0, acknowledged - 1)
      default: acknowledged
      }
    }

    /// The possible fates of unsynced writes at a power loss.
    ///
    /// If only some survive, the end of a rollback journal written with `NORMAL` can't be
    /// determined, and SQLite does not guarantee a valid database.
    var survivals: [FaultFileSystem.Survival] {
      let isPromised = journal == .wal || synchronous != .normal
      return FaultFileSystem.Survival.allCases.filter { isPromised || $0 != .some }
    }
  }

  struct Fault: CustomStringConvertible {
    var kind: FaultFileSystem.Fault
    var place: Int
    var lasts = false
    var survival = FaultFileSystem.Survival.none

    var description: String {
      let call = kind.call == .any ? "call" : "write"
      let rest = kind == .powerLoss ? ", survivors: \(survival)" : lasts ? ", lasting" : ""
      return "\(kind) at \(call) \(place)\(rest)"
    }
  }

  struct Tally {
    var faults = 0
    /// The number of acknowledged commits that were checked.
    var commits = 0
    /// The number of runs after which too few or too many commits were found.
    var lost = 0
    /// The number of errors for each primary code.
    var codes: [SQLiteError.Code: Int] = [:]
  }

  let mode: Mode
  let workload: FaultWorkload
  private let files = FaultFileSystem()
  private let steps: [FaultWorkload.Step]
  /// The database's content after each commit.
  private var contents: [FaultWorkload.Content] = []
  private(set) var callCount = 0
  private(set) var writeCount = 0
  var tally = Tally()

  private static let path = "/load.sqlite"

  init(_ mode: Mode, _ workload: FaultWorkload) throws {
    self.mode = mode
    self.workload = workload
    steps = workload.steps
    files.planNothing()
    let db = try connect()
    contents.append(try FaultWorkload.content(of: db))
    try learn(db)
    try db.close()
    run(Fault(kind: .none, place: 0), seed: 0)
  }

  /// Records the content after each commit of a run without faults.
  private mutating func learn(_ db: Connection) throws {
    for step in steps {
      try perform(step, on: db)
      if case .commit = step { contents.append(try FaultWorkload.content(of: db)) }
    }
  }

  private func connect() throws -> Connection {
    var configuration = Configuration()
    configuration.virtualFileSystem = files.name
    configuration.journalMode = mode.journal
    configuration.synchronous = mode.synchronous
    configuration.busyTimeout = .milliseconds(20)
    // So small that changed pages are written before the commit.
    configuration.prepare = { try $0.run("PRAGMA cache_size = 6") }
    return try Connection(path: Self.path, configuration: configuration)
  }

  private func perform(_ step: FaultWorkload.Step, on db: Connection) throws {
    switch step {
    case .commit(let number): try db.transaction { try workload.run(number, on: db) }
    case .maintenance(let sql): try db.run(SQL(unsafe: sql))
    case .rolledBack(let number):
      do {
        try db.transaction {
          try workload.run(number + 10_000, on: db)
          throw Failure()
        }
      } catch is Failure {}
    }
  }

  // MARK: With a fault

  mutating func run(_ fault: Fault, seed: UInt64) {
    files.clear()
    files.plan(fault.kind, at: fault.place, lasts: fault.lasts)
    let (acknowledged, attempted) = load(fault)
    let wasHit = files.strikes > 0
    if fault.kind == .none { (callCount, writeCount) = (files.calls(), files.calls(.write)) }
    if files.openFiles > 0 { fail("\(files.openFiles) files were left open", fault, seed) }
    if fault.kind == .powerLoss {
      files.reboot(fault.survival, seed: seed)
    } else {
      files.planNothing()
    }
    tally.faults += wasHit ? 1 : 0
    tally.commits += acknowledged
    let fewest =
      fault.kind == .powerLoss ? mode.fewest(of: acknowledged) : acknowledged
    do {
      try verify(fewest...max(acknowledged, attempted), fault, seed)
    } catch {
      fail("the database can't be used afterwards: \(error)", fault, seed)
    }
  }

  /// Runs the workload to its end, or to the third error.
  private mutating func load(_ fault: Fault) -> (acknowledged: Int, attempted: Int) {
    var (acknowledged, attempted, failures) = (0, 0, 0)
    var connection: Connection?
    while connection == nil, failures < 3 {
      do { connection = try connect() } catch { note(error, fault, &failures) }
    }
    guard let db = connection else { return (0, 0) }
    var position = 0
    while position < steps.count, failures < 3 {
      let step = steps[position]
      if case .commit(let number) = step { attempted = number }
      do {
        try perform(step, on: db)
        if case .commit(let number) = step { acknowledged = number }
        position += 1
      } catch {
        note(error, fault, &failures)
        if db.isInTransaction { fail("a transaction was left open", fault, 0) }
        // A commit that failed may still have taken effect, and must not be repeated then.
        guard let seen = try? FaultWorkload.lastCommit(of: db) else { continue }
        if seen != acknowledged, seen != attempted { fail("\(seen) commits are visible", fault, 0) }
        acknowledged = seen
        if case .commit(let number) = step, number == seen { position += 1 }
      }
    }
    do { try db.close() } catch { note(error, fault, &failures) }
    return (acknowledged, attempted)
  }

  private mutating func verify(_ range: ClosedRange<Int>, _ fault: Fault, _ seed: UInt64) throws {
    let db = try connect()
    let report = try db.values(String.self, "PRAGMA integrity_check")
    if report != ["ok"] { fail("integrity_check: \(report.prefix(3))", fault, seed) }
    let last = try FaultWorkload.lastCommit(of: db)
    if !range.contains(last) {
      tally.lost += 1
      fail("\(last) commits exist, expected \(range)", fault, seed)
    } else if try FaultWorkload.content(of: db) != contents[last] {
      fail("the content is not that of commit \(last)", fault, seed)
    }
    try db.transaction { try db.execute("CREATE TABLE afterwards (a)") }
    try db.close()
  }

  private mutating func note(_ error: any Error, _ fault: Fault, _ failures: inout Int) {
    failures += 1
    guard let error = error as? SQLiteError else { return fail("untyped: \(error)", fault, 0) }
    tally.codes[error.code.primary, default: 0] += 1
    let isExpected =
      Self.expectedCodes.contains(error.code.primary) || error.code == .transactionEnded
    if !isExpected { fail("\(error)", fault, 0) }
    if error.message.isEmpty { fail("an error without a message: \(error)", fault, 0) }
  }

  static let expectedCodes: Set<SQLiteError.Code> = [.ioError, .full, .cannotOpen]

  private func fail(_ message: String, _ fault: Fault, _ seed: UInt64) {
    Issue.record("\(mode.testDescription), \(fault), seed \(seed): \(message)")
  }
}

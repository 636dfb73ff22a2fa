import SQLiteCore
import Testing

/// One thread makes numbered commits with two rows each, while other threads read.
@Suite struct `A file system that fails under a database` {
  static let seed: UInt64 = 3_401_002
  private static let commitCount = 12

  struct Case: CustomTestStringConvertible, Sendable {
    let fault: FaultFileSystem.Fault
    let lasts: Bool
    let synchronous: Configuration.Synchronous

    init(
      _ fault: FaultFileSystem.Fault, lasts: Bool = false,
      _ synchronous: Configuration.Synchronous = .full
    ) {
      (self.fault, self.lasts, self.synchronous) = (fault, lasts, synchronous)
    }

    var testDescription: String {
      "\(fault)\(lasts ? ", lasting" : ""), synchronous=\(synchronous)"
    }
  }

  private struct Outcome: Sendable {
    var acknowledged: [Int] = []
    var faults: [String] = []
    var reads = 0
  }

  @Test(arguments: [
    Case(.error), Case(.error, lasts: true), Case(.shortWrite), Case(.fullDisk, lasts: true),
    Case(.powerLoss), Case(.powerLoss, .normal),
  ])
  func `loses no acknowledged commit, and shows readers no partial one`(_ tried: Case) async throws
  {
    let files = FaultFileSystem()
    files.planNothing()
    _ = try await load(files, tried)
    let count = files.calls(tried.fault.call)
    var (faults, commits, reads) = (0, 0, 0)
    for place in FaultEffort.places(count, sample: 2, seed: Self.seed) {
      files.clear()
      files.plan(tried.fault, at: place, lasts: tried.lasts)
      let outcome = try await load(files, tried)
      faults += files.strikes > 0 ? 1 : 0
      commits += outcome.acknowledged.count
      reads += outcome.reads
      #expect(outcome.faults == [], "at \(place)")
      #expect(files.openFiles == 0, "at \(place)")
      if tried.fault == .powerLoss {
        files.reboot(.spoiled, seed: Self.seed &+ UInt64(place))
      } else {
        files.planNothing()
      }
      try verify(outcome.acknowledged, files, tried, at: place)
    }
    print(
      """
      faults under a database, \(tried.testDescription), seed \(Self.seed): \(faults) injected, \
      \(commits) acknowledged commits checked, \(reads) concurrent reads
      """)
  }

  private func configuration(_ files: FaultFileSystem, _ tried: Case) -> Configuration {
    var configuration = Configuration()
    configuration.virtualFileSystem = files.name
    configuration.synchronous = tried.synchronous
    configuration.busyTimeout = .milliseconds(100)
    configuration.maximumReaderCount = 2
    return configuration
  }

  private func load(_ files: FaultFileSystem, _ tried: Case) async throws -> Outcome {
    let outcome = Shared(Outcome())
    do {
      let database = try Database(path: "/pool.sqlite", configuration: configuration(files, tried))
      await onThreads(3) { index in
        if index == 0 {
          write(to: database, outcome)
          database.close()
        } else {
          read(from: database, outcome)
        }
      }
    } catch {
      note(error, outcome)
    }
    return outcome.value
  }

  private func write(to database: Database, _ outcome: Shared<Outcome>) {
    do {
      try database.write { try $0.execute("CREATE TABLE t (number)") }
    } catch {
      return note(error, outcome)
    }
    var failures = 0
    for number in 1...Self.commitCount where failures < 4 {
      do {
        try database.write { db in
          try db.run("INSERT INTO t VALUES (?)", number)
          try db.run("INSERT INTO t VALUES (?)", number)
        }
        outcome.update { $0.acknowledged.append(number) }
        if number % 5 == 0 {
          _ = try database.writeWithoutTransaction { try $0.rows("PRAGMA wal_checkpoint(RESTART)") }
        }
      } catch {
        failures += 1
        note(error, outcome)
      }
    }
  }

  /// Reads until the database is closed, at most 150 times.
  private func read(from database: Database, _ outcome: Shared<Outcome>) {
    var last = 0
    for _ in 0..<150 {
      let acknowledged = outcome.value.acknowledged
      do {
        let seen = try database.read { db in
          guard try db.table("t") != nil else { return [] as [[SQLiteValue]] }
          return try db.rows("SELECT number, count(*) FROM t GROUP BY number")
        }
        let isWhole = seen.allSatisfy { $0[1] == 2 }
        let isLate = seen.count < max(last, acknowledged.count)
        last = seen.count
        outcome.update { outcome in
          outcome.reads += 1
          if !isWhole { outcome.faults.append("a partial commit was read: \(seen)") }
          if isLate { outcome.faults.append("\(seen.count) commits, fewer than before") }
        }
      } catch let error as SQLiteError where error.code == .closed {
        return
      } catch {
        note(error, outcome)
      }
    }
  }

  private func note(_ error: any Error, _ outcome: Shared<Outcome>) {
    let code = (error as? SQLiteError)?.code.primary
    if let code, FaultRun.expectedCodes.contains(code) { return }
    let text = "\(error)"
    outcome.update { $0.faults.append(text) }
  }

  private func verify(
    _ acknowledged: [Int], _ files: FaultFileSystem, _ tried: Case, at place: Int
  ) throws {
    let db = try Connection(path: "/pool.sqlite", configuration: configuration(files, tried))
    #expect(try db.values(String.self, "PRAGMA integrity_check") == ["ok"], "at \(place)")
    guard try db.table("t") != nil else {
      #expect(acknowledged.isEmpty || tried.synchronous == .normal, "at \(place)")
      return
    }
    let rows = try db.rows("SELECT number, count(*) FROM t GROUP BY number ORDER BY number")
    #expect(rows.allSatisfy { $0[1] == 2 }, "at \(place)")
    let there = try db.values(Int.self, "SELECT DISTINCT number FROM t ORDER BY number")
    let found = acknowledged.filter(there.contains)
    if tried.fault == .powerLoss && tried.synchronous == .normal {
      #expect(found == Array(acknowledged.prefix(found.count)), "at \(place)")
    } else {
      #expect(found == acknowledged, "at \(place)")
    }
  }
}

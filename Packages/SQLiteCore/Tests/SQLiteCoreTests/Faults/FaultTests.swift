import SQLiteCore
import Testing

@Suite struct `A file system that fails` {
  static let modes: [FaultRun.Mode] = [
    .init(.wal, .full), .init(.wal, .normal), .init(.delete, .full), .init(.delete, .normal),
    .init(.delete, .extra, step: 4), .init(.truncate, .full, step: 4),
    .init(.persist, .full, step: 4),
  ]

  /// Injects every fault at every call in `make faults`, and otherwise a few of each.
  @Test(arguments: modes)
  func `loses no acknowledged commit, and leaves a valid database`(_ mode: FaultRun.Mode) throws {
    var run = try FaultRun(mode, FaultWorkload(commitCount: FaultEffort.isFull ? 12 : 10))
    let kinds: [(FaultFileSystem.Fault, lasts: Bool, count: Int)] = [
      (.error, false, run.callCount), (.error, true, run.callCount),
      (.shortWrite, false, run.writeCount), (.fullDisk, false, run.writeCount),
      (.fullDisk, true, run.writeCount),
    ]
    for (kind, lasts, count) in kinds {
      for place in FaultEffort.places(count, step: mode.step, sample: 2, seed: FaultWorkload.seed) {
        run.run(.init(kind: kind, place: place, lasts: lasts), seed: 0)
      }
    }
    for survival in mode.survivals {
      let seed = FaultWorkload.seed &+ UInt64(survival.rawValue)
      for place in FaultEffort.places(run.callCount, step: mode.step, sample: 2, seed: seed) {
        let fault = FaultRun.Fault(kind: .powerLoss, place: place, survival: survival)
        run.run(fault, seed: seed &+ UInt64(place))
      }
    }
    print(
      """
      faults, \(mode.testDescription), seed \(FaultWorkload.seed): \(run.tally.faults) injected, \
      \(run.tally.commits) acknowledged commits checked, lost: \(run.tally.lost), errors: \(run.tally.codes)
      """)
  }
}

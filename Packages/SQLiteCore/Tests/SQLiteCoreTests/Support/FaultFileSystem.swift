import CFaultVFS
import SQLiteCore

/// A file system in memory whose calls fail as planned, and that a power loss can hit.
///
/// Its files are named as any others are, and opened by a configuration that names it.
final class FaultFileSystem: Sendable {
  private let id: Int32

  /// What kind of call fails.
  enum Call: Int32, CaseIterable {
    case any, open, delete, access, read, write, truncate, sync, size, lock, sharedMemory
  }

  /// What a call comes to.
  enum Fault: Int32, CaseIterable {
    case none, error, shortWrite, fullDisk, powerLoss

    /// The calls that it can hit.
    var call: Call { self == .shortWrite || self == .fullDisk ? .write : .any }
  }

  /// What a reboot finds of the changes that were not synced.
  enum Survival: Int32, CaseIterable {
    case none, all, first, some, spoiled
  }

  init() { id = fault_make() }

  deinit { fault_free(id) }

  var name: String { "fault-\(id)" }

  /// Removes every file, and the plan.
  func clear() { fault_clear(id) }

  /// Fails the `n`-th call from now on, and, if it lasts, each later one of its kind.
  func plan(_ fault: Fault, at n: Int, of call: Call? = nil, lasts: Bool = false) {
    fault_plan(id, (call ?? fault.call).rawValue, Int64(n), fault.rawValue, lasts ? 1 : 0)
  }

  /// Lets every call succeed, and counts from here on.
  func planNothing() { plan(.none, at: 0) }

  /// How many calls there were since the plan was made.
  func calls(_ call: Call = .any) -> Int { Int(fault_calls(id, call.rawValue)) }

  /// How many calls failed by the plan.
  var strikes: Int { Int(fault_strikes(id)) }

  var openFiles: Int { Int(fault_open_files(id)) }

  func reboot(_ survival: Survival, seed: UInt64) { fault_reboot(id, survival.rawValue, seed) }
}

import CFaultVFS
import SQLiteCore

/// An in-memory file system whose calls can be made to fail, and which can lose its power.
///
/// Its files have ordinary paths, and are opened by a configuration with its name.
final class FaultFileSystem: Sendable {
  private let id: Int32

  /// The kind of a call.
  enum Call: Int32, CaseIterable {
    case any, open, delete, access, read, write, truncate, sync, size, lock, sharedMemory
  }

  /// The fault of a call.
  enum Fault: Int32, CaseIterable {
    case none, error, shortWrite, fullDisk, powerLoss

    /// The calls that can have this fault.
    var call: Call { self == .shortWrite || self == .fullDisk ? .write : .any }
  }

  /// The unsynced changes that survive a power loss; see `faultvfs.h`.
  enum Survival: Int32, CaseIterable {
    case none, all, first, some, spoiled
  }

  init() { id = fault_make() }

  deinit { fault_free(id) }

  var name: String { "fault-\(id)" }

  /// Removes all files and the planned fault.
  func clear() { fault_clear(id) }

  /// Fails the `n`-th call from now on and, with `lasts`, all later calls of its kind.
  func plan(_ fault: Fault, at n: Int, of call: Call? = nil, lasts: Bool = false) {
    fault_plan(id, (call ?? fault.call).rawValue, Int64(n), fault.rawValue, lasts ? 1 : 0)
  }

  /// Lets every call succeed, and resets the counts.
  func planNothing() { plan(.none, at: 0) }

  /// Returns the number of calls since the last plan.
  func calls(_ call: Call = .any) -> Int { Int(fault_calls(id, call.rawValue)) }

  /// The number of calls that failed as planned.
  var strikes: Int { Int(fault_strikes(id)) }

  var openFiles: Int { Int(fault_open_files(id)) }

  func reboot(_ survival: Survival, seed: UInt64) { fault_reboot(id, survival.rawValue, seed) }
}

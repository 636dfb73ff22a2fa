internal import CSQLite
internal import Dispatch
internal import Primitives

/// A thread's looking out for what is likely to come at once, instead of going to sleep: to wake a thread
/// takes longer than most accesses do.
///
/// It learns: where nothing came a few times in a row it looks out only now and then. With one processor
/// it never does: what it looks out for could not happen meanwhile.
final class Lookout: Sendable {
  /// Whose thread looks out.
  enum Kind {
    /// One that has nothing else to do.
    case worker
    /// One that runs a task, and would run others if that were suspended.
    case task
  }

  /// How long it looks out at most: as long as to wake a thread takes, so that it never costs more than
  /// twice what it may save.
  private static let nanoseconds: UInt64 = 20_000
  /// After so many failures it rests.
  static let patience = 4
  /// So many rests follow each other.
  static let restCount = 32
  /// So often in a row a task goes on without having been suspended: others wait for its thread.
  static let longestRun = 32
  /// How many tasks' threads look out.
  private static let lookingOut = Atomic<Int>(0)

  private let kind: Kind
  /// How often nothing came, in a row.
  private let failures = Atomic<Int>(0)
  /// How often there was no looking out since, in a row.
  private let rests = Atomic<Int>(0)
  /// How often what came was caught, in a row.
  private let run = Atomic<Int>(0)

  init(_ kind: Kind) { self.kind = kind }

  /// Looks out until `isThere`, as long as is worth it.
  func wait(until isThere: () -> Bool) {
    if isThere() { return }
    guard Self.processorCount > 1, isWorthIt else { return }
    if kind == .worker { return look(until: isThere) }
    // At most half of the processors: what is looked out for needs one too.
    let others = Self.lookingOut.add(1, ordering: .relaxed).oldValue
    defer { Self.lookingOut.subtract(1, ordering: .relaxed) }
    if others < Self.processorCount / 2 { look(until: isThere) }
  }

  private func look(until isThere: () -> Bool) {
    let end = Self.now + Self.nanoseconds
    repeat {
      for _ in 0..<16 {
        holt_pause()
        guard isThere() else { continue }
        failures.store(0, ordering: .relaxed)
        return
      }
    } while Self.now < end
    failures.add(1, ordering: .relaxed)
  }

  private var isWorthIt: Bool {
    if kind == .task, run.add(1, ordering: .relaxed).newValue > Self.longestRun {
      run.store(0, ordering: .relaxed)
      return false
    }
    if failures.load(ordering: .relaxed) < Self.patience { return true }
    guard rests.add(1, ordering: .relaxed).newValue > Self.restCount else { return false }
    rests.store(0, ordering: .relaxed)
    return true
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// How many processors the process may use.
  static let processorCount = holt_processor_count()
}

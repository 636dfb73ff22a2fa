internal import CSQLite
internal import Dispatch
internal import Primitives

/// Lets a thread spin briefly for an event that is expected soon, instead of sleeping: waking a
/// thread takes longer than most accesses do.
///
/// The wait is adaptive: after several misses it only spins occasionally. With a single processor
/// it never spins, because the event could not happen during the spin.
final class SpinWait: Sendable {
  /// The kind of thread that waits.
  enum Kind {
    /// A worker thread, which has no other work.
    case worker
    /// A thread of a task, which would execute other tasks if the task were suspended.
    case task
  }

  /// The maximum time of one spin. It equals the time to wake a thread, so that a failed spin at
  /// most doubles the time of the wait.
  private static let nanoseconds: UInt64 = 20_000
  /// The number of consecutive misses after which waits are skipped.
  static let maximumConsecutiveMisses = 4
  /// The number of waits that are skipped in a row.
  static let skippedWaitLimit = 32
  /// The maximum number of consecutive hits of a task, which must then be suspended because other
  /// tasks wait for its thread.
  static let maximumConsecutiveHits = 32
  /// The number of task threads that are spinning.
  private static let spinningTaskCount = Atomic<Int>(0)

  private let kind: Kind
  /// The number of consecutive misses.
  private let consecutiveMisses = Atomic<Int>(0)
  /// The number of consecutive skipped waits.
  private let skippedWaits = Atomic<Int>(0)
  /// The number of a task's waits since the last one that was skipped for other tasks.
  private let consecutiveHits = Atomic<Int>(0)

  init(_ kind: Kind) { self.kind = kind }

  /// Spins until the closure returns `true` or the time is up. May return without spinning.
  func wait(until condition: () -> Bool) {
    if condition() { return }
    guard Self.processorCount > 1, shouldSpin else { return }
    if kind == .worker { return spin(until: condition) }
    // At most half of the processors spin, because the event needs a processor as well.
    let others = Self.spinningTaskCount.add(1, ordering: .relaxed).oldValue
    defer { Self.spinningTaskCount.subtract(1, ordering: .relaxed) }
    if others < Self.processorCount / 2 { spin(until: condition) }
  }

  private func spin(until condition: () -> Bool) {
    let end = Self.now + Self.nanoseconds
    repeat {
      for _ in 0..<16 {
        holt_pause()
        guard condition() else { continue }
        consecutiveMisses.store(0, ordering: .relaxed)
        return
      }
    } while Self.now < end
    consecutiveMisses.add(1, ordering: .relaxed)
  }

  private var shouldSpin: Bool {
    if kind == .task,
      consecutiveHits.add(1, ordering: .relaxed).newValue > Self.maximumConsecutiveHits
    {
      consecutiveHits.store(0, ordering: .relaxed)
      return false
    }
    if consecutiveMisses.load(ordering: .relaxed) < Self.maximumConsecutiveMisses { return true }
    guard skippedWaits.add(1, ordering: .relaxed).newValue > Self.skippedWaitLimit else {
      return false
    }
    skippedWaits.store(0, ordering: .relaxed)
    return true
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The number of processors available to the process.
  static let processorCount = holt_processor_count()
}

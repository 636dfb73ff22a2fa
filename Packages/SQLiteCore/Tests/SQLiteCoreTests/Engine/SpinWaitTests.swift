import Testing

@testable import SQLiteCore

@Suite(.enabled(if: SpinWait.processorCount > 1, "with one processor nothing is looked out for"))
struct `A spin wait` {
  /// Returns the number of times that the condition is checked.
  private func looks(_ spinWait: SpinWait, until isThere: (Int) -> Bool = { _ in false }) -> Int {
    var count = 0
    spinWait.wait {
      count += 1
      return isThere(count)
    }
    return count
  }

  @Test func `ends as soon as the condition is met`() {
    let spinWait = SpinWait(.worker)
    #expect(looks(spinWait) { _ in true } == 1)
    #expect(looks(spinWait) { $0 == 3 } == 3)
  }

  @Test func `ends if the condition is not met in time`() {
    let clock = ContinuousClock()
    // A thread may be delayed, but not every time.
    let times = (0..<3).map { _ in clock.measure { _ = looks(SpinWait(.worker)) } }
    #expect(times.contains { $0 < .milliseconds(5) })
  }

  @Test func `is skipped after several misses`() {
    let spinWait = SpinWait(.worker)
    for _ in 0..<SpinWait.maximumConsecutiveMisses { #expect(looks(spinWait) > 1) }
    for _ in 0..<SpinWait.skippedWaitLimit { #expect(looks(spinWait) == 1) }
    #expect(looks(spinWait) { $0 == 2 } == 2)
    #expect(looks(spinWait) > 1)
  }

  @Test func `releases a task's thread now and then`() {
    let (task, worker) = (SpinWait(.task), SpinWait(.worker))
    let counts = (0...SpinWait.maximumConsecutiveHits).map { _ in looks(task) { $0 == 2 } }
    // Other tests spin as well, and the number of spinning threads is limited.
    #expect(counts.last == 1)
    for _ in 0...SpinWait.maximumConsecutiveHits { #expect(looks(worker) { $0 == 2 } == 2) }
  }
}

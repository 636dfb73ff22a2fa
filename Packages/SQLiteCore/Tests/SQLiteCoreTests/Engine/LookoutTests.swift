import Testing

@testable import SQLiteCore

@Suite(.enabled(if: Lookout.processorCount > 1, "with one processor nothing is looked out for"))
struct `Looking out for what comes at once` {
  /// How often a lookout asks whether it is there.
  private func looks(_ lookout: Lookout, until isThere: (Int) -> Bool = { _ in false }) -> Int {
    var count = 0
    lookout.wait {
      count += 1
      return isThere(count)
    }
    return count
  }

  @Test func `ends as soon as it is there`() {
    let lookout = Lookout(.worker)
    #expect(looks(lookout) { _ in true } == 1)
    #expect(looks(lookout) { $0 == 3 } == 3)
  }

  @Test func `ends where it does not come`() {
    let clock = ContinuousClock()
    // A thread may be held up, but not each time.
    let times = (0..<3).map { _ in clock.measure { _ = looks(Lookout(.worker)) } }
    #expect(times.contains { $0 < .milliseconds(5) })
  }

  @Test func `rests where it was in vain a few times`() {
    let lookout = Lookout(.worker)
    for _ in 0..<Lookout.patience { #expect(looks(lookout) > 1) }
    for _ in 0..<Lookout.restCount { #expect(looks(lookout) == 1) }
    #expect(looks(lookout) { $0 == 2 } == 2)
    #expect(looks(lookout) > 1)
  }

  @Test func `lets other tasks have the thread now and then`() {
    let (task, worker) = (Lookout(.task), Lookout(.worker))
    let counts = (0...Lookout.longestRun).map { _ in looks(task) { $0 == 2 } }
    // Other tests look out too, and there is a limit to that.
    #expect(counts.last == 1)
    for _ in 0...Lookout.longestRun { #expect(looks(worker) { $0 == 2 } == 2) }
  }
}

import Dispatch
import Primitives
import Testing

@Suite struct `An atomic value` {
  @Test func `loses no addition`() {
    let number = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { number.add(1, ordering: .relaxed) }
    }
    #expect(number.load(ordering: .acquiring) == 80_000)
  }

  @Test func `is received by exactly one of several exchanges`() {
    let turn = Atomic(0)
    let winners = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let (isMine, _) = turn.compareExchange(
        expected: 0, desired: number + 1, ordering: .acquiringAndReleasing)
      if isMine { winners.withLock { $0 += 1 } }
    }
    #expect(winners.withLock { $0 } == 1)
  }

  @Test(arguments: [
    AtomicOrdering.relaxed, .acquiring, .releasing, .acquiringAndReleasing, .sequentiallyConsistent,
  ]) func `has the same operations with every ordering`(_ ordering: AtomicOrdering) {
    let number = Atomic(UInt8(250))
    #expect(number.add(10, ordering: ordering) == (250, 4))
    #expect(number.subtract(5, ordering: ordering) == (4, 255))
    #expect(number.exchange(0b0101, ordering: ordering) == 255)
    #expect(number.bitwiseOr(0b0010, ordering: ordering) == (0b0101, 0b0111))
    #expect(number.compareExchange(expected: 1, desired: 2, ordering: ordering) == (false, 7))
    #expect(number.compareExchange(expected: 7, desired: 2, ordering: ordering) == (true, 7))
    #expect(number.load(ordering: ordering) == 2)
    number.store(9, ordering: ordering)
    #expect(number.load(ordering: ordering) == 9)
  }

  @Test func `holds negative numbers, the largest ones and Booleans`() {
    #expect(Atomic(Int.min).load(ordering: .relaxed) == .min)
    #expect(Atomic(-1).subtract(1, ordering: .relaxed).newValue == -2)
    #expect(Atomic(UInt64.max).load(ordering: .relaxed) == .max)
    let flag = Atomic(true)
    let wasSet = flag.exchange(false, ordering: .relaxed)
    #expect(wasSet)
  }
}

import Dispatch
import Primitives
import Testing

@Suite struct `A mutex` {
  @Test func `allows one thread at a time to use its value`() {
    let count = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test func `is unlocked after an error, and keeps earlier changes`() {
    struct Failure: Error {}
    let value = Mutex([1])
    #expect(throws: Failure.self) {
      try value.withLock { value throws(Failure) in
        value.append(2)
        throw Failure()
      }
    }
    #expect(value.withLock { $0 } == [1, 2])
  }

  @Test func `releases its value`() {
    final class Object: Sendable {}
    weak var object: Object?
    do {
      let mutex = Mutex([Object()])
      object = mutex.withLock { $0[0] }
      #expect(object != nil)
    }
    #expect(object == nil)
  }

  @Test func `guards a value without a size`() {
    let mutex = Mutex(())
    #expect(mutex.withLock { _ in 1 } == 1)
  }
}

import Testing

@testable import SQLiteCore

@Suite struct `The state of a connection pool` {
  /// A queue of named connections and numbered waiters, with results as text.
  private final class Queue {
    private var queue: PoolStateMachine<String, Int>
    private var arrivals: [Int: Arrival] = [:]

    init(_ capacity: Int) { queue = PoolStateMachine(capacity: capacity) }

    var isClosed: Bool { queue.isClosed }

    func request(
      _ waiter: Int, _ priority: AccessPriority = .medium, beyondCapacity: Bool = false
    ) -> String {
      switch queue.request(priority, beyondCapacity: beyondCapacity, waiter: { waiter }) {
      case .granted(let connection): return "granted \(connection)"
      case .open: return "open"
      case .closed: return "closed"
      case .wait(let arrival):
        arrivals[waiter] = arrival
        return "wait"
      }
    }

    func release(_ connection: String) -> String {
      switch queue.release(connection) {
      case .granted(let waiter): "\(connection) to \(waiter)"
      case .idle: "idle"
      case .surplus: "surplus"
      }
    }

    func releaseSlot() -> Int? { queue.releaseSlot() }

    func cancel(_ waiter: Int) -> Bool {
      arrivals[waiter].map { queue.cancel($0) != nil } ?? false
    }

    func raise(_ waiter: Int, to priority: AccessPriority) {
      if let arrival = arrivals[waiter] { queue.raise(arrival, to: priority) }
    }

    func releaseIdle() -> [String] { queue.releaseIdle() }

    func pause() -> [String] { queue.pause() }

    func resume() -> [Int] { queue.resume() }

    func close() -> (idle: [String], waiters: [Int]) { queue.close() }

    /// Returns the first `count` waiters in the order of service.
    func served(_ count: Int) -> [Int] {
      (0..<count).compactMap { _ in Int(release("a").dropFirst(5)) }
    }
  }

  @Test func `opens connections up to its capacity, then queues further requests`() {
    let queue = Queue(2)
    #expect((1...4).map { queue.request($0) } == ["open", "open", "wait", "wait"])
  }

  @Test func `serves the first waiter`() {
    let queue = Queue(1)
    #expect((1...4).map { queue.request($0) } == ["open", "wait", "wait", "wait"])
    #expect(queue.release("a") == "a to 2")
    #expect(queue.request(5) == "wait")
    #expect(queue.release("a") == "a to 3")
    #expect(queue.release("a") == "a to 4")
    #expect(queue.release("a") == "a to 5")
    #expect(queue.release("a") == "idle")
    #expect(queue.request(6) == "granted a")
  }

  @Test func `reuses the most recently released connection`() {
    let queue = Queue(2)
    #expect((1...2).map { queue.request($0) } == ["open", "open"])
    #expect(["a", "b"].map { queue.release($0) } == ["idle", "idle"])
    #expect((3...5).map { queue.request($0) } == ["granted b", "granted a", "wait"])
  }

  @Test func `removes a cancelled waiter only once`() {
    let queue = Queue(1)
    #expect((1...3).map { queue.request($0) } == ["open", "wait", "wait"])
    #expect(queue.cancel(2))
    #expect(!queue.cancel(2))
    #expect(!queue.cancel(1))
    #expect(!queue.cancel(9))
    #expect(queue.release("a") == "a to 3")
    #expect(!queue.cancel(3))
    #expect(queue.release("a") == "idle")
  }

  @Test func `lets the next waiter open a connection if opening failed`() {
    let queue = Queue(1)
    #expect((1...2).map { queue.request($0) } == ["open", "wait"])
    #expect(queue.releaseSlot() == 2)
    #expect(queue.request(3) == "wait")
    #expect(queue.releaseSlot() == 3)
    #expect(queue.releaseSlot() == nil)
    #expect(queue.request(4) == "open")
  }

  @Test func `returns waiters and idle connections when it closes, and refuses later requests`() {
    let queue = Queue(2)
    #expect((1...2).map { queue.request($0) } == ["open", "open"])
    #expect(queue.release("a") == "idle")
    let closed = queue.close()
    #expect(closed.idle == ["a"])
    #expect(closed.waiters == [])
    #expect(queue.isClosed)
    #expect(queue.request(3) == "closed")
    #expect(queue.release("b") == "surplus")
    #expect(queue.close().idle == [])
    let busy = Queue(1)
    #expect((1...3).map { busy.request($0) } == ["open", "wait", "wait"])
    #expect(busy.close().waiters == [2, 3])
    #expect(!busy.cancel(2))
  }

  @Test func `stays consistent over thousands of arrivals, grants and cancellations`() {
    let queue = Queue(1)
    #expect(queue.request(0) == "open")
    var next = 1
    var expected: [Int] = []
    let seed: UInt64 = 20_261_121
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6_000 {
      switch UInt8.random(in: 0..<8, using: &random) {
      case 0..<4:
        #expect(queue.request(next) == "wait")
        expected.append(next)
        next += 1
      case 4 where !expected.isEmpty:
        let index = Int.random(in: 0..<min(expected.count, 20), using: &random)
        let waiter = expected.remove(at: index)
        #expect(queue.cancel(waiter))
      case _ where !expected.isEmpty:
        let first = expected.removeFirst()
        #expect(queue.release("a") == "a to \(first)")
      default: break
      }
    }
    #expect(queue.close().waiters == expected, "seed \(seed)")
  }

  @Test func `serves the highest priority first, and equal priorities in their order of arrival`() {
    let queue = Queue(1)
    let priorities: [AccessPriority] = [.medium, .low, .medium, .high, .background, .low, .high]
    #expect(queue.request(0) == "open")
    for (index, priority) in priorities.enumerated() {
      #expect(queue.request(index + 1, priority) == "wait")
    }
    #expect(queue.served(7) == [4, 7, 1, 3, 2, 6, 5])
    #expect(queue.release("a") == "idle")
  }

  @Test(arguments: [AccessPriority.background, .low, .medium])
  func `prevents starvation by waiters of higher priority`(_ priority: AccessPriority) {
    let queue = Queue(1)
    #expect(queue.request(0) == "open")
    #expect(queue.request(1, priority) == "wait")
    #expect(queue.request(2, priority) == "wait")
    // There is always another urgent waiter.
    var served: [Int] = []
    for next in 3..<40 {
      #expect(queue.request(next, .high) == "wait")
      served += queue.served(1)
    }
    #expect(served.firstIndex(of: 1) == 7)
    #expect(served.firstIndex(of: 2) == 15)
  }

  @Test func `raises the priority of a waiter, and never lowers it`() {
    let queue = Queue(1)
    #expect(queue.request(0) == "open")
    for (waiter, priority) in [(1, AccessPriority.low), (2, .high), (3, .low), (4, .high)] {
      #expect(queue.request(waiter, priority) == "wait")
    }
    queue.raise(3, to: .high)
    queue.raise(4, to: .low)
    #expect(queue.served(2) == [2, 3])
    queue.raise(2, to: .high)
    #expect(queue.cancel(4))
    #expect(queue.served(2) == [1])
  }

  @Test func `opens a connection beyond its capacity on request, and closes the surplus`() {
    let queue = Queue(1)
    #expect(queue.request(1) == "open")
    #expect(queue.request(2, beyondCapacity: true) == "open")
    #expect(queue.request(3) == "wait")
    #expect(queue.release("b") == "surplus")
    #expect(queue.release("a") == "a to 3")
    #expect(queue.release("a") == "idle")
  }

  @Test func `opens a connection in place of a released idle one`() {
    let queue = Queue(2)
    #expect((1...2).map { queue.request($0) } == ["open", "open"])
    #expect(queue.release("a") == "idle")
    #expect(queue.releaseIdle() == ["a"])
    #expect(queue.request(3) == "open")
    #expect(queue.request(4) == "wait")
  }

  @Test func `grants nothing while it is paused`() {
    let queue = Queue(2)
    #expect(queue.request(1) == "open")
    #expect(queue.request(2) == "open")
    #expect(queue.release("a") == "idle")
    #expect(queue.pause() == ["a"])
    for waiter in 3...5 { #expect(queue.request(waiter) == "wait") }
    #expect(queue.request(6, beyondCapacity: true) == "wait")
    #expect(queue.release("b") == "surplus")
    #expect(queue.resume() == [3, 4])
    #expect(queue.release("c") == "c to 5")
    #expect(queue.releaseSlot() == 6)
  }

  @Test func `opens no connection for a waiter while it is paused`() {
    let queue = Queue(1)
    #expect(queue.request(1) == "open")
    #expect(queue.pause() == [])
    #expect(queue.request(2) == "wait")
    #expect(queue.releaseSlot() == nil)
    #expect(queue.cancel(2))
    #expect(queue.resume() == [])
    #expect(queue.request(3) == "open")
  }
}

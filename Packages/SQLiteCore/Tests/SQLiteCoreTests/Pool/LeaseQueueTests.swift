import Testing

@testable import SQLiteCore

@Suite struct `The lease queue` {
  /// A queue of named connections, whose answers are words.
  private final class Queue {
    private var queue: LeaseQueue<String>

    init(_ capacity: Int) { queue = LeaseQueue(capacity: capacity) }

    var isClosed: Bool { queue.isClosed }

    func request(_ waiter: UInt64) -> String {
      switch queue.request(by: waiter) {
      case .granted(let connection): "granted \(connection)"
      case .open: "open"
      case .wait: "wait"
      case .closed: "closed"
      }
    }

    func giveBack(_ connection: String) -> String {
      queue.giveBack(connection).map { "\($0.connection) to \($0.waiter)" } ?? "idle"
    }

    func openingFailed() -> UInt64? { queue.openingFailed() }

    func cancel(_ waiter: UInt64) -> Bool { queue.cancel(waiter) }

    func close() -> (idle: [String], waiters: [UInt64]) { queue.close() }
  }

  @Test func `opens as many connections as it may, then has the others wait`() {
    let queue = Queue(2)
    #expect((1...4).map { queue.request($0) } == ["open", "open", "wait", "wait"])
  }

  @Test func `serves whoever came first`() {
    let queue = Queue(1)
    #expect((1...4).map { queue.request($0) } == ["open", "wait", "wait", "wait"])
    #expect(queue.giveBack("a") == "a to 2")
    #expect(queue.request(5) == "wait")
    #expect(queue.giveBack("a") == "a to 3")
    #expect(queue.giveBack("a") == "a to 4")
    #expect(queue.giveBack("a") == "a to 5")
    #expect(queue.giveBack("a") == "idle")
    #expect(queue.request(6) == "granted a")
  }

  @Test func `uses the connection again that came back last`() {
    let queue = Queue(2)
    #expect((1...2).map { queue.request($0) } == ["open", "open"])
    #expect(["a", "b"].map { queue.giveBack($0) } == ["idle", "idle"])
    #expect((3...5).map { queue.request($0) } == ["granted b", "granted a", "wait"])
  }

  @Test func `forgets a waiter that was cancelled, and only once`() {
    let queue = Queue(1)
    #expect((1...3).map { queue.request($0) } == ["open", "wait", "wait"])
    #expect(queue.cancel(2))
    #expect(!queue.cancel(2))
    #expect(!queue.cancel(1))
    #expect(!queue.cancel(9))
    #expect(queue.giveBack("a") == "a to 3")
    #expect(!queue.cancel(3))
    #expect(queue.giveBack("a") == "idle")
  }

  @Test func `lets the next waiter try where opening failed`() {
    let queue = Queue(1)
    #expect((1...2).map { queue.request($0) } == ["open", "wait"])
    #expect(queue.openingFailed() == 2)
    #expect(queue.request(3) == "wait")
    #expect(queue.openingFailed() == 3)
    #expect(queue.openingFailed() == nil)
    #expect(queue.request(4) == "open")
  }

  @Test func `gives back who waits and what is idle when it closes, and serves nobody more`() {
    let queue = Queue(2)
    #expect((1...2).map { queue.request($0) } == ["open", "open"])
    #expect(queue.giveBack("a") == "idle")
    let closed = queue.close()
    #expect(closed.idle == ["a"])
    #expect(closed.waiters == [])
    #expect(queue.isClosed)
    #expect(queue.request(3) == "closed")
    #expect(queue.giveBack("b") == "idle")
    #expect(queue.close().idle == [])
    let busy = Queue(1)
    #expect((1...3).map { busy.request($0) } == ["open", "wait", "wait"])
    #expect(busy.close().waiters == [2, 3])
    #expect(!busy.cancel(2))
  }

  @Test func `stays in order over thousands of waiters that come, go and give up`() {
    let queue = Queue(1)
    #expect(queue.request(0) == "open")
    var next: UInt64 = 1
    var expected: [UInt64] = []
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
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
        #expect(queue.giveBack("a") == "a to \(first)")
      default: break
      }
    }
    #expect(queue.close().waiters == expected)
  }
}

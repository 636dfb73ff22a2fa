import Testing

@testable import Observe

@Suite struct `The queue of commits` {
  @Test func `tells them in the order of their places`() {
    var queue = CommitQueue<String>()
    let (a, b, c) = (queue.take(), queue.take(), queue.take())
    queue.finish(b, "b")
    let early = queue.next()
    #expect(early == nil)
    queue.finish(a, "a")
    let told = [queue.next(), queue.next(), queue.next()]
    #expect(told == ["a", "b", nil])
    #expect(!queue.isEmpty)
    queue.finish(c, "c")
    #expect(queue.hasNext)
    let last = queue.next()
    #expect(last == "c")
    #expect(queue.isEmpty)
  }

  @Test func `goes on past one that was not made`() {
    var queue = CommitQueue<String>()
    let (a, b) = (queue.take(), queue.take())
    queue.finish(b, "b")
    queue.leave(a)
    queue.finish(a, "never")
    let told = [queue.next(), queue.next()]
    #expect(told == ["b", nil])
  }
}

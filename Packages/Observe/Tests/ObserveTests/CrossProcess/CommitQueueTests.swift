import Testing

@testable import Observe

@Suite struct `The commit queue` {
  @Test func `delivers commits in the order of their tickets`() {
    var queue = CommitQueue<String>()
    let (a, b, c) = (queue.take(), queue.take(), queue.take())
    queue.finish(b, "b")
    let early = queue.next()
    #expect(early == nil)
    queue.finish(a, "a")
    let reported = [queue.next(), queue.next(), queue.next()]
    #expect(reported == ["a", "b", nil])
    #expect(!queue.isEmpty)
    queue.finish(c, "c")
    #expect(queue.hasNext)
    let last = queue.next()
    #expect(last == "c")
    #expect(queue.isEmpty)
  }

  @Test func `skips a commit that failed`() {
    var queue = CommitQueue<String>()
    let (a, b) = (queue.take(), queue.take())
    queue.finish(b, "b")
    queue.withdraw(a)
    queue.finish(a, "never")
    let reported = [queue.next(), queue.next()]
    #expect(reported == ["b", nil])
  }
}

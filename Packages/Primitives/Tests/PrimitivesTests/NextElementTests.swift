import Primitives
import Testing

@Suite struct `The next element of any iterator` {
  private struct Trouble: Error {}

  /// Counts down, then fails.
  private struct Countdown: AsyncIteratorProtocol {
    var count: Int

    mutating func next() async throws -> Int? {
      guard count > 0 else { throw Trouble() }
      count -= 1
      return count
    }
  }

  @Test func `is the iterator's, until it fails`() async throws {
    var iterator = Countdown(count: 2)
    #expect(try await iterator.nextElement() == 1)
    #expect(try await iterator.nextElement() == 0)
    await #expect(throws: Trouble.self) { try await iterator.nextElement() }
    #expect(iterator.count == 0)
  }

  @Test @MainActor func `is requested on an actor`() async throws {
    var iterator = AsyncStream {
      $0.yield(1)
      $0.finish()
    }.makeAsyncIterator()
    #expect(try await iterator.nextElement() == 1)
    #expect(try await iterator.nextElement() == nil)
  }
}

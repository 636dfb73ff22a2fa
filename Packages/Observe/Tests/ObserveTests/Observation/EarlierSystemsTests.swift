import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Sequences on systems before macOS 15` {
  private static let lists = [[1, 2, 3], [1, 2, 3], [3, 1], [3, 1, 4], []]

  private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  /// All elements, requested with `next()`, as a loop does on these systems.
  @concurrent private func byNext<Base: AsyncSequence & Sendable>(
    _ sequence: Base
  ) async throws -> [String] {
    var iterator = sequence.makeAsyncIterator()
    var elements: [String] = []
    while let element = try await iterator.next() { elements.append("\(element)") }
    return elements
  }

  @concurrent private func byLoop<Base: AsyncSequence & Sendable>(
    _ sequence: Base
  ) async throws -> [String] {
    var elements: [String] = []
    for try await element in sequence { elements.append("\(element)") }
    return elements
  }

  @Test func `deliver the same differences`() async throws {
    let lists = stream(Self.lists).differences { $0 }
    let expected = try await byLoop(stream(Self.lists).differences { $0 })
    #expect(expected.count == 4)
    #expect(try await byNext(lists) == expected)
  }

  @Test func `deliver the same differences of sections`() async throws {
    let lists = stream(Self.lists).differences(by: { $0 }, sectionBy: { $0 > 2 })
    let expected = try await byLoop(
      stream(Self.lists).differences(by: { $0 }, sectionBy: { $0 > 2 }))
    #expect(expected.count == 4)
    #expect(try await byNext(lists) == expected)
  }

  @Test func `deliver the same differences of results, and the errors between them`() async throws {
    var results: [Result<[Int], any Error>] = Self.lists.map { .success($0) }
    results.insert(.failure(CancellationError()), at: 1)
    let expected = try await byLoop(stream(results).differences { $0 })
    // The list after the error is delivered even though it is unchanged.
    #expect(expected.count == 6)
    #expect(try await byNext(stream(results).differences { $0 }) == expected)
  }

  @Test func `are throttled, and end`() async throws {
    let throttled = DatabaseObservation.ThrottledSequence(
      base: stream([1, 2, 3]), interval: .milliseconds(5), clock: ContinuousClock())
    let start = ContinuousClock.now
    #expect(try await byNext(throttled) == ["1", "2", "3"])
    #expect(start.duration(to: .now) >= .milliseconds(10))
  }

  @Test func `begin with the current value`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a); INSERT INTO t VALUES (7)") { database in
      let observation = database.observe { try $0.value(Int.self, "SELECT a FROM t") }
      var iterator = observation.makeAsyncIterator()
      let value = try await iterator.next()
      #expect(value == 7)
      var results = observation.results.makeAsyncIterator()
      let result = try await results.next()?.get()
      #expect(result == 7)
    }
  }
}

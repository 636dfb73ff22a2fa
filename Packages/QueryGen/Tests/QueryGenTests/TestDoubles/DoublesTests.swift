import QueryGen
import Testing

private struct MockError: Error, Equatable {}

/// Returns all elements of a stream.
private func elements<Value>(of stream: Queries.Stream<Value>) async throws -> [Value] {
  var all: [Value] = []
  for try await element in stream { all.append(element) }
  return all
}

/// A model that depends on a query, regardless of its implementation.
private struct Greeter {
  let fetchName: any Query<Int, String>

  func greeting(for id: Int) async throws -> String { "Hello, \(try await fetchName.execute(id))" }
}

@Suite struct `A query that always returns one value` {
  @Test func `returns it`() async throws {
    let greeter = Greeter(fetchName: Queries.Just("Ada"))
    #expect(try await greeter.greeting(for: 1) == "Hello, Ada")
  }

  @Test func `emits one result and finishes when observed`() async throws {
    let query: any Query<Int, String> = Queries.Just("Ada")
    #expect(try await elements(of: query.observe(1)) == ["Ada"])
  }

  @Test func `can be observed again`() async throws {
    let stream = Queries.Just<Int, String>("Ada").observe(1)
    #expect(try await elements(of: stream) == ["Ada"])
    #expect(try await elements(of: stream) == ["Ada"])
  }

  @Test func `without input is executed without arguments`() async throws {
    let query: any Query<Void, [Int]> = Queries.Just([1, 2])
    #expect(try await query.execute() == [1, 2])
    #expect(try await elements(of: query.observe()) == [[1, 2]])
  }
}

@Suite struct `A query that fails` {
  @Test func `throws its error`() async throws {
    let greeter = Greeter(fetchName: Queries.Fail(MockError()))
    await #expect(throws: MockError()) { try await greeter.greeting(for: 1) }
  }

  @Test func `throws its error and finishes when observed`() async throws {
    let query: any Query<Int, String> = Queries.Fail(MockError())
    var iterator = query.observe(1).makeAsyncIterator()
    await #expect(throws: MockError()) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}

@Suite struct `A recorder` {
  @Test func `records its inputs`() async throws {
    let recorder = Queries.Recorder<Int, String> { "number \($0)" }
    let greeter = Greeter(fetchName: recorder)
    #expect(try await greeter.greeting(for: 7) == "Hello, number 7")
    #expect(try await greeter.greeting(for: 8) == "Hello, number 8")
    #expect(recorder.executed == [7, 8])
    #expect(recorder.observed.isEmpty)
  }

  @Test func `records each of many inputs`() async throws {
    let recorder = Queries.Recorder<Int, String> { "number \($0)" }
    #expect(try await recorder.execute(many: [7, 8]) == ["number 7", "number 8"])
    #expect(recorder.executed == [7, 8])
  }

  @Test func `emits its result first, and then the values that are sent`() async throws {
    let recorder = Queries.Recorder<Int, String>("first")
    var iterator = recorder.observe(3).makeAsyncIterator()
    #expect(recorder.observed == [3])
    recorder.send("second")
    recorder.send("third")
    recorder.finish()
    #expect(try await iterator.next() == "first")
    #expect(try await iterator.next() == "second")
    #expect(try await iterator.next() == "third")
    #expect(try await iterator.next() == nil)
  }

  @Test func `finishes observations with an error`() async throws {
    let recorder = Queries.Recorder<Int, String>("first")
    var iterator = recorder.observe(3).makeAsyncIterator()
    recorder.finish(throwing: MockError())
    #expect(try await iterator.next() == "first")
    await #expect(throws: MockError()) { try await iterator.next() }
  }

  @Test func `releases observers that have finished`() async throws {
    let recorder = Queries.Recorder<Int, String>("first")
    do {
      var iterator = recorder.observe(3).makeAsyncIterator()
      #expect(try await iterator.next() == "first")
    }
    recorder.send("nobody hears")
    #expect(recorder.observed == [3])
  }
}

@Suite struct `A transformed query` {
  @Test func `transforms its results`() async throws {
    let query: any Query<Int, Int> = Queries.Just<Int, String>("Ada").map(\.count)
    #expect(try await query.execute(1) == 3)
    #expect(try await elements(of: query.observe(1)) == [3])
  }

  @Test func `transforms its input`() async throws {
    let recorder = Queries.Recorder<Int, String>("Ada")
    let query: any Query<String, String> = recorder.mapInput { $0.count }
    #expect(try await query.execute("four") == "Ada")
    #expect(recorder.executed == [4])
  }

  @Test func `has no input if the input is fixed`() async throws {
    let recorder = Queries.Recorder<Int, String>("Ada")
    let query: any Query<Void, String> = recorder.with(9)
    #expect(try await query.execute() == "Ada")
    #expect(recorder.executed == [9])
  }

  @Test func `can be transformed without knowing its type`() async throws {
    let unknown: any Query<Int, String> = Queries.Just("Ada")
    let query: any Query<Int, Int> = unknown.map { $0.count }
    #expect(try await query.execute(1) == 3)
  }

  @Test func `throws the errors of the transformation`() async throws {
    let query = Queries.Just<Int, String>("Ada").mapInput { (_: Bool) in throw MockError() }
    await #expect(throws: MockError()) { try await query.execute(true) }
    await #expect(throws: MockError()) { try await elements(of: query.observe(true)) }
  }
}

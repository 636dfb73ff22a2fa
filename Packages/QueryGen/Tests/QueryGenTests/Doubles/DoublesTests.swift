import QueryGen
import Testing

private struct MockError: Error, Equatable {}

/// All elements of a stream.
private func elements<Value>(of stream: Queries.Stream<Value>) async throws -> [Value] {
  var all: [Value] = []
  for try await element in stream { all.append(element) }
  return all
}

/// What takes a query, and knows nothing of where it comes from.
private struct Greeter {
  let fetchName: any Query<Int, String>

  func greeting(for id: Int) async throws -> String { "Hello, \(try await fetchName.execute(id))" }
}

@Suite struct `A query that is just a value` {
  @Test func `answers it`() async throws {
    let greeter = Greeter(fetchName: Queries.Just("Ada"))
    #expect(try await greeter.greeting(for: 1) == "Hello, Ada")
  }

  @Test func `is observed once, and ends`() async throws {
    let query: any Query<Int, String> = Queries.Just("Ada")
    #expect(try await elements(of: query.observe(1)) == ["Ada"])
  }

  @Test func `can be observed again`() async throws {
    let stream = Queries.Just<Int, String>("Ada").observe(1)
    #expect(try await elements(of: stream) == ["Ada"])
    #expect(try await elements(of: stream) == ["Ada"])
  }

  @Test func `needs no input where there is none`() async throws {
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

  @Test func `throws its error when observed, and ends`() async throws {
    let query: any Query<Int, String> = Queries.Fail(MockError())
    var iterator = query.observe(1).makeAsyncIterator()
    await #expect(throws: MockError()) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}

@Suite struct `A recorder` {
  @Test func `remembers what it was asked`() async throws {
    let recorder = Queries.Recorder<Int, String> { "number \($0)" }
    let greeter = Greeter(fetchName: recorder)
    #expect(try await greeter.greeting(for: 7) == "Hello, number 7")
    #expect(try await greeter.greeting(for: 8) == "Hello, number 8")
    #expect(recorder.executed == [7, 8])
    #expect(recorder.observed.isEmpty)
  }

  @Test func `remembers each of many inputs`() async throws {
    let recorder = Queries.Recorder<Int, String> { "number \($0)" }
    #expect(try await recorder.execute(many: [7, 8]) == ["number 7", "number 8"])
    #expect(recorder.executed == [7, 8])
  }

  @Test func `gives observers its answer first, then what is sent`() async throws {
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

  @Test func `fails observers where it is told to`() async throws {
    let recorder = Queries.Recorder<Int, String>("first")
    var iterator = recorder.observe(3).makeAsyncIterator()
    recorder.finish(throwing: MockError())
    #expect(try await iterator.next() == "first")
    await #expect(throws: MockError()) { try await iterator.next() }
  }

  @Test func `forgets observers that are gone`() async throws {
    let recorder = Queries.Recorder<Int, String>("first")
    do {
      var iterator = recorder.observe(3).makeAsyncIterator()
      #expect(try await iterator.next() == "first")
    }
    recorder.send("nobody hears")
    #expect(recorder.observed == [3])
  }
}

@Suite struct `A query that is changed` {
  @Test func `answers in another form`() async throws {
    let query: any Query<Int, Int> = Queries.Just<Int, String>("Ada").map(\.count)
    #expect(try await query.execute(1) == 3)
    #expect(try await elements(of: query.observe(1)) == [3])
  }

  @Test func `takes another form`() async throws {
    let recorder = Queries.Recorder<Int, String>("Ada")
    let query: any Query<String, String> = recorder.mapInput { $0.count }
    #expect(try await query.execute("four") == "Ada")
    #expect(recorder.executed == [4])
  }

  @Test func `takes nothing when its input is settled`() async throws {
    let recorder = Queries.Recorder<Int, String>("Ada")
    let query: any Query<Void, String> = recorder.with(9)
    #expect(try await query.execute() == "Ada")
    #expect(recorder.executed == [9])
  }

  @Test func `can be changed without its type being known`() async throws {
    let unknown: any Query<Int, String> = Queries.Just("Ada")
    let query: any Query<Int, Int> = unknown.map { $0.count }
    #expect(try await query.execute(1) == 3)
  }

  @Test func `fails where the change does`() async throws {
    let query = Queries.Just<Int, String>("Ada").mapInput { (_: Bool) in throw MockError() }
    await #expect(throws: MockError()) { try await query.execute(true) }
    await #expect(throws: MockError()) { try await elements(of: query.observe(true)) }
  }
}

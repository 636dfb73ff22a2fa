import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A program's own database manager, which is not a `TopLevelDatabaseReader`.
struct PlayerRepository: Sendable {
  fileprivate let writer: any DatabaseWriter
  fileprivate let names: ValueObservation<[String]>

  init(_ database: Database) {
    writer = database
    names = database.observe(fetchNames)
  }
}

private struct PlayerRepositoryKey: EnvironmentKey {
  static var defaultValue: PlayerRepository? { nil }
}

extension EnvironmentValues {
  fileprivate(set) var playerRepository: PlayerRepository? {
    get { self[PlayerRepositoryKey.self] }
    set { self[PlayerRepositoryKey.self] = newValue }
  }
}

struct NoRepository: Error {}

/// The seed's request, in a custom context.
struct MyRequest: PublisherQueryable {
  static var defaultValue: [String] { [] }

  func publisher(in repository: PlayerRepository?) throws -> AnyPublisher<[String], any Error> {
    guard let repository else { throw NoRepository() }
    return repository.names.publisher().eraseToAnyPublisher()
  }
}

@MainActor @Suite struct `A request with a publisher` {
  /// Publishes the values that the test sends.
  @MainActor final class Station {
    let subject = PassthroughSubject<Int, any Error>()
    var subscriptions = 0
    var cancellations = 0
  }

  struct StationRequest: PublisherQueryable {
    typealias Context = Station

    static var defaultValue: Int { -1 }

    func publisher(in station: Station) -> AnyPublisher<Int, any Error> {
      station.subject.handleEvents(
        receiveSubscription: { _ in MainActor.assumeIsolated { station.subscriptions += 1 } },
        receiveCancel: { MainActor.assumeIsolated { station.cancellations += 1 } }
      ).eraseToAnyPublisher()
    }
  }

  @MainActor final class Screen {
    @Query(MyRequest(), in: \.playerRepository) var names: [String]
  }

  @Test func `works in a query with a custom context`() async throws {
    try await withPlayers { database in
      let screen = QueryEnvironment.with(\.playerRepository, PlayerRepository(database)) {
        Screen()
      }
      var told: [[String]] = []
      for await names in screen.$names.values {
        told.append(names)
        if told.count == 2 { break }
        try await database.addPlayer()
      }
      #expect(told == [["Ada", "Bob"], ["Ada", "Bob", "Cy"]])
    }
  }

  @Test func `shows the error of creating its publisher`() {
    let controller = QueryController(MyRequest(), in: .some(nil))
    #expect(controller.error is NoRepository)
    #expect(controller.value == [])
  }

  @Test func `delivers the latest value to a slow consumer`() async throws {
    let station = Station()
    let all = try StationRequest().values(in: station)
    let (received, sent) = (Counter(), Counter())
    let task = Task {
      var values = all.makeAsyncIterator()
      let first = try await values.next()
      received.add()
      while sent.value == 0 { await Task.yield() }
      return [first, try await values.next()]
    }
    while station.subscriptions == 0 { await Task.yield() }
    station.subject.send(1)
    while received.value == 0 { await Task.yield() }
    for number in 2...9 { station.subject.send(number) }
    sent.add()
    let values = try await task.value
    #expect(values == [1, 9])
  }

  @Test func `is subscribed to only while it is observed`() async throws {
    let station = Station()
    let controller = QueryController(StationRequest(), in: station)
    while station.subscriptions == 0 { await Task.yield() }
    for number in 1...3 { station.subject.send(number) }
    while controller.value != 3 { await Task.yield() }
    controller.isEnabled = false
    while station.cancellations == 0 { await Task.yield() }
    station.subject.send(4)
    for _ in 0..<10 { await Task.yield() }
    #expect(controller.value == 3)
    controller.isEnabled = true
    while station.subscriptions == 1 { await Task.yield() }
    station.subject.send(5)
    while controller.value != 5 { await Task.yield() }
  }

  @Test func `shows an error with the last value, and can be retried`() async throws {
    struct Failure: Error {}
    let station = Station()
    let controller = QueryController(StationRequest(), in: station)
    while station.subscriptions == 0 { await Task.yield() }
    station.subject.send(1)
    station.subject.send(completion: .failure(Failure()))
    while controller.error == nil { await Task.yield() }
    #expect(controller.error is Failure)
    #expect(controller.value == 1)
    controller.retry()
    while station.subscriptions == 1 { await Task.yield() }
  }

  @Test func `can publish on any thread`() async throws {
    struct Numbers: PublisherQueryable {
      static var defaultValue: Int { 0 }

      func publisher(in numbers: AsyncStream<Int>) -> SequencePublisher<Int, Never> {
        numbers.publisher()
      }
    }
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    var values = try Numbers().values(in: numbers).makeAsyncIterator()
    for number in 1...3 {
      continuation.yield(number)
      #expect(try await values.next() == number)
    }
    continuation.finish()
    #expect(try await values.next() == nil)
  }

  @Test func `has no value if the publisher ends without one`() async throws {
    struct Nothing: PublisherQueryable {
      static var defaultValue: Int { 7 }

      func publisher(in context: Void) -> Empty<Int, Never> { Empty() }
    }
    let controller = QueryController(Nothing(), in: ())
    for await value in controller.values {
      #expect(value == 7)
      break
    }
  }
}

import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@MainActor @Suite struct `The README's examples` {
  struct ScoreRepository {
    let scores = CurrentValueSubject<[Int], any Error>([3, 1])
  }

  struct ScoresRequest: PublisherQueryable {
    static var defaultValue: [Int] { [] }

    func publisher(in repository: ScoreRepository) -> AnyPublisher<[Int], any Error> {
      repository.scores.eraseToAnyPublisher()
    }
  }

  @Test func `publish a value`() async throws {
    try await withPlayers { database in
      let told = Recorder<[String], Never>()
      func print(_ names: [String]) { _ = told.receive(names) }
      let names = database.observe { connection in
        try connection.values(String.self, "SELECT name FROM player ORDER BY name")
      }
      let cancellable = names.publisher().receiveOnMainActor()
        .replaceError(with: [])
        .sink { print($0) }
      await told.wait(for: 1)
      try await database.addPlayer()
      await told.wait(for: 2)
      cancellable.cancel()
      #expect(told.values == [["Ada", "Bob"], ["Ada", "Bob", "Cy"]])
    }
  }

  @Test func `request values from a publisher`() async throws {
    let repository = ScoreRepository()
    let controller = QueryController(ScoresRequest(), in: repository)
    while controller.value != [3, 1] { await Task.yield() }
    repository.scores.send([4])
    while controller.value != [4] { await Task.yield() }
  }
}

import ObserveTesting
import SQLiteCore

@testable import Observe

/// An observer of the model, with its request, its kind of observation and its speed.
final class ModelObserver: Sendable {
  enum Way: String, CaseIterable {
    case values, distinct, controlled, throttled, results, distinctResults, controlledResults
  }

  enum Pace: String, CaseIterable { case prompt, busy, slow }

  let number: Int
  let query: ModelQuery
  let way: Way
  let pace: Pace
  /// The number of elements after which the observer leaves its loop.
  let limit: Int
  let log: ModelLog
  let control = DatabaseObservation.Control()
  let gate = ModelGate()

  init(
    _ number: Int, _ query: ModelQuery, _ ledger: ModelLedger, _ random: inout ModelRandom
  ) {
    self.number = number
    self.query = query
    let way = random.pick(Way.allCases) ?? .values
    let pace = random.pick(Pace.allCases) ?? .prompt
    (self.way, self.pace) = (way, pace)
    limit = random.once(in: 8) ? 1 + random.below(8) : .max
    log = ModelLog(
      ledger, name: "observer \(number) (\(way), \(pace)) of \(query)",
      skipsDuplicates: way == .distinct || way == .distinctResults)
    if way == .controlled || way == .controlledResults, random.once(in: 4) { control.pause() }
  }

  var isControlled: Bool { way == .controlled || way == .controlledResults }
  var hasResults: Bool { way == .results || way == .distinctResults || way == .controlledResults }

  /// Observes until it is cancelled or its sequence ends.
  func start(_ database: Database, _ ledger: ModelLedger, _ clock: TestClock) -> Task<Void, Never> {
    let (query, log) = (query, log)
    let fetch = { @Sendable (connection: Connection, region: inout Region) in
      log.noteFetch()
      return try query.value(connection, &region)
    }
    let values =
      query.region.map { region in
        database.observe(region) { connection in
          var read = Region.nothing
          return try fetch(connection, &read)
        }
      } ?? database.observe(trackingRegion: fetch)
    let distinct = values.removeDuplicates { $0.rows == $1.rows }
    let interval = Duration.seconds(1)
    return Task {
      let value = { @Sendable (value: ModelValue) in Result<_, any Error>.success(value) }
      let result = { @Sendable (result: Result<ModelValue, any Error>) in result }
      switch way {
      case .values: await consume(values, ledger, value)
      case .distinct: await consume(distinct, ledger, value)
      case .controlled: await consume(values.controlled(by: control), ledger, value)
      case .throttled:
        await consume(values.throttled(minimumInterval: interval, clock: clock), ledger, value)
      case .results: await consume(values.results, ledger, result)
      case .distinctResults: await consume(distinct.results, ledger, result)
      case .controlledResults:
        await consume(values.controlled(by: control).results, ledger, result)
      }
    }
  }

  private func consume<Elements: AsyncSequence>(
    _ elements: Elements, _ ledger: ModelLedger,
    _ result: (Elements.Element) -> Result<ModelValue, any Error>
  ) async {
    do {
      var iterator = elements.makeAsyncIterator()
      log.begin()
      while true {
        let (asked, wasCancelled) = (ledger.lastCommitted, Task.isCancelled)
        guard let element = try await iterator.next(isolation: #isolation) else { break }
        let count = log.receive(result(element), asked: asked, wasCancelled: wasCancelled)
        if count == limit { break }
        switch pace {
        case .prompt: break
        case .busy: for _ in 0..<20 { await Task.yield() }
        case .slow: await gate.wait()
        }
      }
      log.end()
    } catch {
      log.end(error)
    }
  }
}

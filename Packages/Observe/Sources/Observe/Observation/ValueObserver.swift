internal import Primitives
internal import SQLiteCore

/// Fetches the values of one iteration of a ``ValueObservation``, and delivers them to its consumer.
final class ValueObserver<Value: Sendable>: Refreshable {
  let inbox = Inbox<Result<Value, any Error>>()
  /// Indicates whether a failed fetch ends the iteration. Otherwise its error is delivered like a
  /// value.
  let endsOnFailure: Bool
  /// The region that the value depends on; `nil` if each fetch determines it.
  private let region: Region?
  private let fetch: @Sendable (inout FetchContext) throws -> Value
  private let load: ValueObservation<Value>.Load?
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  private let refreshTimers: [RefreshTimer]
  /// The last delivered value, unless an error followed it, which is stored only for comparison, and
  /// the region of the last successful fetch.
  private let last = Mutex<(value: Value?, region: Region?)>((nil, nil))

  init(
    _ observation: ValueObservation<Value>, refreshTimers: [RefreshTimer], endsOnFailure: Bool
  ) {
    region = observation.region
    fetch = observation.fetch
    load = observation.load
    isDuplicate = observation.isDuplicate
    self.refreshTimers = refreshTimers
    self.endsOnFailure = endsOnFailure
  }

  var sharingKey: SharingKey? { load?.key }

  func load(from snapshot: any Sendable) async -> LoadedValue {
    for timer in refreshTimers { timer.fetchBegins() }
    guard let load else {
      // Only observations of sources are fetched from a snapshot.
      return LoadedValue(result: .failure(CancellationError()), region: .everything)
    }
    return await load.body(snapshot)
  }

  func fetch(_ input: FetchContext.Input, in cache: RefreshCache) -> FetchResult {
    // A loaded value was fetched before.
    if case .connection = input { for timer in refreshTimers { timer.fetchBegins() } }
    var context = FetchContext(input, cache: cache)
    let result = Result { try fetch(&context) }
    for timer in refreshTimers { timer.fetchEnds() }
    let readRegion = region ?? context.region
    let last = last.withLock { $0 }
    switch result {
    case .success(let value):
      let isNew = last.value.map { isDuplicate?($0, value) != true } ?? true
      self.last.withLock { last in
        last.region = readRegion
        if isNew, isDuplicate != nil { last.value = value }
      }
      guard isNew else { return FetchResult(region: readRegion, isNew: false) {} }
      return FetchResult(region: readRegion, isNew: true) { [inbox] in inbox.deliver(result) }
    case .failure(let error) where endsOnFailure:
      return FetchResult(region: nil, isNew: true, error: error) { [inbox] in inbox.fail(error) }
    case .failure(let error):
      self.last.withLock { $0.value = nil }
      let region = dependency(afterReading: readRegion, lastRegion: last.region)
      return FetchResult(region: region, isNew: true, error: error) { [inbox] in
        inbox.deliver(result)
      }
    }
  }

  func fail(_ error: any Error) {
    if endsOnFailure {
      inbox.fail(error)
    } else if let error = error as? SQLiteError, error.code == .closed {
      inbox.end()
    } else {
      inbox.deliver(.failure(error))
    }
  }

  func end(throwing error: any Error) { inbox.fail(error) }

  /// Returns the region whose changes may fix a failed fetch: the region that it read until it
  /// failed, and the region of the last successful fetch.
  private func dependency(afterReading readRegion: Region, lastRegion: Region?) -> Region {
    guard region == nil else { return readRegion }
    guard let lastRegion, !lastRegion.isEmpty else { return .everything }
    return readRegion.union(lastRegion)
  }
}

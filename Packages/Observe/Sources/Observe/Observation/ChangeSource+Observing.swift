extension ChangeSource {
  /// Observes the data that `fetch` reads: its current value, and a new value after each commit that may change it.
  ///
  /// ```swift
  /// let names = source.observe(trackingRegion: { connection, region in
  ///   region = .columns("player", ["name"])
  ///   return try await connection.values(String.self, "SELECT name FROM player")
  /// })
  /// ```
  ///
  /// The guarantees of ``ValueObservation`` apply. Values that one commit has made stale are read from one snapshot, one
  /// after another; after a failure, the others are read from another one.
  ///
  /// - Parameter fetch: Reads the value. It sets the region, initially ``Region/nothing``, to the dependencies of the value
  ///   or, if it throws, to the dependencies until then.
  public func observe<Value: Sendable>(
    trackingRegion fetch: @escaping @Sendable (Snapshot, inout Region) async throws -> Value
  ) -> ValueObservation<Value> {
    var observation = ValueObservation<Value>(database: .source(self), region: nil) {
      try $0.loadedValue(Value.self)
    }
    observation.load = ValueObservation<Value>.Load { snapshot in
      var region = Region.nothing
      guard let snapshot = snapshot as? Snapshot else {
        return LoadedValue(result: .failure(CancellationError()), region: .everything)
      }
      do {
        let value = try await fetch(snapshot, &region)
        return LoadedValue(result: .success(value), region: region)
      } catch {
        return LoadedValue(result: .failure(error), region: region)
      }
    }
    return observation
  }

  /// Observes the data that `fetch` reads, with a fixed region.
  ///
  /// - Parameters:
  ///   - region: The region that the value depends on.
  ///   - fetch: Reads the value: see ``observe(trackingRegion:)``.
  public func observe<Value: Sendable>(
    _ region: Region, _ fetch: @escaping @Sendable (Snapshot) async throws -> Value
  ) -> ValueObservation<Value> {
    observe(trackingRegion: { snapshot, tracked in
      tracked = region
      return try await fetch(snapshot)
    })
  }

  /// The commits that change something in a region, in order, from the first request of an iteration on.
  ///
  /// A commit may be delivered before it is visible in a new snapshot.
  public func changes(in region: Region = .everything) -> DatabaseObservation.ChangeSequence {
    DatabaseObservation.ChangeSequence(
      database: .source(self), region: region, start: nil, recordingToken: nil)
  }

  /// Notifies observers of changes in a region that the source does not report.
  public func notifyChanges(in region: Region = .everything) {
    publisher.publish(ChangeSet(changing: region))
  }

  /// The events of this source's observations and their causes: see `Database.observationEvents`.
  public var observationEvents: DatabaseObservation.Events {
    DatabaseObservation.Events(hub: hub, repeatedQueryThreshold: nil)
  }

  /// Returns the current observations and their costs: see `Database.observationStatistics()`.
  public func observationStatistics() -> DatabaseObservation.Statistics { hub.statistics() }

  /// Waits until no observation has a pending fetch: see `Database.waitUntilIdle(includingConsumers:)`. A commit that
  /// the engine has not reported yet is not waited for.
  public func waitUntilIdle(includingConsumers: Bool = false) async {
    await hub.waitUntilIdle(includingConsumers: includingConsumers)
  }
}

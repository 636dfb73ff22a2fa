public import SQLiteCore

extension Database {
  /// What the observations of this database do, and why: for a log, a debug panel or a test.
  ///
  /// ```swift
  /// for await event in database.observationEvents {
  ///   print(event)  // players ← commit 2: player.score: updated 1 row (score: 10 → 12) | delivered in 95 µs
  /// }
  /// ```
  ///
  /// Observations have names by ``ValueObservation/named(_:)``, and numbers otherwise.
  public var observationEvents: DatabaseObservation.Events {
    DatabaseObservation.Events(hub: ChangeHub.of(self))
  }

  /// What observations there are now, and what they have cost.
  ///
  /// ```swift
  /// print(database.observationStatistics())
  /// ```
  ///
  /// They are counted whether anyone asks or not. Observations that begin, end or fetch meanwhile may be
  /// counted or not.
  ///
  /// - Complexity: O(*n* log *n*) in the number of observations.
  public func observationStatistics() -> DatabaseObservation.Statistics {
    ChangeHub.of(self).statistics()
  }
}

extension ValueObservation {
  /// Gives the observation a name, by which `Database.observationEvents` and
  /// `Database.observationStatistics()` tell of it.
  ///
  /// ```swift
  /// let players = database.observe(fetch).named("players")
  /// ```
  ///
  /// Requests such as a ``ValueObservationQueryable`` are observed under the name of their type.
  public func named(_ name: String) -> ValueObservation {
    var observation = self
    observation.name = name
    return observation
  }
}

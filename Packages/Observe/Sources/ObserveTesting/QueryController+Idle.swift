public import Observe
public import SQLiteCore

extension QueryController {
  /// Waits until the controller shows the state that was committed before the call.
  ///
  /// ```swift
  /// let players = QueryController(PlayersRequest(), in: .readOnly { database })
  /// await players.waitUntilIdle(in: database)
  /// #expect(players.value == ["Ada"])
  /// ```
  ///
  /// - Parameter database: The database that the values come from.
  public func waitUntilIdle(in database: Database) async {
    // Requests that are fetched once are not observed.
    for await phase in phases where !phase.isLoading { break }
    await database.waitUntilIdle(includingConsumers: true)
  }
}

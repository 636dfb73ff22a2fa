import Foundation
import Observe
import SQLiteCore

// Requests for the query tests.

let playerSchema = """
  CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL);
  INSERT INTO player VALUES (1, 'Ada', 'red'), (2, 'Bob', 'blue'), (3, 'Cy', 'red');
  """

/// Counts fetches by the name of their request.
final class FetchLog: Sendable {
  let count = Counter()
  let onMainThread = Counter()

  func note() {
    count.add()
    if Thread.isMainThread { onMainThread.add() }
  }
}

/// The names of a team's players.
struct Names: ValueObservationQueryable {
  var team: String
  var log = Unequal<FetchLog?>(nil)

  static var defaultValue: [String] { ["nobody"] }

  func fetch(_ db: Connection) throws -> [String] {
    log.value?.note()
    if team == "broken" { throw Broken() }
    return try db.values(
      String.self, "SELECT name FROM player WHERE team = ? ORDER BY name", team)
  }
}

/// Like ``Names``, but the first value is fetched immediately.
struct ImmediateNames: ValueObservationQueryable {
  var team: String
  var log = Unequal<FetchLog?>(nil)

  static var defaultValue: [String] { ["nobody"] }
  static var queryableOptions: QueryableOptions { .immediate }

  func fetch(_ db: Connection) throws -> [String] {
    try Names(team: team, log: log).fetch(db)
  }
}

/// The number of players, fetched once.
struct PlayerCount: FetchQueryable {
  var log = Unequal<FetchLog?>(nil)

  static var defaultValue: Int { -1 }

  func fetch(_ db: Connection) throws -> Int {
    log.value?.note()
    return try db.value(Int.self, "SELECT count(*) FROM player") ?? 0
  }
}

/// One player's name.
struct OneName: PresenceObservationQueryable {
  var id: Int

  func fetch(_ db: Connection) throws -> String? {
    try db.value(String.self, "SELECT name FROM player WHERE id = ?", id)
  }
}

/// The names of all players; fails if there are none.
struct Captain: ValueObservationQueryable {
  static var defaultValue: String { "?" }

  func fetch(_ db: Connection) throws -> String {
    guard let name = try db.value(String.self, "SELECT min(name) FROM player WHERE team = 'red'")
    else { throw Broken() }
    return name
  }
}

struct Broken: Error, Hashable {}

/// A value that is ignored in comparisons.
struct Unequal<Value: Sendable>: Hashable, Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: Unequal, b: Unequal) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension QueryController {
  /// Waits for a phase that satisfies a condition.
  @discardableResult
  func wait(
    _ rule: (QueryPhase<Request.Value>) -> Bool
  ) async -> QueryPhase<Request.Value>? {
    for await phase in phases where rule(phase) { return phase }
    return nil
  }
}

extension QueryController where Request.Value: Equatable {
  /// Waits for this value.
  func wait(for value: Request.Value) async {
    await wait { if case .value(value) = $0 { true } else { false } }
  }
}

/// The number of players.
struct PlayerTotal: ValueObservationQueryable {
  static var defaultValue: Int { -1 }

  func fetch(_ db: Connection) throws -> Int {
    try db.value(Int.self, "SELECT count(*) FROM player") ?? 0
  }
}

/// Like ``Names``, but a database refuses a team of this name.
struct Picky: Queryable {
  var team: String

  static var defaultValue: [String] { ["nobody"] }

  func values(in database: Database) throws -> QueryValues<[String]> {
    if team == "none" { throw Broken() }
    return QueryValues(
      database.observe { [team] in try Names(team: team).fetch($0) })
  }
}

/// A flag that can be set.
final class Flag: Sendable {
  private let counter = Counter()

  var isSet: Bool { counter.value > 0 }

  func set() { counter.add() }
}

import Observe
import Router
import SQLiteCore
import Primitives

struct Player: Codable, Hashable, Sendable {
  var id: Int
  var name: String
  var team: Int?
}

let playerSchema = """
  CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE player (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, team INTEGER REFERENCES team, score INTEGER,
    profile TEXT);
  INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues'), (3, 'Whites');
  INSERT INTO player (id, name, team) VALUES (1, 'Ada', 1), (2, 'Bob', 2), (3, 'Cy', 1);
  """

extension Database {
  func run(_ script: String) async throws {
    try await write { try $0.execute(SQL(unsafe: script)) }
  }

  /// The number of fetches for the current observers.
  var fetchCount: Int {
    observationStatistics().observations.reduce(0) { $0 + $1.counts.fetches }
  }

  /// The number of fetches that a script causes.
  func fetches(after script: String) async throws -> Int {
    let before = fetchCount
    try await run(script)
    await waitUntilIdle(includingConsumers: true)
    return fetchCount - before
  }
}

/// A number that policies increment.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)
  var count: Int { number.load(ordering: .sequentiallyConsistent) }
  func add() { number.add(1, ordering: .sequentiallyConsistent) }
}

/// A switch that policies check.
final class Switch: Sendable {
  private let state = Atomic<Bool>(false)
  var isOn: Bool { state.load(ordering: .sequentiallyConsistent) }
  func set(_ isOn: Bool) { state.store(isOn, ordering: .sequentiallyConsistent) }
}

extension Result {
  /// The code of a failed result's error.
  var code: RouterError.Code? {
    if case .failure(let error) = self {
      (error as? RouterError)?.code ?? .init(rawValue: "\(error)")
    } else {
      nil
    }
  }
}

/// The values of a row.
struct Cells: Decodable, Hashable, Sendable {
  var cells: [String: SQLiteValue]

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    cells = [:]
    for key in container.allKeys {
      if try container.decodeNil(forKey: key) {
        cells[key.stringValue] = .null
      } else if let integer = try? container.decode(Int64.self, forKey: key) {
        cells[key.stringValue] = .integer(integer)
      } else if let real = try? container.decode(Double.self, forKey: key) {
        cells[key.stringValue] = .real(real)
      } else if let text = try? container.decode(String.self, forKey: key) {
        cells[key.stringValue] = .text(text)
      } else {
        cells[key.stringValue] = .text("something")
      }
    }
  }
}

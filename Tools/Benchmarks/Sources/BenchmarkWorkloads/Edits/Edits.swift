internal import CBaseline
internal import SQLiteCore
internal import Synchronization

/// M4: a random tenth of a session's models is changed and saved. Each has eight columns, and the keys have gaps.
enum Edits {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let file = CustomerFile(fixture.file("customers"), count: fixture.scale.owners)
    let bare = "Holt, bare updates"
    return [
      Workload(
        "M4", "a random tenth of \(fixture.scale.owners) models, changed and saved \(saves) times",
        implementations: [
          BenchmarkImplementation(bare) { try await HoltEdits.update(try file.made()) },
          BenchmarkImplementation("Holt") { try await HoltEdits.saveChanges(try file.made()) },
          BenchmarkImplementation("Holt, save(_:)") { try await HoltEdits.save(try file.made()) },
          BenchmarkImplementation("Holt, Codable values") {
            try await HoltEdits.codable(try file.made())
          },
          BenchmarkImplementation("GRDB") { try GRDBEdits.save(try file.made()) },
        ],
        comparisons: [
          Comparison(.cpuMilliseconds, "save a tenth", c: nil, grdb: "GRDB"),
          Comparison(
            .cpuMilliseconds, "save a tenth, Codable values", holt: "Holt, Codable values", c: nil,
            grdb: "GRDB"),
          Comparison(
            metric: "CPU over that of bare updates", .cpuMilliseconds, .multiple(of: bare), c: nil),
        ])
    ]
  }

  /// The number of saves in one round.
  static let saves = 10

  static let createSQL: SQL = """
    CREATE TABLE Customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL,
      city TEXT, visits INTEGER NOT NULL, balance REAL NOT NULL, isActive BOOLEAN NOT NULL, note TEXT)
    """

  /// Creates rows with gaps of up to four keys.
  static func fillSQL(_ count: Int) -> SQL {
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO Customer SELECT 3 * i + i * 7919 % 3, 'the customer number ' || i,
      'customer' || i || '@example.com', CASE WHEN i % 5 THEN 'city ' || i % 97 END, i % 50, i / 7.0,
      i % 3 > 0, CASE WHEN i % 2 THEN 'a note about number ' || i END FROM n
    """
  }

  /// Returns the positions of a tenth of `count` rows, different for each save.
  static func tenth(of count: Int, save: Int) -> [Int] {
    // Uses the random keys of the lookups; duplicate positions are skipped.
    var places: Set<Int> = []
    var number = save * count
    while places.count < count / 10 {
      places.insert(Int(baseline_key(number, count)) - 1)
      number += 1
    }
    return places.sorted()
  }
}

/// The common interface of rows in all implementations.
protocol Customer {
  var name: String { get }
  var visits: Int { get set }
  var balance: Double { get set }
  var note: String? { get set }
}

extension Customer {
  /// Changes two columns, and in every fourth row a third one.
  mutating func change(_ place: Int, save: Int) {
    visits += 1
    balance += 0.5
    if place % 4 == 0 { note = "\(name), changed by save \(save)" }
  }
}

/// The customers' database, created on first use.
final class CustomerFile: Sendable {
  private let path: String
  private let count: Int
  private let isMade = Mutex(false)

  init(_ path: String, count: Int) {
    self.path = path
    self.count = count
  }

  func made() throws -> String {
    try isMade.withLock { isMade in
      if !isMade {
        let connection = try Connection(path: path)
        try connection.transaction {
          try connection.execute(Edits.createSQL)
          try connection.run(Edits.fillSQL(count))
        }
      }
      isMade = true
    }
    return path
  }
}

/// Holt's goal for one line of the report.
public struct Goal: Equatable, Sendable {
  /// The maximum cost as a multiple of the cost in C.
  public var overC: Double?
  /// The minimum speed as a multiple of the peer's speed.
  public var timesPeer: Double?
  /// The maximum measured cost.
  public var atMost: Double?

  public init(overC: Double? = nil, timesPeer: Double? = nil, atMost: Double? = nil) {
    self.overC = overC
    self.timesPeer = timesPeer
    self.atMost = atMost
  }

  /// Returns whether the line reaches the goal; `nil` if a number is missing.
  public func isMet(by line: ReportLine) -> Bool? {
    var isMet = true
    if let overC {
      guard let ratio = line.holtOverC else { return nil }
      isMet = isMet && ratio <= overC
    }
    if let timesPeer {
      guard let ratio = line.holtOverPeer else { return nil }
      isMet = isMet && ratio * timesPeer <= 1
    }
    if let atMost {
      guard let holt = line.holt else { return nil }
      isMet = isMet && holt <= atMost
    }
    return isMet
  }

  /// Returns the goal of a line; `nil` if it has none.
  public static func of(_ workload: String, _ metric: String) -> Goal? {
    goals["\(workload): \(metric)"]
  }

  private static let goals: [String: Goal] = [
    "W1: CPU ms, GRDB records by position": Goal(overC: 1.15, timesPeer: 1.5),
    "W1: CPU ms, GRDB records by name": Goal(overC: 1.15, timesPeer: 2.3),
    "W2: CPU ms, GRDB Codable records": Goal(timesPeer: 2),
    "W2: CPU over that of W1": Goal(atMost: 3),
    "W3: CPU ms, GRDB statement": Goal(overC: 1.10, timesPeer: 2.4),
    "W3: CPU ms, GRDB records": Goal(overC: 1.10, timesPeer: 7),
    "W4: CPU ms, GRDB cached statement": Goal(overC: 1.25, timesPeer: 2.5),
    "W4: CPU ms, GRDB fetchOne(key:)": Goal(overC: 1.25, timesPeer: 20),
    "W4: CPU ms, an access each, GRDB DatabasePool": Goal(timesPeer: 2.5),
    "W5: wall µs a read, 1 task": Goal(timesPeer: 2),
    "W5: wall µs a read, 64 tasks": Goal(timesPeer: 2),
    "W7: refetches a commit": Goal(atMost: 1),
    "W7: CPU µs a commit, GRDB by table": Goal(timesPeer: 30),
    "R1: CPU µs more by an executor": Goal(atMost: 2),
    "R1: CPU µs more by a router": Goal(atMost: 2),
    "W9: CPU of a commit of one row, over that without observers": Goal(atMost: 1.05),
    "W9: CPU of a bulk insert, over that without observers": Goal(atMost: 1.05),
    "W10: wall µs from commit to value, median": Goal(atMost: 1_000),
    "W11: bytes an observation, without its task": Goal(atMost: 2_048),
    "F1: CPU ns a byte, decode": Goal(timesPeer: 4),
    "F1: CPU ns a byte, encode": Goal(timesPeer: 4),
    "F1: CPU ns a byte, to a tree": Goal(timesPeer: 3),
    "F2: CPU ns a byte, open JSON and query": Goal(overC: 1 / 3.0),
    "F2: peak memory over the file": Goal(atMost: 2.5),
    "F3: CPU ns a byte, read XML": Goal(overC: 2),
    "F3: CPU ns a byte, open XML and query": Goal(overC: 2),
    // 400 MB/s, and 100 MB/s.
    "P1: CPU ns a byte, scan JSON": Goal(atMost: 2.5),
    "P1: CPU ns a byte, scan CSV": Goal(atMost: 10),
    "P2: CPU over that of prepared inserts": Goal(atMost: 1.5),
    // 100 MB/s, and 25 MB/s.
    "Q1: CPU ns a byte, lex SQL": Goal(atMost: 10),
    "Q1: CPU ns a byte, parse SQL": Goal(atMost: 40),
    "Q2: CPU ms, check a project": Goal(atMost: 500),
    "M1: CPU ms, load a graph": Goal(timesPeer: 3),
    "M1: CPU over that of the same by hand": Goal(atMost: 1.3),
    "M2: CPU over that of bare updates": Goal(atMost: 2),
    "Q1: CPU over that of hand-written SQLiteCore": Goal(atMost: 1.05),
    "Q1b: CPU over that of hand-written SQLiteCore": Goal(atMost: 1.05),
    "Q1c: CPU over that of hand-written SQLiteCore": Goal(atMost: 1.1),
    "PG1: CPU ms, structs": Goal(overC: 1.3),
    "PG1: CPU ms, Codable": Goal(overC: 3),
    "PG2: CPU µs a lookup": Goal(overC: 1.5),
    // 0.8 of the throughput.
    "PG3: wall µs a lookup": Goal(overC: 1.25),
    "PG4: wall µs a row": Goal(overC: 1.2),
    "PG4: CPU µs a row": Goal(overC: 1.5),
    "W1: allocations a row beyond the values": Goal(atMost: 0.01),
    "W3: allocations a row beyond the values": Goal(atMost: 0.01),
    "W4: allocations a row beyond the values": Goal(atMost: 0.01),
  ]
}

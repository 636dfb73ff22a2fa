import Foundation
import SQLiteCore
import Testing

/// Compares dates with SQLite's date functions, with the same random dates in every run.
@Suite struct `Random dates` {
  private static let seed: UInt64 = 20_261_121
  private static let count = 2_000

  /// Calls `body` with dates in all supported years, many of them near the present.
  private func forEachDate(_ body: (Double, inout SeededGenerator) throws -> Void) rethrows {
    var random = SeededGenerator(seed: Self.seed)
    for index in 0..<Self.count {
      let range =
        index % 2 == 0 ? -63_145_526_400.0...252_423_993_599 : -3_000_000_000.0...3_000_000_000
      let seconds = Double.random(in: range, using: &random)
      switch index % 6 {
      case 0, 1: try body(seconds.rounded(.down), &random)
      case 2, 3: try body((seconds * 1_000).rounded() / 1_000, &random)
      default: try body(seconds, &random)
      }
    }
  }

  @Test func `are read back unchanged from ISO 8601 text`() throws {
    let statement = try memory().prepare("SELECT ?")
    try forEachDate { seconds, _ in
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      try statement.bind(date, at: 1)
      #expect(try statement.step())
      #expect(try statement.row.read(Date.self, at: 0) == date, "seed \(Self.seed), \(seconds)")
      let text = try statement.row.text(at: 0)
      #expect((19...29).contains(text.utf8.count), "\(text)")
    }
  }

  @Test func `are written like SQLite writes them`() throws {
    let statement = try memory().prepare("SELECT ?1, datetime(?2, 'unixepoch'), unixepoch(?1)")
    try forEachDate { seconds, _ in
      let whole = Int(seconds.rounded(.down))
      try statement.bindAll(
        Date(timeIntervalSinceReferenceDate: Double(whole)), whole + 978_307_200)
      #expect(try statement.step())
      let row = try statement.row.values
      #expect(row[0] == row[1], "seed \(Self.seed), \(seconds)")
      #expect(row[2] == .integer(Int64(whole + 978_307_200)))
    }
  }

  @Test func `are read from text like SQLite reads it`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1, julianday(?1)")
    let zones = ["", "Z", "+00:00", "-11:30", "+14:59", "+05:45"]
    try forEachDate { seconds, random in
      // Time zones at either end of the supported years would lead out of them.
      guard abs(seconds - 94_639_233_600) < 157_000_000_000 else { return }
      let fraction = Int.random(in: 0...999, using: &random)
      let digits = String(1_000 + fraction).dropFirst()
      let date = try #require(
        try db.value(
          String.self, "SELECT strftime('%Y-%m-%d', ?, 'unixepoch')", Int(seconds) + 978_307_200))
      let hour = Int.random(in: 10...23, using: &random)
      let separator = ["T", " "].randomElement(using: &random) ?? ""
      let zone = zones.randomElement(using: &random) ?? ""
      let text =
        "\(date)\(separator)\(hour):\(10 + fraction % 50):\(59 - fraction % 40).\(digits)\(zone)"
      try statement.bind(text, at: 1)
      #expect(try statement.step())
      let read = try statement.row.read(Date.self, at: 0)
      let julianDay = try statement.row.real(at: 1)
      let ours = try db.value(Double.self, "SELECT ?", read.stored(as: .julianDay))
      #expect(ours == julianDay, "seed \(Self.seed), \(text)")
    }
  }

  @Test func `have the Julian days of SQLite, to the millisecond`() throws {
    let statement = try memory().prepare("SELECT ?1, julianday(?2)")
    try forEachDate { seconds, _ in
      let date = Date(timeIntervalSinceReferenceDate: (seconds * 1_000).rounded(.down) / 1_000)
      try statement.bindAll(date.stored(as: .julianDay), date)
      #expect(try statement.step())
      let ours = try statement.row.real(at: 0)
      let theirs = try statement.row.real(at: 1)
      // SQLite truncates the text's fraction to milliseconds, which may be one less.
      #expect(abs(ours - theirs) <= 0.001 / 86_400 + ours.ulp, "seed \(Self.seed), \(seconds)")
    }
  }

  @Test func `are read back from Julian days within the precision of a Double`() throws {
    let statement = try memory().prepare("SELECT ?")
    try forEachDate { seconds, _ in
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      try statement.bind(date.stored(as: .julianDay), at: 1)
      #expect(try statement.step())
      let stored = try statement.row.real(at: 0)
      let read = try statement.row.date(at: 0, as: .julianDay)
      // 40 microseconds, and 80 from the year 6771 on.
      let bound = stored.ulp * 86_400 * 1.001 + seconds.ulp
      #expect(abs(read.timeIntervalSinceReferenceDate - seconds) <= bound)
      if seconds == (seconds * 1_000).rounded() / 1_000, abs(seconds) < 3e9 {
        #expect(read == date, "seed \(Self.seed), \(seconds)")
      }
      try statement.bind(read.stored(as: .julianDay), at: 1)
      #expect(try statement.step())
      #expect(try statement.row.real(at: 0) == stored, "seed \(Self.seed), \(seconds)")
    }
  }

  @Test func `created from seconds since 1970 are read back unchanged`() throws {
    let statement = try memory().prepare("SELECT ?")
    try forEachDate { seconds, _ in
      let date = Date(timeIntervalSince1970: seconds)
      guard abs(seconds) < 3e9 else { return }
      try statement.bind(date.stored(as: .unixSeconds), at: 1)
      #expect(try statement.step())
      #expect(try statement.row.date(at: 0, as: .unixSeconds) == date)
      let fine = Date(timeIntervalSinceReferenceDate: seconds)
      try statement.bind(fine.stored(as: .unixSeconds), at: 1)
      #expect(try statement.step())
      let read = try statement.row.date(at: 0, as: .unixSeconds)
      #expect(abs(read.timeIntervalSince(fine)) <= 0.25e-6)
      try statement.bind(fine.stored(as: .unixMilliseconds), at: 1)
      #expect(try statement.step())
      let rounded = try statement.row.date(at: 0, as: .unixMilliseconds)
      #expect(abs(rounded.timeIntervalSince(fine)) <= 0.000_500_5)
    }
  }
}

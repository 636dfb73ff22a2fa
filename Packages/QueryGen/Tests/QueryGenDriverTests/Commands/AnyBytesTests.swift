import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Files of any bytes` {
  private struct Chance {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }

  private static let words: [String] = [
    "SELECT", "FROM", "CREATE TABLE", "CREATE VIEW", "CREATE TRIGGER", "BEGIN", "END", "CASE",
    "WHEN",
    "INSERT INTO", "VALUES", "DEFINE QUERY", "AS", "a", "b", ":x", "?", "(", ")", ",", ";", "'",
    "\"",
    "--", "/*", "*/", "\n", "\r\n", "\r", "\t", " ", "1", "0x", "x'", ".", ":", "- ", "tables:",
    "[",
    "]", "{", "}", "#", "queries:", "0123456789abcdef 1", "&", "\u{FEFF}", "é", "\u{0}", "WITH",
    "OVER",
    "USING fts5(", "ALTER TABLE a RENAME TO b", "IN", "-- name: a :many\n",
  ]

  private static func bytes(_ chance: inout Chance) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<chance.next(below: 30) {
      if chance.next(below: 20) == 0 {
        bytes.append(UInt8(chance.next(below: 256)))
      } else {
        bytes += words[chance.next(below: words.count)].utf8
        if chance.next(below: 3) > 0 { bytes.append(32) }
      }
    }
    return bytes
  }

  @Test func `are parsed, or rejected with a location`() throws {
    var chance = Chance(state: 42)
    print("seed \(chance.state)")
    let names = [
      "Migrations/1.sql", "Queries/a.sql", "querygen.yaml", "Migrations/migrations.lock",
    ]
    for _ in 0..<25 {
      let workspace = try Workspace.todo()
      var sizes: [String: Int] = [:]
      for name in names where chance.next(below: 3) > 0 {
        let bytes = Self.bytes(&chance)
        try workspace.write(bytes, to: name)
        sizes["\(workspace.path)/\(name)"] = bytes.count
      }
      let outcome = workspace.driver.check()
      for diagnostic in outcome.diagnostics {
        guard let place = diagnostic.place, let size = sizes[diagnostic.file] else { continue }
        #expect(place.offset >= 0 && place.length >= 0 && place.offset + place.length <= size)
        #expect(place.line >= 1 && place.column >= 1)
      }
      _ = workspace.driver.projectSchema()
      _ = workspace.driver.fix()
    }
  }

  @Test func `are formatted or rejected`() {
    var chance = Chance(state: 43)
    print("seed \(chance.state)")
    let formatter = SQLFormatter(options: FormatOptions(width: 40))
    for _ in 0..<500 {
      guard case .formatted(let once) = formatter.format(Self.bytes(&chance), path: "a.sql")
      else { continue }
      #expect(formatter.format(once, path: "a.sql") == .formatted(once))
    }
  }
}

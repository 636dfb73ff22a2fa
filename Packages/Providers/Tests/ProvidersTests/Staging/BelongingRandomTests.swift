import Foundation
import Providers
import SQLiteCore
import Testing

/// Three levels of rows that SQL changes: the hierarchy is preserved in the file, and when it is read again.
@Suite struct `Child rows with random changes` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The tables of one level each, and the columns that describe the rows.
  private struct Names {
    let tables: [String]
    let payload: [String]
    let row: String
    let parent: String
    let position: String
  }

  private static let json = Names(
    tables: ["t", "t_o", "t_o_q"], payload: ["a", "x", "y"], row: "row", parent: "parent",
    position: "position")
  private static let xml = Names(
    tables: ["r", "r_o", "r_o_q"], payload: ["@a", "@x", "@y"], row: "#row", parent: "#parent",
    position: "#position")

  /// The content of each row, followed by its child rows.
  private func tree(_ provider: some DataProvider, _ names: Names) throws -> String {
    func rows(_ level: Int, of parent: SQLiteValue?) throws -> String {
      guard level < 3 else { return "" }
      let hasNumbers = level < 2
      let number = hasNumbers ? "\"\(names.row)\"" : "NULL"
      let sql = "SELECT \"\(names.payload[level])\", \(number) FROM \(names.tables[level])"
      let found =
        try parent.map {
          try provider.query(
            "\(unsafe: sql) WHERE \"\(unsafe: names.parent)\" = ? ORDER BY \"\(unsafe: names.position)\", rowid",
            withParameters: [$0])
        } ?? provider.query("\(unsafe: sql) ORDER BY rowid")
      return try found.map { "\($0[0])" + (hasNumbers ? try rows(level + 1, of: $0[1]) : "") }
        .joined(separator: " ").wrapped
    }
    return try rows(0, of: nil)
  }

  private func change(
    _ provider: some DataProvider, _ names: Names, _ random: inout SeededRandom, _ next: inout Int
  ) throws {
    let level = random.below(3)
    let (table, payload) = (names.tables[level], names.payload[level])
    func some(_ level: Int) -> String {
      "(SELECT rowid FROM \(names.tables[level]) ORDER BY random_of(rowid) LIMIT 1)"
        .replacing("random_of(rowid)", with: "(rowid * \(1 + random.below(1_000))) % 101")
    }
    next += 1
    switch random.below(6) {
    case 0 where !random.oneIn(3):
      try provider.execute("DELETE FROM \(unsafe: table) WHERE rowid = \(unsafe: some(level))")
    case 1:
      try provider.execute(
        "UPDATE \(unsafe: table) SET \"\(unsafe: payload)\" = \(next) WHERE rowid = \(unsafe: some(level))"
      )
    case 2 where level > 0:
      // Moves a row to another parent, as the last child.
      try provider.execute(
        """
        UPDATE \(unsafe: table) SET "\(unsafe: names.position)" = \(next),
          "\(unsafe: names.parent)" = coalesce(\(unsafe: some(level - 1)), "\(unsafe: names.parent)")
        WHERE rowid = \(unsafe: some(level))
        """)
    case 3 where level < 2:
      try provider.execute(
        "UPDATE \(unsafe: table) SET rowid = \(next + 500) WHERE rowid = \(unsafe: some(level))")
    case 4 where level < 2:
      try provider.execute(
        SQL(
          unsafe:
            "REPLACE INTO \(table) (rowid, \"\(payload)\") SELECT rowid, \(next) FROM \(table) WHERE rowid = \(some(level))"
            .replacing(
              "REPLACE INTO \(table) (rowid, \"\(payload)\") SELECT rowid, \(next)",
              with: level == 0
                ? "REPLACE INTO \(table) (rowid, \"\(payload)\") SELECT rowid, \(next)"
                : "REPLACE INTO \(table) (rowid, \"\(names.parent)\", \"\(names.position)\", \"\(payload)\") SELECT rowid, \"\(names.parent)\", \"\(names.position)\", \(next)"
            )))
    default:
      guard level > 0 else {
        try provider.execute(
          "INSERT INTO \(unsafe: table) (\"\(unsafe: payload)\") VALUES (\(next))")
        return
      }
      try provider.execute(
        """
        INSERT INTO \(unsafe: table) ("\(unsafe: names.parent)", "\(unsafe: names.position)", "\(unsafe: payload)")
        SELECT rowid, \(next), \(next) FROM \(unsafe: names.tables[level - 1])
        WHERE rowid = \(unsafe: some(level - 1))
        """)
    }
  }

  private func check(
    _ make: () -> any DataProvider, _ text: String, _ name: String, _ names: Names, seed: UInt64
  )
    throws
  {
    var random = SeededRandom(seed: seed)
    for _ in 0..<(FormatEffort.isFull ? 200 : 5) {
      try folder.write(text, to: name)
      var next = 100
      for _ in 0..<4 {
        let provider = make()
        try provider.openSource(atPath: "\(folder.path)/\(name)")
        // Tables without rows can't be inferred from the file.
        guard try names.tables.allSatisfy({ try provider.tableExists($0) }) else {
          try provider.closeSource()
          break
        }
        for _ in 0..<1 + random.below(8) {
          if random.oneIn(4) {
            try provider.beginTransaction()
            try change(provider, names, &random, &next)
            if random.oneIn(2) {
              try provider.rollbackTransaction()
            } else {
              try provider.endTransaction()
            }
          } else {
            try change(provider, names, &random, &next)
          }
          if random.oneIn(6) { try provider.persist() }
        }
        let before = try tree(provider, names)
        #expect(try provider.read { try $0.foreignKeyViolations() }.isEmpty)
        try provider.closeSource()
        let again = make()
        try again.openSource(atPath: "\(folder.path)/\(name)")
        if try names.tables.allSatisfy({ try again.tableExists($0) }) {
          let after = try tree(again, names)
          let written = try folder.text(of: name)
          #expect(before == after, "\(written)")
          if before != after { return }
        }
        try again.closeSource()
      }
    }
  }

  @Test func `are preserved in JSON`() throws {
    try check(
      { JSONProvider(options: JSONProvider.Options(nesting: .tables)) },
      #"[{"a":1,"o":[{"x":2,"q":[{"y":3},{"y":4}]},{"x":5,"q":[]}]},{"a":6,"o":[{"x":7,"q":[{"y":8}]}]},{"a":9}]"#,
      "t.json", Self.json, seed: 7_001)
  }

  @Test func `are preserved in XML`() throws {
    try check(
      { XMLProvider() },
      """
      <p><r a="1"><o x="2"><q y="3"/><q y="4"/></o><o x="5"/></r><r a="6"><o x="7"><q y="8"/></o></r><r a="9"/></p>
      """, "t.xml", Self.xml, seed: 7_002)
  }
}

extension String {
  fileprivate var wrapped: String { isEmpty ? "" : "(\(self))" }
}

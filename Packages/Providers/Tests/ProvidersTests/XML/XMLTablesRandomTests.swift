import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `Random tables as XML` {
  /// The number of cases of each kind; `HOLT_RELIABILITY=all` has more.
  private static var count: Int {
    ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all" ? 2_000 : 40
  }

  @Test func `in ordinary documents, changed by SQL, are read back unchanged`() throws {
    let seed: UInt64 = 23
    print("random documents with tables: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for round in 0..<Self.count {
      let tables = try XMLTables(Self.document(&random))
      for table in try tables.provider.read({ try $0.tables() }) {
        let name = SQLName.quoted(table.name.name)
        for column in table.columns where !["#parent", "#position"].contains(column.name) {
          guard !column.name.hasSuffix("#xml") else { continue }
          let quoted = SQLName.quoted(column.name)
          let count = try tables.query("SELECT count(*) FROM \(name) WHERE \(quoted) IS NOT NULL")
          // A column without values could be a text column.
          guard count[0][0] != 1, column.declaredType == "TEXT" else { continue }
          try tables.provider.execute(
            "UPDATE \(unsafe: name) SET \(unsafe: quoted) = \(unsafe: quoted) || ? WHERE \(unsafe: quoted) <> '' AND rowid % 3 = 1",
            withParameters: ["x \(Int.random(in: 0..<99, using: &random)) <é&\"\r\n\t>"])
        }
      }
      let again = try tables.written()
      #expect(try again.dump() == tables.dump(), "round \(round)")
      let text = try again.text
      #expect(try again.written().text == text, "round \(round)")
    }
  }

  private static func document(_ random: inout SeededRandom) -> String {
    let texts = ["", "a", "5", "-1.5", "true", "2026-11-22", " b ", "&lt;&amp;", "é"]
    func element(_ name: String, _ depth: Int, _ random: inout SeededRandom) -> String {
      var text = "<\(name)"
      for attribute in ["i", "j"] where Bool.random(using: &random) {
        text += " \(attribute)=\"\(texts.randomElement(using: &random)!)\""
      }
      text += ">"
      if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
        text += texts.randomElement(using: &random)!
      } else {
        for child in ["p", "q", "r"] {
          for _ in 0..<[0, 1, 1, 2].randomElement(using: &random)! {
            text += element(child, depth - 1, &random)
          }
        }
      }
      return text + "</\(name)>"
    }
    var text = "<root v=\"1\"><head>x</head>"
    for _ in 0..<Int.random(in: 2..<8, using: &random) {
      text += element(Bool.random(using: &random) ? "row" : "item", 2, &random)
    }
    return text + "<tail/></root>"
  }

  @Test func `in Holt's document layout are read back unchanged`() throws {
    let seed: UInt64 = 29
    print("random databases as XML: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let types = ["", "INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC", "BOOLEAN", "DATE TEXT"]
    for round in 0..<Self.count {
      let tables = try XMLTables("<database version=\"1\"/>")
      let columns = (0..<Int.random(in: 1..<6, using: &random)).map {
        "c\($0) \(types.randomElement(using: &random)!)"
      }
      try tables.provider.execute("CREATE TABLE t (\(unsafe: columns.joined(separator: ", ")))")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        let values = columns.map { _ in Self.value(&random) }
        try tables.provider.execute(
          "INSERT INTO t VALUES (\(unsafe: marks))", withParameters: values)
      }
      try tables.provider.execute("DELETE FROM t WHERE rowid % 5 = ?", withParameters: [round % 7])
      let again = try tables.written()
      #expect(try again.dump() == tables.dump(), "round \(round)")
    }
  }

  private static func value(_ random: inout SeededRandom) -> SQLiteValue {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: .null
    case 1: .integer([0, 1, -1, .max, .min, 12].randomElement(using: &random)!)
    case 2: .real(Double(bitPattern: random.next()).isNaN ? 0.5 : 1.0 / 3.0)
    case 3: .real([.infinity, -.infinity, 1e300, 2.5e-308, 0.1, 2].randomElement(using: &random)!)
    case 4: .blob((0..<Int.random(in: 0..<5, using: &random)).map { UInt8($0 &* 77) })
    case 5: .text(["12", "1.5", "true", "Infinity", "1e5", "007"].randomElement(using: &random)!)
    case 6: .text(["", " ", "\r\n", "\t", "\u{1}", "\u{FFFE}"].randomElement(using: &random)!)
    default: .text(["spur", "<&>\"'", "]]>", "é日🐎"].randomElement(using: &random)!)
    }
  }
}

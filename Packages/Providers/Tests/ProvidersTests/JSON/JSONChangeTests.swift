import Foundation
import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Changed files in JSON` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Change: CustomTestStringConvertible, Sendable {
    let text: String
    let sql: String
    /// The line to replace, and its new content; `nil` for a file that stays the same.
    let line: (String, String)?
    var name = "people.json"
    var testDescription: String { "\(sql) in \(text)" }

    init(
      _ text: String, _ sql: String, _ line: (String, String)? = nil, name: String = "people.json"
    ) {
      self.text = text
      self.sql = sql
      self.line = line
      self.name = name
    }
  }

  private static let towns = #"""
    [
      {
        "name": "Malm\u00f6",
        "price": 12.50,
        "sum": 1e5,
        "count": 1.0,
        "at": { "lat" : 55.60, "lon":13.0 },
        "tags": [1.0,
                 "a\/b"]
      },
      { "price": 1.0, "name": "Oslo", "extra": null },
      {"name": null, "count": 7,

        "at": {}}
    ]

    """#

  private static let zoo = #"""
    {
      "version" : 1.0,
      "cats": [ {"n": "Tom", "w": 4.50},
                {"n": "Kit", "w": 3.0} ],
      "none": [ ],
      "by": {"who": "me"},
      "dogs": [
        {"n": "Rex"}
      ]
    }
    """#

  private static let lines = "{\"a\": 1.0, \"b\":\"x\"}\r\n{\"b\":\"y\",\"a\":2.50}\r\n{ }\r\n"

  static let changes: [Change] = [
    Change(towns, "UPDATE people SET price = price"),
    Change(towns, "UPDATE people SET price = 13 WHERE rowid = 1", ("12.50", "13.0")),
    Change(
      towns, "UPDATE people SET name = 'Lund' WHERE rowid = 1", (#""Malm\u00f6""#, #""Lund""#)),
    Change(
      towns, "UPDATE people SET price = 2.5 WHERE name = 'Oslo'",
      (#""price": 1.0"#, #""price": 2.5"#)),
    Change(
      towns, "UPDATE people SET \"at.lon\" = 13.1 WHERE rowid = 1", (#""lon":13.0"#, #""lon":13.1"#)
    ),
    Change(
      towns, "UPDATE people SET tags = json_set(tags, '$[1]', 'c') WHERE rowid = 1",
      (#""a\/b""#, #""c""#)),
    Change(
      towns, "UPDATE people SET extra = 'x' WHERE name = 'Oslo'",
      (#""extra": null"#, #""extra": "x""#)),
    Change(
      towns, "UPDATE people SET extra = 'x' WHERE rowid = 3",
      (#""at": {}}"#, #""at": {}, "extra": "x"}"#)),
    Change(
      towns, "UPDATE people SET name = NULL WHERE name = 'Oslo'",
      (#", "name": "Oslo""#, #", "name": null"#)),
    Change(towns, "UPDATE people SET sum = NULL", ("    \"sum\": 1e5,\n", "")),
    Change(
      towns, "DELETE FROM people WHERE name = 'Oslo'",
      ("  { \"price\": 1.0, \"name\": \"Oslo\", \"extra\": null },\n", "")),
    Change(zoo, "UPDATE cats SET w = w"),
    Change(zoo, "UPDATE cats SET w = 5 WHERE n = 'Tom'", ("4.50", "5.0")),
    Change(zoo, "UPDATE people SET version = 2", ("1.0", "2.0")),
    Change(zoo, "UPDATE people SET \"by.who\" = 'you'", ("me", "you")),
    Change(zoo, "DELETE FROM dogs", ("\n    {\"n\": \"Rex\"}\n  ", "")),
    Change(
      zoo, "DELETE FROM cats WHERE n = 'Kit'", (",\n            {\"n\": \"Kit\", \"w\": 3.0}", "")),
    Change(
      zoo, "INSERT INTO cats VALUES ('Bo', 1)",
      (
        " {\"n\": \"Kit\", \"w\": 3.0}",
        " {\"n\": \"Kit\", \"w\": 3.0},\n            {\"n\": \"Bo\", \"w\": 1.0}"
      )),
    Change(lines, "UPDATE people SET a = a", name: "people.jsonl"),
    Change(lines, "UPDATE people SET a = 3 WHERE b = 'y'", ("2.50", "3.0"), name: "people.jsonl"),
    Change(
      lines, "DELETE FROM people WHERE b = 'x'", ("{\"a\": 1.0, \"b\":\"x\"}\r\n", ""),
      name: "people.jsonl"),
    Change(
      lines, "INSERT INTO people VALUES (4, 'z')",
      ("{ }\r\n", "{ }\r\n{\"a\": 4.0, \"b\": \"z\"}\r\n"), name: "people.jsonl"),
    Change(#"{"a": 1.0, "b": {"c": [1.50]}}"#, "UPDATE people SET a = 2", ("1.0", "2.0")),
    Change(
      "\u{FEFF} [ 1.0 , 2.50 ] ", "UPDATE people SET value = 3 WHERE value = 1", ("1.0", "3.0")),
    Change("[[1.0, 2],[3.50]]", "UPDATE people SET \"0\" = 4 WHERE \"0\" = 1", ("1.0", "4.0")),
    Change(
      #"{"a":1.0}{"a":2.50} {"a":3e0}"#, "UPDATE people SET a = 7 WHERE a = 2.5", ("2.50", "7.0")),
  ]

  @Test(arguments: changes)
  func `keep the text of all other values`(_ change: Change) throws {
    let path = try folder.write(change.text, to: change.name)
    let provider = JSONProvider()
    try provider.openSource(atPath: path)
    try provider.execute("CREATE TABLE temporary (a)")
    try provider.execute("DROP TABLE temporary")
    try provider.execute(SQL(unsafe: change.sql))
    try provider.persist()
    var expected = change.text
    if let (old, new) = change.line {
      let range = try #require(expected.range(of: old))
      expected.replaceSubrange(range, with: new)
    }
    let text = try folder.text(of: change.name)
    #expect(text == expected)
    // Another change starts from the written file.
    try provider.execute("CREATE TABLE temporary (a)")
    try provider.execute("DROP TABLE temporary")
    try provider.closeSource()
    let again = try folder.text(of: change.name)
    #expect(again == expected)
  }

  @Test func `keep the text when they are changed several times`() throws {
    let path = try folder.write(Self.towns, to: "people.json")
    let provider = JSONProvider()
    try provider.openSource(atPath: path)
    try provider.execute("DELETE FROM people WHERE rowid = 1")
    try provider.persist()
    try provider.execute("INSERT INTO people (name, price) VALUES ('Bo', 3)")
    try provider.persist()
    try provider.execute("UPDATE people SET price = 4 WHERE name = 'Bo'")
    try provider.closeSource()
    let text = try folder.text(of: "people.json")
    #expect(
      text
        == "[\n  { \"price\": 1.0, \"name\": \"Oslo\", \"extra\": null },\n  {\"name\": null, \"count\": 7,\n\n    \"at\": {}},\n  {\"name\": \"Bo\", \"price\": 4.0, \"extra\": null}\n]\n"
    )
  }

  @Test func `are written completely if another program changed them and this is requested`() throws
  {
    let path = try folder.write("[ {\"a\": 1.0} ]", to: "people.json")
    let provider = JSONProvider()
    try provider.openSource(atPath: path)
    try provider.execute("UPDATE people SET a = 2")
    try folder.write("[{\"b\":\"other\"},{}]", to: "people.json")
    #expect(providerError { try provider.persist() }?.code == .fileChanged)
    try provider.persist(overwritingChanges: true)
    #expect(try folder.text(of: "people.json") == "[{\"a\": 2.0}]")
    try provider.closeSource()
  }

  // MARK: Random files

  @Test func `have the values of their tables`() throws {
    var random = SeededRandom(seed: 71)
    for round in 0..<FormatEffort.count(60) {
      let rows = (0..<random.below(6)).map { _ in random.members() }
      let isLines = random.oneIn(3)
      let name = isLines ? "people.jsonl" : "people.json"
      let text =
        isLines
        ? try rows.map { try JSONTree.object($0).text() + "\n" }.joined()
        : random.spaced(try JSONTree.array(rows.map { .object($0) }).text())
      let path = try folder.write(text, to: name)
      let provider = JSONProvider()
      try provider.openSource(atPath: path)
      let tables = try provider.tableNames()
      guard let table = tables.first else {
        try provider.closeSource()
        continue
      }
      let columns = try provider.columns(of: table).map { $0.split(separator: " ")[0] }
      for _ in 0..<random.below(4) {
        let column = SQLName.quoted(String(columns[random.below(columns.count)]))
        let condition = random.oneIn(2) ? "rowid = \(1 + random.below(6))" : "true"
        let statement =
          switch random.below(4) {
          case 0: "DELETE FROM \(table) WHERE rowid = \(1 + random.below(6))"
          case 1: "INSERT INTO \(table) DEFAULT VALUES"
          case 2: "UPDATE \(table) SET \(column) = NULL WHERE \(condition)"
          default: "UPDATE \(table) SET \(column) = \(column) WHERE \(condition)"
          }
        _ = try? provider.execute(SQL(unsafe: statement))
      }
      let list = columns.map { SQLName.quoted(String($0)) }.joined(separator: ", ")
      let before = try provider.values("SELECT \(list) FROM \(table)")
      do {
        try provider.persist()
      } catch let error as ProviderError where error.code == .unrepresentable {
        try provider.closeSource(discardingChanges: true)
        #expect(try folder.text(of: name) == text, "round \(round)")
        continue
      }
      try provider.closeSource()
      let again = JSONProvider()
      try again.openSource(atPath: path)
      let after =
        try again.tableNames().isEmpty ? [] : again.values("SELECT * FROM \(table)")
      #expect(after.count == before.count, "round \(round): \(text)")
      guard !after.isEmpty else { continue }
      let known = try again.columns(of: table).map { String($0.split(separator: " ")[0]) }
      for (old, new) in zip(before, after) {
        for (index, column) in columns.enumerated() {
          let position = known.firstIndex(of: String(column))
          #expect(
            Self.isSame(old[index], position.map { new[$0] } ?? .null),
            "round \(round), \(column): \(text)")
        }
      }
      try again.closeSource()
    }
  }

  /// Numbers may have another storage class, since a column's type depends on all its values.
  private static func isSame(_ a: SQLiteValue, _ b: SQLiteValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)): Double(a) == b
    default: a == b
    }
  }
}

extension JSONTree {
  fileprivate func text() throws -> String { String(decoding: try bytes(), as: UTF8.self) }
}

extension SeededRandom {
  /// The members of a row: scalars of a type for each key, nested objects and arrays.
  fileprivate mutating func members() -> [JSONMember] {
    var members: [JSONMember] = []
    for (index, key) in ["a", "b", "c", "d", "e"].enumerated() where !oneIn(4) {
      let value: JSONTree =
        switch index {
        case _ where oneIn(6): .null
        case 0: .integer(Int64(below(100)))
        case 1: .double(Double(below(1_000)) / 8)
        case 2: .string(text())
        case 3: .array((0..<below(3)).map { _ in tree(3) })
        default:
          .object([JSONMember("x", .bool(oneIn(2))), JSONMember("y", .integer(Int64(below(9))))])
        }
      members.append(JSONMember(key, value))
    }
    members.shuffle(using: &self)
    return members
  }

  /// Adds white space around punctuation outside of strings.
  fileprivate mutating func spaced(_ text: String) -> String {
    var result = ""
    var isInString = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(scalar)
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if scalar == "\\" {
          isEscaped = true
        } else if scalar == "\"" {
          isInString = false
        }
      } else if scalar == "\"" {
        isInString = true
      } else if "[]{},:".unicodeScalars.contains(scalar), oneIn(2) {
        result += [" ", "\n", "\n  ", "\t"][below(4)]
      }
    }
    return result
  }
}

import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

/// The content of changed files, as other programs read it.
@Suite struct `Files in CSV with random changes` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private enum Kind: CaseIterable { case integer, real, boolean, day, code, text }

  /// Returns the fields of a text according to RFC 4180.
  private static func records(_ bytes: [UInt8], _ delimiter: UInt8) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var at = 0
    func end() {
      record.append(String(decoding: field, as: UTF8.self))
      field = []
    }
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if isQuoted {
        if byte != 0x22 {
          field.append(byte)
        } else if at < bytes.count, bytes[at] == 0x22 {
          field.append(byte)
          at += 1
        } else {
          isQuoted = false
        }
      } else if byte == 0x22 {
        isQuoted = true
      } else if byte == delimiter {
        end()
      } else if byte == 0x0A {
        if at > 1, bytes[at - 2] == 0x0D { field.removeLast() }
        end()
        records.append(record)
        record = []
      } else {
        field.append(byte)
      }
    }
    if !field.isEmpty || !record.isEmpty {
      end()
      records.append(record)
    }
    return records
  }

  private func value(_ kind: Kind, _ random: inout SeededRandom) -> String {
    switch kind {
    case .integer: "\(random.below(2_000) - 1_000)"
    case .real: "\(Double(random.below(4_000)) / 8 + 0.5)"
    case .boolean: random.oneIn(2) ? "true" : "false"
    case .day: "2026-1\(random.below(3))-1\(random.below(10))"
    case .code: "0\(random.below(90))"
    case .text: random.oneIn(3) ? random.text() : "word \(random.below(99))"
    }
  }

  private static func field(_ text: String, _ delimiter: String) -> String {
    guard
      text.utf8.contains(where: { [0x22, 0x0A, 0x0D, 0x27, 0x20].contains($0) })
        || text.contains(delimiter)
    else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  private static func isSame(_ a: String, _ b: String, _ kind: Kind) -> Bool {
    switch kind {
    case .real, .integer: a == b || Double(a) == Double(b) && Double(a) != nil
    case .boolean: a == b || ["true": "1", "false": "0"][a] == b
    case .day, .code, .text: a == b
    }
  }

  private func expect(_ name: String, _ delimiter: UInt8, _ kinds: [Kind], _ model: [[String]])
    throws
  {
    let bytes = try folder.bytes(of: name)
    let found = Self.records(bytes, delimiter)
    let isSame =
      found.count == model.count
      && zip(found, model).enumerated().allSatisfy { row, pair in
        pair.0.count == pair.1.count
          && zip(zip(pair.0, pair.1), kinds).allSatisfy {
            row == 0 ? $0.0 == $0.1 : Self.isSame($0.0, $0.1, $1)
          }
      }
    #expect(isSame, "\(String(decoding: bytes, as: UTF8.self))\n\(found)\n\(model)")
  }

  private func rewrite(_ name: String) throws {
    let provider = CSVProvider()
    try provider.openSource(atPath: "\(folder.path)/\(name)")
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
  }

  @Test func `have the expected fields in all rows`() throws {
    var random = SeededRandom(seed: 20_261_122)
    var refusals = 0
    for round in 0..<FormatEffort.count(20) {
      let (delimiter, byte) =
        [(",", 0x2C), (";", 0x3B), ("\t", 0x09), ("|", 0x7C)][random.below(4)]
        as (String, UInt8)
      let kinds = (0..<2 + random.below(4)).map { _ in Kind.allCases[random.below(6)] }
      func row() -> [String] {
        kinds.map { random.oneIn(8) ? "" : value($0, &random) }
      }
      var model = [kinds.indices.map { "column\($0)" }]
      for _ in 0..<1 + random.below(12) { model.append(row()) }
      let lineBreak = random.oneIn(2) ? "\n" : "\r\n"
      let text = model.map {
        $0.map { Self.field($0, delimiter) }.joined(separator: delimiter) + lineBreak
      }
      .joined()
      let name = "t\(round).csv"
      try folder.write(text, to: name)
      let provider = CSVProvider()
      try provider.openSource(atPath: "\(folder.path)/\(name)")
      let before = model
      for _ in 0..<random.below(6) {
        switch random.below(3) {
        case 0:
          let new = row()
          let marks = new.map { _ in "?" }.joined(separator: ", ")
          try provider.execute(
            "INSERT INTO t\(unsafe: "\(round)") VALUES (\(unsafe: marks))",
            withParameters: new.map { $0.isEmpty ? nil : $0 })
          model.append(new)
        case 1 where model.count > 2:
          let gone = 1 + random.below(model.count - 1)
          try provider.execute(
            "DELETE FROM t\(unsafe: "\(round)") WHERE rowid = (SELECT rowid FROM t\(unsafe: "\(round)") ORDER BY rowid LIMIT 1 OFFSET ?)",
            withParameters: [gone - 1])
          model.remove(at: gone)
        default:
          let (at, column) = (1 + random.below(model.count - 1), random.below(kinds.count))
          let new = value(kinds[column], &random)
          try provider.execute(
            """
            UPDATE t\(unsafe: "\(round)") SET column\(unsafe: "\(column)") = ?
            WHERE rowid = (SELECT rowid FROM t\(unsafe: "\(round)") ORDER BY rowid LIMIT 1 OFFSET ?)
            """, withParameters: [new, at - 1])
          model[at][column] = new
        }
      }
      try provider.execute("CREATE TABLE other (x); DROP TABLE other")
      do {
        try provider.closeSource()
      } catch let error as ProviderError where error.code == .unrepresentable {
        refusals += 1
        print("refused: \(error)")
        try provider.closeSource(discardingChanges: true)
        try expect(name, byte, kinds, before)
        continue
      }
      try expect(name, byte, kinds, model)
      try rewrite(name)
      try expect(name, byte, kinds, model)
    }
    #expect(refusals <= FormatEffort.count(20) / 10)
  }

  @Test func `that are new are read back with all texts`() throws {
    var random = SeededRandom(seed: 4_180)
    var refusals = 0
    for round in 0..<FormatEffort.count(20) {
      let kinds = (0..<1 + random.below(4)).map { _ in Kind.allCases[random.below(6)] }
      let name = "n\(round).csv"
      let provider = CSVProvider()
      try provider.openSource(atPath: "\(folder.path)/\(name)")
      let types = kinds.map {
        switch $0 {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .boolean: "BOOLEAN"
        case .day, .code, .text: "TEXT"
        }
      }
      var model = [kinds.indices.map { "column\($0)" }]
      try provider.execute(
        "CREATE TABLE n (\(unsafe: zip(model[0], types).map { "\($0) \($1)" }.joined(separator: ", ")))"
      )
      for _ in 0..<random.below(12) {
        let row = kinds.map { random.oneIn(8) ? "" : value($0, &random) }
        let values = zip(row, kinds).map { text, kind -> (any SQLiteBindable)? in
          kind == .boolean && !text.isEmpty
            ? text == "true" : text.isEmpty && kind != .text ? nil : text
        }
        try provider.execute(
          "INSERT INTO n VALUES (\(unsafe: row.map { _ in "?" }.joined(separator: ", ")))",
          withParameters: values)
        model.append(row)
      }
      do {
        try provider.closeSource()
      } catch let error as ProviderError where error.code == .unrepresentable {
        refusals += 1
        print("refused: \(error)")
        try provider.closeSource(discardingChanges: true)
        continue
      }
      try expect(name, 0x2C, kinds, model)
      try rewrite(name)
      try expect(name, 0x2C, kinds, model)
      let again = CSVProvider()
      try again.openSource(atPath: "\(folder.path)/\(name)")
      let rows = try again.query("SELECT * FROM n\(unsafe: "\(round)")")
      #expect(rows.count == model.count - 1)
      for (row, texts) in zip(rows, model.dropFirst()) {
        for (place, kind) in kinds.enumerated() where kind == .text || kind == .code {
          let text = if case .text(let text) = row[place] { text } else { "" }
          // Text of digits in a column of such text is read as an integer.
          #expect(text == texts[place] || Double(texts[place]) != nil)
        }
      }
      try again.closeSource(discardingChanges: true)
    }
    #expect(refusals <= FormatEffort.count(20) / 10)
  }
}

import ArgumentParser
import CommandTesting
import Foundation
import SPON
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `A conversion there and back` {
  static let formats: [FileFormat] = [.csv, .json, .jsonl, .xml, .spon, .sqlite]
  static let pairs = formats.flatMap { source in formats.map { (source, $0) } }

  /// The number of cases for each pair; `HOLT_RELIABILITY=all` has more.
  private static let count =
    ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all" ? 100 : 8

  @Test(arguments: pairs)
  func `is the identity, or is refused before anything is written`(
    _ source: FileFormat, _ target: FileFormat
  ) throws {
    let run = try HoltRun()
    var random = RandomTables(seed: 71, hasText: source == .csv || target == .csv)
    var identities = 0
    for round in 0..<Self.count {
      let folder = "\(run.folder)/\(round)"
      for name in ["a", "b", "c"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      let original = "\(folder)/a/t.\(source.fileExtension)"
      let between = "\(folder)/b/t.\(target.fileExtension)"
      let result = "\(folder)/c/t.\(source.fileExtension)"
      try random.write(original, source)
      let before = try TypedRows(original, source)
      let bytes = try Data(contentsOf: URL(filePath: original))
      do {
        try Self.convert(original, between, target)
      } catch {
        #expect(!FileManager.default.fileExists(atPath: between), "round \(round)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/b") == [])
        continue
      }
      #expect(try Data(contentsOf: URL(filePath: original)) == bytes)
      try Self.convert(between, result, source)
      let after = try TypedRows(result, source)
      let isText = source == .csv || target == .csv
      let isJSON = source == .json || source == .jsonl
      #expect(
        before.isEqual(to: after, asText: isText, asNumbers: isJSON),
        "round \(round)\n\(before)\n\(after)\n\((try? String(contentsOfFile: between, encoding: .utf8)) ?? "")"
      )
      identities += 1
    }
    #expect(identities * 4 > Self.count)
  }

  private static func convert(_ from: String, _ to: String, _ format: FileFormat) throws {
    _ = try Convert.parse([from, to]).convert(to: format)
  }
}

/// The rows of a file's table as keys and typed values, without `NULL`.
private struct TypedRows: CustomStringConvertible {
  var rows: [[(key: String, value: SPONValue)]] = []

  var description: String {
    rows.map { $0.map { "\($0.key): \($0.value)" }.joined(separator: ", ") }.joined(separator: "\n")
  }

  init(_ path: String, _ format: FileFormat) throws {
    switch format {
    case .json: add(try SPONValue(json: Self.bytes(path), style: .plain))
    case .jsonl:
      for line in try Self.bytes(path).split(separator: 0x0A) {
        add(.array([try SPONValue(json: Array(line), style: .plain)]))
      }
    case .spon: add(try SPONValue(parsing: Self.bytes(path)))
    case .csv: addCSV(String(decoding: try Self.bytes(path), as: UTF8.self))
    case .sqlite: try addTable(of: path)
    case .xml:
      let database = "\(path)-\(UUID().uuidString).db"
      _ = try Convert.parse([path, database]).convert(to: .sqlite)
      try addTable(of: database)
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private mutating func add(_ value: SPONValue) {
    for row in value.array ?? [] {
      let pairs = row.object.map { zip($0.keys, $0.values) }.map { $0.map { ($0, $1) } } ?? []
      rows.append(pairs.filter { !$0.1.isNull })
    }
  }

  private mutating func addCSV(_ text: String) {
    var fields: [[String?]] = [[]]
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "\n" || scalar == "\r" {
        rest.removeFirst(scalar == "\r" && rest.dropFirst().first == "\n" ? 2 : 1)
        fields.append([])
        continue
      }
      if scalar == ",", !fields[fields.count - 1].isEmpty { rest.removeFirst() }
      var field = String.UnicodeScalarView()
      if rest.first == "\"" {
        rest.removeFirst()
        while let next = rest.popFirst() {
          if next == "\"" {
            guard rest.first == "\"" else { break }
            rest.removeFirst()
          }
          field.append(next)
        }
        fields[fields.count - 1].append(String(field))
      } else {
        while let next = rest.first, next != ",", next != "\n", next != "\r" {
          field.append(next)
          rest.removeFirst()
        }
        if rest.first == ",", fields[fields.count - 1].isEmpty, scalar == "," { rest.removeFirst() }
        fields[fields.count - 1].append(field.isEmpty ? nil : String(field))
      }
    }
    if fields.last?.isEmpty ?? false { fields.removeLast() }
    guard let names = fields.first else { return }
    rows = fields.dropFirst().map { record in
      zip(names, record).compactMap { name, field in field.map { (name ?? "", .string($0)) } }
    }
  }

  private mutating func addTable(of path: String) throws {
    let connection = try Connection(path: path, configuration: .reading)
    let columns = try connection.columns(of: "t")
    guard !columns.isEmpty else { return }
    try connection.forEach("SELECT * FROM t ORDER BY rowid") { row in
      let values = try row.values
      rows.append(
        try zip(columns, values).compactMap { column, value in
          value == .null ? nil : (column.name, try Self.typed(value, column.declaredType))
        })
    }
  }

  private static func typed(_ value: SQLiteValue, _ type: String) throws -> SPONValue {
    switch (type, value) {
    case ("BOOLEAN", .integer(let value)): .bool(value == 1)
    case ("JSON TEXT", .text(let text)): try SPONValue(json: text, style: .plain)
    case ("SPON TEXT", .text(let text)): try SPONValue(parsing: text)
    case (_, .integer(let value)): .integer(value)
    case (_, .real(let value)): .double(value)
    case (_, .text(let text)): .string(text)
    case (_, .blob(let bytes)): .bytes(bytes)
    case (_, .null): .null
    }
  }

  func isEqual(to other: TypedRows, asText: Bool, asNumbers: Bool) -> Bool {
    rows.count == other.rows.count
      && zip(rows, other.rows).allSatisfy { a, b in
        a.count == b.count
          && a.allSatisfy { key, value in
            guard let match = b.first(where: { Array($0.key.utf8) == Array(key.utf8) }) else {
              return false
            }
            if asText { return Self.isSameText(Self.text(value), Self.text(match.value)) }
            return asNumbers
              ? Self.numbers(value) == Self.numbers(match.value) : value == match.value
          }
      }
  }

  /// The value with whole numbers as integers: JSON has one type of numbers.
  private static func numbers(_ value: SPONValue) -> SPONValue {
    switch value {
    case .double(let number): Int64(exactly: number).map { .integer($0) } ?? value
    case .array(let elements): .array(elements.map(numbers))
    case .object(let object):
      .object(
        zip(object.keys, object.values).reduce(into: object) { $0[$1.0] = numbers($1.1) })
    default: value
    }
  }

  private static func text(_ value: SPONValue) -> String {
    switch value {
    case .string(let text), .opaque(let text): text
    case .decimal(let number): number.description
    case .instant(let instant): instant.description
    case .array, .object: (try? value.json()) ?? ""
    case .bytes: "\(value)"
    default: (try? value.json(.plain)) ?? "\(value)"
    }
  }

  private static func isSameText(_ a: String, _ b: String) -> Bool {
    if Array(a.utf8) == Array(b.utf8) { return true }
    guard let a = Double(a), let b = Double(b) else { return false }
    return a == b
  }
}

/// Random tables with a type for each column.
private struct RandomTables: RandomNumberGenerator {
  private var state: UInt64
  /// Whether the source or the target has only text.
  private let hasText: Bool

  init(seed: UInt64, hasText: Bool) {
    state = seed
    self.hasText = hasText
    print("seed \(seed)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  private mutating func text() -> String {
    let letters = [
      "a", "B", " ", "\"", "'", "é", "漢", "🎻", ",", ";", "`", "]", "<", "&01;", "x y", "1", "@",
      "\\",
      "\n", "\t", "\r\n", "\u{1F}", "{", "-", ".", "0",
    ]
    if oneIn(3) {
      return ["1", "007", "1.50", "1e5", "true", "2026-11-22", " x ", "", "[1]", "-0", "NULL"][
        below(11)]
    }
    if !hasText, oneIn(9) { return "\u{0}" }
    return (0..<below(8)).map { _ in letters[below(letters.count)] }.joined()
  }

  private mutating func double() -> Double {
    while true {
      let value =
        oneIn(2)
        ? Double(bitPattern: next()) : Double(Int64.random(in: -999...999, using: &self)) / 8
      if value.isFinite, value != 0 { return value }
    }
  }

  private mutating func integer() -> Int64 {
    oneIn(2) ? Int64(below(100)) : Int64(bitPattern: next())
  }

  private mutating func instant() -> SPONValue {
    SPONInstant("20\(10 + below(80))-0\(1 + below(9))-1\(below(9))T0\(below(9)):30:0\(below(9))Z")
      .map { .instant($0) } ?? .null
  }

  /// A value of any type of JSON, or of SPON.
  private mutating func tree(_ isTagged: Bool, _ depth: Int = 0) -> SPONValue {
    switch below(depth > 3 ? 7 : 11) {
    case 0: return .null
    case 1: return .bool(oneIn(2))
    case 2: return .integer(integer())
    case 3: return .double(double())
    case 4, 5: return .string(text())
    case 6: return isTagged ? tagged(below(7)) : .integer(Int64(below(9)))
    case 7, 8: return .array((0..<below(4)).map { _ in tree(isTagged, depth + 1) })
    default:
      var object = SPONObject()
      if isTagged, oneIn(2) { object = SPONObject(typeName: "T\(below(3))", [:]) }
      for index in 0..<below(4) {
        object[oneIn(3) ? text() : "k\(index)"] = tree(isTagged, depth + 1)
      }
      return .object(object)
    }
  }

  private mutating func tagged(_ kind: Int) -> SPONValue {
    switch kind {
    case 0: .float(Float(below(999)) / 8)
    case 1: .unsigned(UInt64.max - UInt64(below(9)))
    case 2: SPONDecimal("\(below(999)).\(next())\(next())").map { .decimal($0) } ?? .null
    case 3: .opaque(text())
    case 4: .bytes((0..<below(5)).map { UInt8($0 * 50) })
    case 5: oneIn(2) ? .double(.nan) : .float(-.infinity)
    default: instant()
    }
  }

  /// A value of the type of a column.
  private mutating func value(_ type: Int) -> SPONValue {
    if oneIn(5) { return .null }
    switch type {
    case 0: return .integer(integer())
    case 1: return .double(double())
    case 2: return .string(text())
    case 3: return .bool(oneIn(2))
    case 4: return .string("20\(10 + below(80))-0\(1 + below(9))-1\(below(9))")
    case 5:
      if hasText { return .array([.integer(1), .string(text())]) }
      let value = tree(false)
      // The type of a number in a JSON file depends on the other numbers of its column.
      switch value {
      case .integer, .double: return .array([value])
      default: return value
      }
    case 6: return tree(true)
    case 7: return .bytes((0..<below(4)).map { UInt8($0 * 60) })
    default: return tagged(type - 8)
    }
  }

  /// Writes a random table to a file.
  mutating func write(_ path: String, _ format: FileFormat) throws {
    let types: [Int] =
      switch format {
      case .csv: [0, 1, 2, 3, 4]
      case .json, .jsonl: [0, 1, 2, 3, 4, 5, 5]
      case .spon: [0, 1, 2, 3, 4, 8, 10, 11, 12, 14] + (hasText ? [] : [5, 6, 6, 9, 13, 7])
      case .sqlite, .xml: [0, 1, 2, 3, 4, 5] + (oneIn(4) ? [7] : [])
      }
    let names = ["k", "a b", "é", "x.y", "order", "@id", "id", "@data"].shuffled(using: &self)
    let columns = (0..<1 + below(6)).map { (name: names[$0], type: types[below(types.count)]) }
    // A table without rows has no columns in JSON and SPON, and CSV needs a table.
    let rows = (0..<Swift.max(format == .csv ? 1 : 0, below(6))).map { number in
      [("n", SPONValue.integer(Int64(number)))]
        + columns.map { ($0.name, value($0.type)) }
    }
    let objects = rows.map { row in
      SPONValue.object(row.reduce(into: SPONObject()) { if !$1.1.isNull { $0[$1.0] = $1.1 } })
    }
    switch format {
    case .json: try write(SPONValue.array(objects).json(.plain), path)
    case .jsonl: try write(objects.map { try $0.json(.plain) + "\n" }.joined(), path)
    case .spon: try write(SPONValue.array(objects).text(), path)
    case .csv:
      let records = [["n"] + columns.map(\.name)] + rows.map { row in row.map { Self.field($0.1) } }
      try write(records.map { $0.joined(separator: ",") + "\n" }.joined(), path)
    case .sqlite: try writeDatabase(path, columns, rows)
    case .xml:
      let database = "\(path).db"
      try writeDatabase(database, columns, rows)
      _ = try Convert.parse([database, path]).convert(to: .xml)
    }
  }

  private static func field(_ value: SPONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): "\"\(text.replacing("\"", with: "\"\""))\""
    default: (try? value.json(.plain)) ?? ""
    }
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func writeDatabase(
    _ path: String, _ columns: [(name: String, type: Int)], _ rows: [[(String, SPONValue)]]
  ) throws {
    let types = ["INTEGER", "REAL", "TEXT", "BOOLEAN", "DATE TEXT", "JSON TEXT", "", "BLOB"]
    var configuration = Configuration()
    configuration.journalMode = .delete
    let connection = try Connection(path: path, configuration: configuration)
    let list = columns.map { "\(SQLName.quoted($0.name)) \(types[$0.type])" }
    try connection.execute(
      SQL(unsafe: "CREATE TABLE t (\((["n INTEGER"] + list).joined(separator: ", ")))"))
    for row in rows {
      let values = try row.enumerated().map { index, pair -> SQLiteValue in
        switch pair.1 {
        case .null: .null
        case _ where index > 0 && columns[index - 1].type == 5: .text(try pair.1.json(.plain))
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let text): .text(text)
        case .bytes(let bytes): .blob(bytes)
        default: .null
        }
      }
      let parameters = values.map { _ in "?" }.joined(separator: ", ")
      try connection.withStatement(SQL(unsafe: "INSERT INTO t VALUES (\(parameters))")) {
        for (index, value) in values.enumerated() {
          try $0.bind(value, at: ParameterIndex(index + 1))
        }
        try $0.run()
      }
    }
  }
}

import Foundation
import SQLiteCore
import Testing

@testable import Providers

/// Files that are read in place give the results of loaded files.
@Suite struct `CSV files in place` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The result of a query: the columns with their declared types, and the rows.
  private struct Result: Equatable {
    var columns: [String]
    var rows: [[SQLiteValue]]
  }

  private static func run(_ sql: String, _ connection: Connection) throws -> Result {
    let statement = try connection.prepare(SQL(unsafe: sql))
    let columns = (0..<statement.columnCount).map { ColumnIndex($0) }
    var result = Result(
      columns: zip(statement.columnNames, columns).map {
        "\($0) \(statement.declaredType(at: $1) ?? "-")"
      }, rows: [])
    while try statement.step() { result.rows.append(try statement.row.values) }
    return result
  }

  private static func hasPlan(_ sql: String, _ connection: Connection) -> Bool {
    do {
      _ = try connection.prepare(SQL(unsafe: sql))
      return true
    } catch {
      #expect(error.message.contains("no query solution") && sql.contains("GROUP BY"))
      return false
    }
  }

  private func connection(_ table: CSVFileTable) throws -> Connection {
    let connection = try Connection.inMemory(configuration: Configuration().withProviderFunctions)
    try table.register(on: connection)
    try table.create(in: connection)
    return connection
  }

  /// Runs a query on the loaded file.
  private func loaded(_ sql: String, _ provider: CSVProvider) throws -> Result {
    try provider.session.read { try Self.run(sql, $0) }
  }

  @Test(arguments: 0..<40)
  func `answer random queries like loaded files`(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var inPlaceCount = 0
    for _ in 0..<12 {
      var file = RandomCSV(&random)
      let path = try folder.write(file.text, to: "t.csv")
      let provider = CSVProvider(options: file.options)
      guard (try? provider.openSource(atPath: path, readOnly: true)) != nil else {
        // The file is not valid: it must not be read in place either.
        let table = try? CSVFileTable(path: path, options: file.options)
        #expect(try table?.analyzed(reading: []) == nil, "\(file.text)")
        continue
      }
      guard var table = try CSVFileTable(path: path, options: file.options) else { continue }
      table.lengths = (1 + random.below(100), 1 + random.below(200), 1 + random.below(500))
      for _ in 0..<6 {
        let names = table.columns
        let used = names.filter { _ in random.oneIn(2) }
        let sql = file.query(used.isEmpty ? names : used, &random)
        let reads = Set(used.isEmpty ? names : used).union(sql.contains("rowid") ? ["ROWID"] : [])
        guard let analyzed = try table.analyzed(reading: reads) else { continue }
        let connection = try connection(analyzed)
        guard Self.hasPlan(sql, connection) else { continue }
        inPlaceCount += 1
        // A sum of integers can overflow.
        let actual = try? Self.run(sql, connection)
        let expected = try? loaded(sql, provider)
        #expect(actual == expected, "seed \(seed): \(sql)\n\(file.text)\n\(table.lengths)")
      }
    }
    #expect(inPlaceCount > 20)
  }

  @Test func `have the same rows for windows and parts of every length`() throws {
    let text =
      "id,a,b\r\n1,\"x\ny\",1.50\r\n2,\"say \"\"hi\"\"\",é\r\n\r\n3,,\"\"\n4,日本,2\r5,\"\r\n\",3"
    let path = try folder.write(text, to: "t.csv")
    let provider = CSVProvider()
    try provider.openSource(atPath: path, readOnly: true)
    let sql = "SELECT * FROM t"
    let expected = try loaded(sql, provider)
    #expect(expected.rows.count == 5)
    var table = try #require(try CSVFileTable(path: path))
    for window in 1...text.utf8.count + 2 {
      for part in 1...text.utf8.count + 2 {
        table.lengths = (window, part, 1)
        let analyzed = try #require(try table.analyzed(reading: ["id", "a", "b"]))
        #expect(try Self.run(sql, connection(analyzed)) == expected, "\(window) \(part)")
        let empty = try #require(try table.analyzed(reading: []))
        #expect(
          try Self.run("SELECT count(*) FROM t", connection(empty)).rows == [[.integer(5)]])
      }
    }
  }

  @Test(arguments: [
    "a,b\n1,2\n3\n", "a,b\n1,2\n3,4,5\n", "a,b\n1,\"2\n", "a,b\n1,\"2\"x\n", "a,b\n1,\u{0}\n",
    "id,b\n2,x\n1,y\n", "id,b\nx,1\ny,2\n", "id,b\n1,x\n,y\n", "id,b\n1,x\n1.5,y\n", "",
  ])
  func `are loaded if a record is not valid or the key has an index`(_ text: String) throws {
    let path = try folder.write(text, to: "t.csv")
    let table = try CSVFileTable(path: path)
    #expect(try table?.analyzed(reading: ["id", "b"]) == nil)
  }

  @Test func `are loaded if their bytes are not UTF-8`() throws {
    let path = "\(folder.path)/t.csv"
    for bytes: [UInt8] in [[0xC3, 0x28], [0xFF], [0xE2, 0x82]] {
      try Data(Array("a,b\n1,x\n2,".utf8) + bytes + [0x0A]).write(to: URL(fileURLWithPath: path))
      #expect(try CSVFileTable(path: path)?.analyzed(reading: ["a"]) == nil)
    }
  }

  @Test func `are loaded for options that select rows or types`() throws {
    let path = try folder.write("id,b\n1,2\n", to: "t.csv")
    func isInPlace(_ set: (inout CSVProvider.Options) -> Void) throws -> Bool {
      var options = CSVProvider.Options()
      set(&options)
      return try CSVFileTable(path: path, options: options)?.analyzed(reading: ["b"]) != nil
    }
    #expect(try isInPlace { _ in })
    #expect(try CSVFileTable(path: path)?.analyzed(reading: ["ROWID"]) == nil)
    #expect(try isInPlace { $0.columnTypes = ["B": .text] })
    #expect(try !isInPlace { $0.columnTypes = ["b": .real] })
    #expect(try isInPlace { $0.columnTypes = ["id": .real] })
    #expect(try !isInPlace { $0.columnTypes = ["c": .text] })
    #expect(try !isInPlace { $0.maximumRecordCount = 1 })
    #expect(try !isInPlace { $0.primaryKey = "b" })
    #expect(try !isInPlace { $0.encoding = .latin1 })
  }

  @Test(arguments: ["a,b\n1,2\n", "a,b\n1,2\n3,4\n5,6\n", "a,b\n9,2\n3,4\n"], [["a"], []])
  func `fail if the file is changed`(_ changed: String, _ columns: [String]) throws {
    let path = try folder.write("a,b\n1,2\n3,4\n", to: "t.csv")
    let table = try #require(try CSVFileTable(path: path)?.analyzed(reading: Set(columns)))
    let connection = try connection(table)
    let sql = columns.isEmpty ? "SELECT count(*) FROM t" : "SELECT a FROM t"
    #expect(try Self.run(sql, connection).rows.count == (columns.isEmpty ? 1 : 2))
    try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLiteError.self) { try Self.run(sql, connection) }
    #expect(error?.message.contains("the file was changed while it was read") == true)
    #expect(throws: ProviderError.self) { try table.analyzed(reading: ["a"]) }
  }

  @Test func `fail if the file is truncated while it is read`() throws {
    let rows = (1...5_000).map { "\($0),x\n" }.joined()
    let path = try folder.write("a,b\n\(rows)", to: "t.csv")
    var file = try #require(try CSVFileTable(path: path))
    file.lengths.window = 1 << 10
    let table = try #require(try file.analyzed(reading: ["a"]))
    let connection = try connection(table)
    let statement = try connection.prepare("SELECT a FROM t")
    #expect(try statement.step())
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 20_000)
    try handle.close()
    var count = 1
    let error = #expect(throws: SQLiteError.self) {
      while try statement.step() { count += 1 }
    }
    #expect(error?.message.contains("the file was changed while it was read") == true)
    #expect(count < 5_000)
  }

  @Test func `can be queried again after a query that was interrupted`() throws {
    let rows = (1...5_000).map { "\($0),x\n" }.joined()
    let path = try folder.write("a,b\n\(rows)", to: "t.csv")
    let table = try #require(try CSVFileTable(path: path)?.analyzed(reading: ["a"]))
    let connection = try connection(table)
    let statement = try connection.prepare("SELECT a FROM t")
    #expect(try statement.step())
    connection.interrupt()
    let error = #expect(throws: SQLiteError.self) { while try statement.step() {} }
    #expect(error?.code == .interrupt)
    #expect(try connection.value(Int.self, "SELECT sum(a) FROM t") == 12_502_500)
  }
}

/// A random CSV file, and random queries on it.
private struct RandomCSV {
  let text: String
  var options = CSVProvider.Options()

  init(_ random: inout SeededRandom) {
    let delimiter = [",", ",", ";", "\t"][random.below(4)]
    let lineBreak = ["\n", "\n", "\r\n", "\r"][random.below(4)]
    let kinds = (0..<1 + random.below(5)).map { _ in random.below(12) }
    let hasKey = random.oneIn(2)
    if random.oneIn(4) { options.padsShortRecords = true }
    if random.oneIn(6) { options.nullText = "NA" }
    if random.oneIn(3) { options.hasHeader = true }
    if random.oneIn(6) { options.badRecords = .collected }
    if random.oneIn(8) { options.comment = UInt8(ascii: "#") }
    var text = random.oneIn(8) ? "\u{FEFF}" : ""
    text += ((hasKey ? ["id"] : []) + kinds.indices.map { "c\($0)" }).joined(separator: delimiter)
    text += lineBreak
    let rowCount = random.below(30)
    for row in 0..<rowCount {
      var fields = kinds.map { Self.field($0, &random) }
      if hasKey { fields.insert("\(random.oneIn(40) ? 1 : row * 2 + 1)", at: 0) }
      if random.oneIn(60) { fields.removeLast() }
      if random.oneIn(25) { text += lineBreak }
      text += fields.joined(separator: delimiter)
      if row + 1 < rowCount || random.oneIn(2) { text += random.oneIn(30) ? "\n" : lineBreak }
    }
    self.text = text
  }

  private static func field(_ kind: Int, _ random: inout SeededRandom) -> String {
    if random.oneIn(6) { return ["", "", "\"\"", "NA"][random.below(4)] }
    let small = random.below(5)
    switch kind {
    case 0: return "\(random.below(7) - 3)"
    case 1: return ["\(small).5", "\(small)", "-0.0", "1e3", "+\(small)", ".25"][random.below(6)]
    case 2: return ["12345678901234567890", "1.50", "0.1234567890123456789", "3"][random.below(4)]
    case 3: return ["007", "12", "00\(small)"][random.below(3)]
    case 4: return "2026-0\(small + 1)-1\(small)"
    case 5: return ["2026-01-0\(small + 1)T10:30", "2026-01-01"][random.below(2)]
    case 6: return ["true", "false", "TRUE"][random.below(3)]
    case 7: return ["x", "yy", "Zürich", "東京", "a b", "it's \"odd\""][random.below(6)]
    case 8: return "\"\(["x", "a,b", "l1\nl2", "a \"\"q\"\"", "\r\n", "é;\t"][random.below(6)])\""
    case 9: return ["1", "x", "2.5", "true"][random.below(4)]
    case 10: return ["9223372036854775807", "-9223372036854775808", "5"][random.below(3)]
    default: return "\"\(small)\""
    }
  }

  mutating func query(_ names: [String], _ random: inout SeededRandom) -> String {
    func one() -> String { "\"\(names[random.below(names.count)])\"" }
    let all = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let value = ["1", "2.5", "'x'", "'1'", "'007'", "NULL", "'2026-01-01'", "3"][random.below(8)]
    let comparison = ["=", "<", ">", "<=", ">=", "<>", "IS", "IS NOT"][random.below(8)]
    switch random.below(14) {
    case 0: return "SELECT \(all) FROM t"
    case 1: return "SELECT rowid, \(all) FROM t WHERE rowid > 3"
    case 2: return "SELECT count(*), count(\(one())), sum(\(one())), avg(\(one())) FROM t"
    case 3: return "SELECT min(\(one())), max(\(one())), total(\(one())) FROM t"
    case 4: return "SELECT \(one()), count(*), sum(\(one())) FROM t GROUP BY 1"
    case 5: return "SELECT \(one()), \(one()), count(*) FROM t GROUP BY 1, 2"
    case 6: return "SELECT \(all) FROM t WHERE \(one()) \(comparison) \(value)"
    case 7: return "SELECT \(all) FROM t ORDER BY \(one()) DESC, \(one()), rowid LIMIT 7"
    case 8: return "SELECT DISTINCT \(one()) FROM t"
    case 9: return "SELECT typeof(\(one())), \(one()) || 'x', \(one()) + 1 FROM t"
    case 10:
      return "SELECT \(all) FROM t WHERE \(one()) IN (1, 'x', 2.5, '007') OR \(one()) LIKE '%1%'"
    case 11: return "SELECT \(one()), max(\(one())) FROM t WHERE \(one()) IS NOT NULL"
    case 12: return "SELECT \(one()), sum(\(one())) OVER (ORDER BY rowid) FROM t"
    default: return "SELECT \(one()) FROM t GROUP BY \(one()) HAVING count(*) > 1 ORDER BY 1"
    }
  }
}

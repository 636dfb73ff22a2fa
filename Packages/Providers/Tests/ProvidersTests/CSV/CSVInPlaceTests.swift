import Foundation
import Primitives
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
        let defersChecks = random.oneIn(2)
        guard var analyzed = try table.analyzed(reading: reads, defersChecks: defersChecks)
        else { continue }
        var connection = try connection(analyzed)
        guard Self.hasPlan(sql, connection) else { continue }
        inPlaceCount += 1
        // A sum of integers can overflow.
        var actual = try? Self.run(sql, connection)
        if analyzed.isContradicted {
          #expect(actual == nil && defersChecks)
          let types = analyzed.analysis?.types
          guard let whole = try table.analyzed(reading: reads) else { continue }
          #expect(whole.analysis?.types != types, "seed \(seed): \(sql)\n\(file.text)")
          analyzed = whole
          connection = try self.connection(analyzed)
          guard Self.hasPlan(sql, connection) else { continue }
          actual = try? Self.run(sql, connection)
        }
        let expected = try? loaded(sql, provider)
        #expect(actual == expected, "seed \(seed): \(sql)\n\(file.text)\n\(table.lengths)")
      }
    }
    #expect(inPlaceCount > 20)
  }

  /// Groups with all aggregates, whose rows exceed the memory of a run many times.
  @Test(arguments: 0..<12)
  func `have the same groups if they do not fit into memory`(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var text = "n,t,r,d,b,u\n"
    let keyCount = [3, 40, 4_000][seed % 3]
    for row in 0..<4_000 {
      func orNull(_ value: String) -> String { random.oneIn(9) ? "" : value }
      let key = random.below(keyCount)
      let t = ["k\(key)", "\(String(repeating: "long ", count: key % 5))\(key)", "é\(key)"]
      text +=
        [
          orNull("\(key - keyCount / 2)"), orNull(t[random.below(3)]),
          orNull("\(random.below(keyCount)).\(random.below(100))"),
          orNull("2026-0\(1 + random.below(9))-1\(random.below(9))"),
          random.oneIn(2) ? "true" : "false", "\(row)",
        ].joined(separator: ",") + "\n"
    }
    let path = try folder.write(text, to: "t.csv")
    let provider = CSVProvider()
    try provider.openSource(atPath: path, readOnly: true)
    var table = try #require(try CSVFileTable(path: path))
    table.lengths = (
      1 + random.below(5_000), 1 + random.below(50_000), 1_000 + random.below(30_000)
    )
    let analyzed = try #require(
      try table.analyzed(reading: Set(table.columns), defersChecks: seed % 2 == 0))
    let connection = try connection(analyzed)
    for _ in 0..<6 {
      let sql = RandomCSV.groupQuery(["n", "t", "r", "d", "b", "u"], &random)
      let actual = try Self.run(sql, connection)
      #expect(!analyzed.isContradicted)
      #expect(try actual == loaded(sql, provider), "seed \(seed): \(sql)")
    }
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

  struct Deferred: CustomTestStringConvertible, Sendable {
    let first: String
    let rest: String
    var isContradiction = true
    var testDescription: String { "\(first) … \(rest)" }
  }

  @Test(
    arguments: [
      Deferred(first: "1", rest: "2", isContradiction: false),
      Deferred(first: "1", rest: "", isContradiction: false),
      Deferred(first: "1", rest: "9007199254740993", isContradiction: false),
      Deferred(first: "x", rest: "2026-01-01", isContradiction: false),
      Deferred(first: "2.5", rest: "1", isContradiction: false),
      Deferred(first: "1", rest: "2.5"), Deferred(first: "1", rest: "x"),
      Deferred(first: "1", rest: "007"), Deferred(first: "1", rest: "12345678901234567890"),
      Deferred(first: "2.5", rest: "9007199254740993"), Deferred(first: "2.5", rest: "2.5x"),
      Deferred(first: "", rest: "1"), Deferred(first: "", rest: "x", isContradiction: false),
      Deferred(first: "true", rest: "1"), Deferred(first: "2026-01-01", rest: "2026-01-32"),
      Deferred(first: "2026-01-01", rest: "2026-01-01T10:00"),
      Deferred(first: "2026-01-01T10:00", rest: "2026-01-01", isContradiction: false),
      Deferred(first: "12345678901234567890", rest: "1", isContradiction: false),
      Deferred(first: "12345678901234567890", rest: "x"),
      Deferred(first: "1", rest: "2,3"),
    ], [true, false])
  func `contradict their first rows if a later one changes a type or is not valid`(
    _ deferred: Deferred, isGrouped: Bool
  ) throws {
    let text =
      "k,v\n" + String(repeating: "1,\(deferred.first)\n", count: 20)
      + "2,\(deferred.rest)\n" + String(repeating: "1,\(deferred.first)\n", count: 20)
    let path = try folder.write(text, to: "t.csv")
    var file = try #require(try CSVFileTable(path: path))
    file.lengths = (16, 30, 100)
    let table = try #require(try file.analyzed(reading: ["k", "v"], defersChecks: true))
    let connection = try connection(table)
    let sql = isGrouped ? "SELECT v, count(*) FROM t GROUP BY v" : "SELECT v FROM t ORDER BY v"
    let result = Swift.Result { try Self.run(sql, connection) }
    #expect(table.isContradicted == deferred.isContradiction)
    guard !deferred.isContradiction else {
      let error = #expect(throws: SQLiteError.self) { try result.get() }
      #expect(error?.message.contains("contradict the first ones") == true)
      return
    }
    let provider = CSVProvider()
    try provider.openSource(atPath: path, readOnly: true)
    #expect(try result.get() == loaded(sql, provider))
    // The rows are not checked again.
    #expect(try Self.run(sql, connection) == loaded(sql, provider))
  }

  @Test(arguments: ["GROUP BY b", ""])
  func `contradict their first rows if a later key is not greater`(_ clause: String) throws {
    let rows = (1...50).map { "\($0),x\n" }.joined()
    let path = try folder.write("id,b\n\(rows)50,y\n", to: "t.csv")
    var file = try #require(try CSVFileTable(path: path))
    file.lengths = (16, 30, 100)
    let table = try #require(try file.analyzed(reading: ["id", "b"], defersChecks: true))
    let connection = try connection(table)
    #expect(throws: SQLiteError.self) {
      try Self.run("SELECT b, max(id) FROM t \(clause)", connection)
    }
    #expect(table.isContradicted)
    #expect(try file.analyzed(reading: ["id", "b"]) == nil)
  }

  @Test func `are not contradicted if they are changed`() throws {
    let rows = String(repeating: "1,2\n", count: 50)
    let path = try folder.write("a,b\n\(rows)", to: "t.csv")
    var file = try #require(try CSVFileTable(path: path))
    file.lengths = (16, 30, 100)
    let table = try #require(try file.analyzed(reading: ["a"], defersChecks: true))
    let connection = try connection(table)
    try Data("a,b\nx,2\n\(rows)".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLiteError.self) {
      try Self.run("SELECT a, count(*) FROM t GROUP BY a", connection)
    }
    #expect(error?.message.contains("the file was changed while it was read") == true)
    #expect(!table.isContradicted)
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

  /// Queries that read all rows of the file before they return one.
  @Test(
    arguments: [
      "SELECT b, count(*), max(a) FROM t GROUP BY b", "SELECT a FROM t WHERE b = 'none'",
      "SELECT max(a) FROM t",
    ], [false, true])
  func `end within 100 ms if their query is interrupted`(_ sql: String, isDeferred: Bool) throws {
    let rows = (1...400_000).map { "\($0),group \($0 % 1_000) of rows\n" }.joined()
    let path = try folder.write("a,b\n\(rows)", to: "t.csv")
    let file = try #require(try CSVFileTable(path: path))
    let table = try #require(try file.analyzed(reading: ["a", "b"], defersChecks: isDeferred))
    let connection = try connection(table)
    let handle = connection.interruptHandle
    // The machine may be busy: the best of several attempts counts.
    var delays: [Duration] = []
    for _ in 0..<5 where delays.allSatisfy({ $0 > .milliseconds(100) }) {
      let interrupted = Mutex(ContinuousClock.now)
      let hasEnded = Mutex(false)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.05)
        interrupted.withLock { $0 = .now }
        // SQLite ignores an interrupt before the query has begun.
        while !hasEnded.withLock({ $0 }) {
          handle.interrupt()
          Thread.sleep(forTimeInterval: 0.005)
        }
        isDone.signal()
      }
      let error = #expect(throws: SQLiteError.self) { try Self.run(sql, connection) }
      let ended = ContinuousClock.now
      hasEnded.withLock { $0 = true }
      isDone.wait()
      #expect(error?.code == .interrupt)
      delays.append(interrupted.withLock { ended - $0 })
    }
    #expect(delays.contains { $0 <= .milliseconds(100) }, "\(delays)")
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
    switch random.below(20) {
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
    case 13: return "SELECT \(one()) FROM t GROUP BY \(one()) HAVING count(*) > 1 ORDER BY 1"
    default: return Self.groupQuery(names, &random)
    }
  }

  /// A query with one to three keys, aggregates of all kinds, conditions and an order.
  static func groupQuery(_ names: [String], _ random: inout SeededRandom) -> String {
    func one() -> String { "\"\(names[random.below(names.count)])\"" }
    let keys = (0...random.below(3)).map { _ in one() }
    let aggregates = (0...random.below(5)).map { _ in
      [
        "count(*)", "count(\(one()))", "count(DISTINCT \(one()))", "sum(\(one()))",
        "total(\(one()))", "avg(\(one()))", "min(\(one()))", "max(\(one()))",
        "group_concat(\(one()), '|')", "sum(\(one())) FILTER (WHERE \(one()) > 1)", one(),
        "sum(\(one()) * 2)", "max(\(one()) || 'x')",
      ][random.below(13)]
    }
    let values = ["1", "2.5", "'x'", "'k2'", "NULL", "'2026-03-10'", "-1", "100"]
    func condition() -> String {
      let comparison = ["=", "<", ">", "<=", ">=", "<>", "IS NOT"][random.below(7)]
      return "\(one()) \(comparison) \(values[random.below(values.count)])"
    }
    var sql = "SELECT \((keys + aggregates).joined(separator: ", ")) FROM t"
    if random.oneIn(2) {
      sql += " WHERE \(condition())" + (random.oneIn(3) ? " OR \(one()) IS NULL" : "")
    }
    sql += " GROUP BY \(keys.joined(separator: ", "))"
    if random.oneIn(3) {
      sql += " HAVING \(["count(*) > 1", "min(\(one())) < 3"][random.below(2)])"
    }
    if random.oneIn(2) { sql += " ORDER BY \(1 + random.below(keys.count))" }
    if random.oneIn(3), sql.contains("ORDER BY") { sql += " DESC" }
    return sql
  }
}

import Foundation
import SQLiteCore
import Testing

/// The files of a database are damaged at random. Each use of them must succeed or throw a typed
/// error.
@Suite struct `A randomly damaged file` {
  static let seed: UInt64 = 3_401_004

  enum Target: String, CaseIterable, Sendable {
    /// In the first 100 bytes; in the first 12 bytes of a page; anywhere; in a range of bytes.
    case header, pageHeader, bytes, stretch
    /// The end of the file is missing; bytes are appended.
    case cut, longer
    case log, journal

    var file: String {
      switch self {
      case .log: "test.sqlite-wal"
      case .journal: "test.sqlite-journal"
      default: "test.sqlite"
      }
    }

    func damage(_ data: inout Data, _ random: inout SeededGenerator) {
      guard !data.isEmpty else { return }
      func place(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      switch self {
      case .header:
        for _ in 0..<place(1..<4) { data[place(0..<min(100, data.count))] = UInt8(place(0..<256)) }
      case .pageHeader:
        for _ in 0..<place(1..<4) {
          let start = place(0..<data.count / 1_024) * 1_024
          data[min(start + place(0..<12), data.count - 1)] = UInt8(place(0..<256))
        }
      case .bytes, .log, .journal:
        for _ in 0..<place(1..<(self == .log ? 4 : 40)) {
          data[place(0..<data.count)] ^= UInt8(1 << place(0..<8))
        }
        if place(0..<4) == 0 { data = data.prefix(place(0..<data.count)) }
      case .stretch:
        let start = place(0..<data.count)
        let count = min(place(1..<3_000), data.count - start)
        data.replaceSubrange(start..<start + count, with: random.bytes(count))
      case .cut: data = data.prefix(place(0..<data.count))
      case .longer: data.append(contentsOf: random.bytes(place(1..<5_000)))
      }
    }
  }

  @Test(arguments: Target.allCases)
  func `is read and written with success or a typed error`(_ target: Target) throws {
    let original = try Self.files(of: target)
    let directory = try TemporaryDirectory()
    var (failures, rows) = ([SQLiteError.Code: Int](), 0)
    let count = FaultEffort.isFull ? 1_500 : 8
    for number in 0..<count {
      var random = SeededGenerator(seed: Self.seed &+ UInt64(number) &* 7_919)
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: directory.file() + suffix)
      }
      for (name, data) in original {
        var data = data
        if name == target.file { target.damage(&data, &random) }
        try data.write(to: URL(fileURLWithPath: directory.file(name)))
      }
      var attempts: [SQLiteError.Code] = []
      func attempt(_ body: () throws -> Void) {
        do { try body() } catch let error as SQLiteError {
          attempts.append(error.code.primary)
          if error.message.isEmpty { Issue.record("no message: \(error)") }
        } catch {
          Issue.record("\(target), damage \(number) of seed \(Self.seed): \(error)")
        }
      }
      attempt { rows += try Self.use(directory, attempt) }
      for code in attempts {
        failures[code, default: 0] += 1
        if !Self.expectedCodes.contains(code) {
          Issue.record("\(target), damage \(number) of seed \(Self.seed): \(code)")
        }
      }
    }
    print(
      """
      damaged files, \(target.rawValue), seed \(Self.seed): \(count), \(rows) rows read, \
      errors: \(failures)
      """)
    if target != .longer && target != .log && target != .journal { #expect(!failures.isEmpty) }
  }

  /// The codes that damage can cause. Not all of them indicate damage: a damaged schema may lack a
  /// table, and a damaged row may violate a constraint or have another type.
  static let expectedCodes: Set<SQLiteError.Code> = [
    .corrupt, .notADatabase, .ioError, .cannotOpen, .error, .constraint, .mismatch, .readOnly,
    .full, .outOfMemory, .tooBig,
  ]

  /// - Returns: The number of rows that were read.
  private static func use(
    _ directory: TemporaryDirectory, _ attempt: (() throws -> Void) -> Void
  ) throws -> Int {
    let db = try directory.connect { $0.busyTimeout = .milliseconds(10) }
    var rows = 0
    attempt { _ = try db.tables() }
    for sql in [
      "SELECT * FROM t", "SELECT id, body FROM t ORDER BY name", "SELECT * FROM v",
      "SELECT * FROM w WHERE a > 'k'", "PRAGMA integrity_check", "PRAGMA foreign_key_check",
    ] {
      attempt { try db.forEach(SQL(unsafe: sql)) { rows += try $0.values.isEmpty ? 0 : 1 } }
    }
    attempt { try db.run("INSERT INTO t (name, body) VALUES ('n', zeroblob(3000))") }
    attempt {
      try db.transaction { try db.execute("UPDATE t SET name = name || 'x' WHERE id % 2") }
    }
    attempt { try db.run("DELETE FROM w WHERE a < 'm'") }
    attempt { try db.execute("CREATE INDEX t_body ON t (body); DROP TABLE w") }
    attempt { try db.run("VACUUM") }
    attempt { try db.close() }
    return rows
  }

  /// A database with small pages: closed, or in the state after a process ended while it wrote.
  private static func files(of target: Target) throws -> [String: Data] {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.journalMode = .delete }
    try db.execute(
      """
      PRAGMA page_size = 1024; VACUUM;
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, body BLOB);
      CREATE TABLE w (a TEXT PRIMARY KEY, b REFERENCES t) WITHOUT ROWID;
      CREATE VIEW v AS SELECT name, a FROM t JOIN w ON b = id;
      CREATE TRIGGER tr AFTER DELETE ON w BEGIN UPDATE t SET body = NULL WHERE id = old.b; END;
      """)
    func fill(_ ids: ClosedRange<Int>) throws {
      for id in ids {
        let body = [UInt8](repeating: UInt8(id % 256), count: id * 37 % 2_600)
        try db.run("INSERT INTO t VALUES (?, ?, ?)", id, "name \(id)", body)
        try db.run("INSERT INTO w VALUES (?, ?)", "key \(id)", id)
      }
    }
    try db.transaction { try fill(1...60) }
    switch target {
    case .log:
      _ = try db.rows("PRAGMA journal_mode = WAL")
      for id in 61...80 { try db.transaction { try fill(id...id) } }
      return try contents(of: directory)
    case .journal:
      // Pages that exceed the cache are written before the commit, after the journal's sync.
      try db.run("PRAGMA cache_size = 2")
      var files: [String: Data] = [:]
      try? db.transaction {
        try fill(61...80)
        files = try contents(of: directory)
        throw Failure()
      }
      return files
    default:
      try db.close()
      return try contents(of: directory)
    }
  }

  private static func contents(of directory: TemporaryDirectory) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path)
    where !name.hasSuffix("-shm") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
    }
    return files
  }
}

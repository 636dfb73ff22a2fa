internal import SQLiteCore
internal import Synchronization

/// W12 to W15: fetches and inserts rows of a `Codable` struct with 5 columns and of one with 30.
enum CodableRows {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let narrow = RowFile(NarrowRow.self, fixture.file("narrow"), count: fixture.scale.rows / 2)
    let wide = RowFile(WideRow.self, fixture.file("wide"), count: fixture.scale.rows / 10)
    return [
      fetching(narrow, "W12") { try GRDBRows.fetch(NarrowRow.self, $0) },
      fetching(wide, "W13") { try GRDBRows.fetch(WideRow.self, $0) },
      inserting(narrow, "W14", to: fixture.file("narrow-copy")) { try GRDBRows.insert($0, $1) },
      inserting(wide, "W15", to: fixture.file("wide-copy")) { try GRDBRows.insert($0, $1) },
    ]
  }

  private static func fetching<Row: ColumnRow>(
    _ file: RowFile<Row>, _ name: String, grdb: @escaping @Sendable (String) throws -> Work
  ) -> Workload {
    Workload(
      name, "fetch \(file.count) rows of \(Row.columns.count) columns through Codable",
      implementations: [
        BenchmarkImplementation("Holt") { try HoltRows.fetch(Row.self, try file.made()) },
        BenchmarkImplementation("GRDB") { try grdb(try file.made()) },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "fetch Codable rows", c: nil, grdb: "GRDB")
      ])
  }

  private static func inserting<Row: ColumnRow>(
    _ file: RowFile<Row>, _ name: String, to path: String,
    grdb: @escaping @Sendable ([Row], String) throws -> Work
  ) -> Workload {
    Workload(
      name, "insert \(file.count) rows of \(Row.columns.count) columns through Codable",
      implementations: [
        BenchmarkImplementation("Holt") { try HoltRows.insert(try file.rows(), path) },
        BenchmarkImplementation("Holt, insert(encodingEach:)") {
          try HoltRows.insertEach(try file.rows(), path)
        },
        BenchmarkImplementation("GRDB") { try grdb(try file.rows(), path) },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "insert Codable rows", c: nil, grdb: "GRDB")
      ])
  }
}

/// A row of one of the tables.
protocol ColumnRow: Codable, RowDecodable, Sendable {
  /// The columns' names and SQL types.
  static var columns: [(name: String, type: String)] { get }

  /// The row's share of the checksum.
  var weight: Int { get }
}

extension ColumnRow {
  static var table: String { "\(Self.self)" }

  static var createSQL: String {
    let columns = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    return "CREATE TABLE \(table) (\(columns))"
  }

  static var selectSQL: String { "SELECT * FROM \(table)" }

  static var insertSQL: String {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(table) (\(names)) VALUES (\(marks))"
  }

  /// Returns the SQL that fills a table with suitable values. Every third value of a nullable
  /// column is NULL.
  static func fillSQL(_ count: Int) -> String {
    let values = columns.enumerated().map { place, column in
      let isOptional = !column.type.hasSuffix("NOT NULL") && place > 0
      let value =
        switch column.type.prefix(4) {
        case "INTE": place == 0 ? "i" : "i * \(place + 1) % 100000"
        case "REAL": "i / \(place).0"
        case "BOOL": "i % 2"
        default: "'text \(place) of row ' || i"
        }
      return isOptional ? "CASE WHEN (i + \(place)) % 3 THEN \(value) END" : value
    }
    return """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO \(table) SELECT \(values.joined(separator: ", ")) FROM n
      """
  }
}

struct NarrowRow: ColumnRow {
  var id: Int
  var name: String
  var price: Double
  var amount: Int
  var note: String?

  static let columns = [
    ("id", "INTEGER PRIMARY KEY"), ("name", "TEXT NOT NULL"), ("price", "REAL NOT NULL"),
    ("amount", "INTEGER NOT NULL"), ("note", "TEXT"),
  ].map { (name: $0.0, type: $0.1) }

  var weight: Int { id &+ amount &+ name.utf8.count &+ (note?.utf8.count ?? 1) }
}

struct WideRow: ColumnRow {
  var id: Int
  var firstName: String
  var lastName: String
  var email: String
  var phone: String?
  var street: String
  var houseNumber: Int
  var postalCode: String
  var city: String
  var region: String?
  var country: String
  var latitude: Double?
  var longitude: Double?
  var createdAt: Double
  var updatedAt: Double
  var lastSeenAt: Double?
  var isActive: Bool
  var isVerified: Bool
  var orderCount: Int
  var returnCount: Int
  var balance: Double
  var creditLimit: Double?
  var discount: Double
  var currency: String
  var language: String
  var timeZone: String?
  var referrer: Int?
  var manager: Int?
  var priority: Int
  var note: String?

  private static let isText = "TEXT NOT NULL", isInteger = "INTEGER NOT NULL"
  private static let isReal = "REAL NOT NULL"

  static let columns = [
    ("id", "INTEGER PRIMARY KEY"), ("firstName", isText), ("lastName", isText), ("email", isText),
    ("phone", "TEXT"), ("street", isText), ("houseNumber", isInteger), ("postalCode", isText),
    ("city", isText), ("region", "TEXT"), ("country", isText), ("latitude", "REAL"),
    ("longitude", "REAL"), ("createdAt", isReal), ("updatedAt", isReal), ("lastSeenAt", "REAL"),
    ("isActive", "BOOLEAN NOT NULL"), ("isVerified", "BOOLEAN NOT NULL"),
    ("orderCount", isInteger), ("returnCount", isInteger), ("balance", isReal),
    ("creditLimit", "REAL"), ("discount", isReal), ("currency", isText), ("language", isText),
    ("timeZone", "TEXT"), ("referrer", "INTEGER"), ("manager", "INTEGER"), ("priority", isInteger),
    ("note", "TEXT"),
  ].map { (name: $0.0, type: $0.1) }

  var weight: Int {
    id &+ houseNumber &+ orderCount &+ priority &+ (manager ?? 1) &+ email.utf8.count
      &+ city.utf8.count &+ (note?.utf8.count ?? 1) &+ (isVerified ? 1 : 0)
  }
}

/// A table of rows, created on first use.
final class RowFile<Row: ColumnRow>: Sendable {
  let count: Int
  private let path: String
  private let known = Mutex<[Row]?>(nil)

  init(_ type: Row.Type, _ path: String, count: Int) {
    self.path = path
    self.count = count
  }

  /// The path of the file.
  func made() throws -> String {
    _ = try rows()
    return path
  }

  func rows() throws -> [Row] {
    try known.withLock { known in
      if let known { return known }
      let connection = try Connection(path: path)
      try connection.transaction {
        try connection.execute(SQL(unsafe: Row.createSQL))
        try connection.run(SQL(unsafe: Row.fillSQL(count)))
      }
      let rows = try connection.fetchAll(Row.self, SQL(unsafe: Row.selectSQL))
      known = rows
      return rows
    }
  }
}

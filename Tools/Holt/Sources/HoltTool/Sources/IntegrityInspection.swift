import Primitives
import SQLiteCore

/// Checks a database for errors.
struct IntegrityInspection {
  struct Finding: Equatable {
    enum Kind: String { case integrity, reference, link, schema, text, fullText }

    var kind: Kind
    var table: String?
    var rowID: Int64?
    var column: String?
    var message: String

    var text: String { "\(kind.rawValue): \(message)" }

    var json: JSONText {
      var members: [(String, JSONText)] = [
        ("kind", .text(kind.rawValue)), ("table", .optional(table)),
        ("rowid", rowID.map { .value(.integer($0)) } ?? .null),
      ]
      if let column { members.append(("column", .text(column))) }
      return .object(members + [("message", .text(message))])
    }
  }

  private let connection: Connection
  private let limit: Int
  private let isQuick: Bool
  private(set) var findings: [Finding] = []
  /// The checks that were skipped or shortened, with the reason.
  private(set) var notes: [String] = []

  init(_ connection: Connection, limit: Int, isQuick: Bool) {
    (self.connection, self.limit, self.isQuick) = (connection, limit, isQuick)
  }

  mutating func run() throws {
    try ActivityIndicator.showing("checking the file") { try checkIntegrity() }
    try reportingDamage { inspection in
      for table in try inspection.connection.databaseSchema().tables where table.kind == .table {
        try inspection.checkReferences(of: table)
        if !inspection.isQuick { try inspection.checkText(of: table) }
      }
    }
  }

  /// Calls `body`, and reports an error of a damaged file as a finding.
  private mutating func reportingDamage(
    _ body: (inout IntegrityInspection) throws -> Void
  ) throws {
    do {
      try body(&self)
    } catch let error as SQLiteError where Self.isDamage(error) {
      // Usually a consequence of a finding that describes the damage more exactly.
      guard !findings.contains(where: { $0.kind == .integrity }) else { return }
      findings.append(Finding(kind: .integrity, message: error.message))
    }
  }

  /// Returns whether an error means that a page is damaged or can't be read.
  static func isDamage(_ error: SQLiteError) -> Bool {
    [.corrupt, .ioError].contains(error.code.primary)
  }

  /// Reports SQLite's findings, including those before a page that can't be read.
  private mutating func checkIntegrity() throws {
    let pragma = isQuick ? "quick_check" : "integrity_check"
    var messages: [String] = []
    do {
      try connection.forEach("PRAGMA \(unsafe: pragma)(\(unsafe: "\(limit)"))") { row in
        let text = try row.read(String.self, at: 0)
        messages += text.split(separator: "\n").map(String.init)
      }
    } catch let error as SQLiteError where Self.isDamage(error) {
      messages.append(error.message)
    }
    for message in messages where message != "ok" && !message.hasPrefix("***") {
      findings.append(Finding(kind: .integrity, message: message))
    }
  }

  // MARK: Text

  /// Reports texts that are not valid in UTF-8. SQLite stores any bytes, but other programs fail to
  /// read them.
  private mutating func checkText(of table: TableSchema) throws {
    guard try connection.value(String.self, "PRAGMA encoding") == "UTF-8" else { return }
    let columns = table.columns.filter { $0.kind == .stored }
    let values = columns.map {
      "CASE typeof(\(SQLName.quoted($0.name))) WHEN 'text' THEN CAST(\(SQLName.quoted($0.name)) AS BLOB) END"
    }
    let list = [table.rowIDName ?? "NULL"] + values
    let name = table.name.name
    var count = 0
    try connection.forEach(
      "SELECT \(unsafe: list.joined(separator: ", ")) FROM \(identifier: name)"
    ) { row in
      for (index, column) in columns.enumerated() {
        let isValid = try row.withOptionalBlob(at: ColumnIndex(rawValue: index + 1)) {
          $0.firstInvalidUTF8(in: 0..<$0.count) == nil
        }
        guard isValid == false else { continue }
        count += 1
        guard count <= limit else { continue }
        let rowID = try row.optionalInteger(at: 0)
        let place = rowID.map { "row \($0) of \(name)" } ?? "a row of \(name)"
        findings.append(
          Finding(
            kind: .text, table: name, rowID: rowID, column: column.name,
            message: "the text in column \(column.name) of \(place) is not valid UTF-8"))
      }
    }
    if count > limit {
      let rest = count - limit
      notes.append(
        "\(rest.counted("more text")) in \(name) \(rest == 1 ? "is" : "are") not valid UTF-8")
    }
  }

  // MARK: References

  private mutating func checkReferences(of table: TableSchema) throws {
    let name = table.name.name
    let references = table.foreignKeys
    guard !references.isEmpty else { return }
    for reference in references {
      guard try connection.table(reference.parentTable) == nil else { continue }
      findings.append(
        Finding(
          kind: .schema, table: name,
          message: "\(name) references the missing table \(reference.parentTable)"))
    }
    let violations: [Connection.ForeignKeyViolation]
    do {
      violations = try connection.foreignKeyViolations(of: name)
    } catch let error as SQLiteError where error.code.primary == .error {
      findings.append(Finding(kind: .schema, table: name, message: error.message))
      return
    }
    // A join table has only foreign keys and perhaps a primary key.
    let columns = references.flatMap(\.columns)
    let isLink =
      references.count > 1
      && table.columns.allSatisfy { column in
        column.primaryKeyPosition != nil
          || columns.contains { SQLName.isSame($0, column.name) }
      }
    for violation in violations.prefix(limit) {
      let row = violation.rowID.map { "row \($0.rawValue) of \(name)" } ?? "a row of \(name)"
      let by = violation.foreignKey.map { " via \($0.columns.joined(separator: ", "))" } ?? ""
      findings.append(
        Finding(
          kind: isLink ? .link : .reference, table: name, rowID: violation.rowID?.rawValue,
          message: "\(row) references a missing row of \(violation.parentTable)\(by)"))
    }
    if violations.count > limit {
      let rest = violations.count - limit
      notes.append(
        "\(rest.counted("more row")) of \(name) \(rest == 1 ? "references" : "reference") missing rows"
      )
    }
  }

  /// Compares the indexes of full-text tables with their content.
  ///
  /// SQLite's `integrity-check` command has the form of an insert. It changes nothing, but the
  /// transaction is rolled back nevertheless.
  mutating func checkFullText(path: String) throws {
    try reportingDamage { try $0.checkFullTextTables(path: path) }
  }

  private mutating func checkFullTextTables(path: String) throws {
    let tables = try connection.databaseSchema().tables.filter { table in
      ["fts3", "fts4", "fts5"].contains { SQLName.isSame(table.module?.name ?? "", $0) }
    }
    guard !tables.isEmpty else { return }
    let writer: Connection
    do {
      var configuration = Configuration.writing(path)
      configuration.createsFile = false
      writer = try Connection(path: path, configuration: configuration)
      try writer.execute("BEGIN IMMEDIATE")
    } catch {
      notes.append(
        "full-text indexes were not checked because the file can't be written: \(Failure(error).message)"
      )
      return
    }
    defer { try? writer.execute("ROLLBACK") }
    for table in tables {
      let name = SQLName.quoted(table.name.name)
      do {
        // With a rank, FTS5 also checks an external content table.
        let isDeep =
          SQLName.isSame(table.module?.name ?? "", "fts5") && table.module?.option("content") != ""
        try writer.run(
          isDeep
            ? "INSERT INTO \(unsafe: name) (\(unsafe: name), rank) VALUES ('integrity-check', 1)"
            : "INSERT INTO \(unsafe: name) (\(unsafe: name)) VALUES ('integrity-check')")
      } catch {
        findings.append(
          Finding(
            kind: .fullText, table: table.name.name,
            message: "the index of \(table.name.name) does not match its content: \(error.message)")
        )
      }
    }
  }
}

import SQLiteCore

/// Checks a database for errors.
struct IntegrityInspection {
  struct Finding: Equatable {
    enum Kind: String { case integrity, reference, link, schema, fullText }

    var kind: Kind
    var table: String?
    var rowID: Int64?
    var message: String

    var text: String { "\(kind.rawValue): \(message)" }

    var json: JSONText {
      .object([
        ("kind", .text(kind.rawValue)), ("table", .optional(table)),
        ("rowid", rowID.map { .value(.integer($0)) } ?? .null), ("message", .text(message)),
      ])
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
    let faults = try ActivityIndicator.showing("checking the file") {
      isQuick
        ? try connection.quickCheck(maximumErrors: limit)
        : try connection.integrityCheck(maximumErrors: limit)
    }
    findings += faults.map { Finding(kind: .integrity, message: $0) }
    for table in try connection.databaseSchema().tables where table.kind == .table {
      try checkReferences(of: table)
    }
  }

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
  mutating func checkFullText(path: String, isFile: Bool) throws {
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

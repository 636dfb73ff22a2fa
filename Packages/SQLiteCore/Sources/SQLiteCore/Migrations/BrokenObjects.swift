extension Connection {
  /// Returns the error messages of the views, triggers and full-text tables that refer to missing objects, by name.
  ///
  /// SQLite itself reports them only when they are used. The statements are compiled but not run. Temporary objects can
  /// refer to any database.
  func brokenObjects(in schema: String) throws -> [String: String] {
    let isTemporary = schema.isEqualIgnoringASCIICase("temp")
    var broken = isTemporary ? [:] : try brokenObjects(in: "temp")
    let prefix = isTemporary ? "temp." : ""
    func attempt(_ sql: String, as name: String) {
      do throws(SQLiteError) {
        _ = try prepare(SQL(unsafe: sql))
      } catch {
        broken[name] = error.message
      }
    }
    func qualified(_ name: String) -> String {
      SQLName.quoted(schema) + "." + SQLName.quoted(name)
    }
    for view in try views(in: schema) {
      attempt("SELECT * FROM \(qualified(view.name))", as: "view \(prefix)\(view.name)")
    }
    for trigger in try triggers(in: schema) {
      // A temporary trigger can belong to a table in another database.
      let table = isTemporary ? SQLName.quoted(trigger.table) : qualified(trigger.table)
      let name = "trigger \(prefix)\(trigger.name)"
      switch trigger.event {
      case .insert: attempt("INSERT INTO \(table) DEFAULT VALUES", as: name)
      case .delete: attempt("DELETE FROM \(table)", as: name)
      case .update:
        let columns = try settableColumns(of: trigger, in: schema)
        if columns.isEmpty { continue }
        let sets = columns.map { "\(SQLName.quoted($0)) = NULL" }.joined(separator: ", ")
        attempt("UPDATE \(table) SET \(sets)", as: name)
      }
    }
    for table in try tables(in: schema) where table.kind == .virtual {
      guard let module = table.module, module.isFullText,
        let content = module.option("content"), !content.isEmpty
      else { continue }
      let key = module.option("content_rowid") ?? "rowid"
      let columns = table.columns.filter { $0.kind != .hidden }.map(\.name)
      let names = ([key] + columns).map(SQLName.quoted).joined(separator: ", ")
      attempt("SELECT \(names) FROM \(qualified(content))", as: "full-text table \(table.name)")
    }
    return broken
  }

  /// Returns the columns whose update fires a trigger, and which an `UPDATE` can set.
  private func settableColumns(of trigger: DatabaseSchema.Trigger, in schema: String) throws
    -> [String]
  {
    if !trigger.columns.isEmpty { return trigger.columns }
    let columns = (try? columns(of: trigger.table, in: schema)) ?? []
    return columns.filter { $0.kind == .stored }.map(\.name)
  }

  /// Throws an error if objects are broken that were not broken before.
  func checkNoNewBrokenObjects(since before: [String: String], in schema: String) throws {
    let new = try brokenObjects(in: schema).filter { before[$0.key] == nil }
      .sorted { $0.key < $1.key }
    guard let first = new.first else { return }
    throw SQLiteError(
      code: .brokenSchema,
      message: "the change would break \(new.map(\.key).joined(separator: ", ")): \(first.value)"
    )
  }
}

/// The foreign key violations before a change. The change must not add any.
struct ForeignKeyViolationBaseline {
  private struct Key: Hashable {
    let check: ExactText
    let table: String
    let rowID: Int64?
    let parent: String

    var withoutRowID: Key { Key(check: check, table: table, rowID: nil, parent: parent) }
  }

  private var counts: [Key: Int] = [:]

  /// Creates an empty baseline.
  init() {}

  /// - Parameter checks: The `PRAGMA` statements that list the violations.
  init(_ checks: [String], on connection: Connection) throws {
    for check in checks {
      do {
        try connection.forEach(SQL(unsafe: check)) {
          counts[try Self.key($0, check), default: 0] += 1
        }
      } catch let error as SQLiteError where error.code.primary == .error {
        // The foreign key does not match its parent, which the change may repair.
      }
    }
  }

  /// Throws an error if there are violations that are not in the baseline.
  ///
  /// - Parameter keepsRowIDs: Whether rows in violation have kept their rowids.
  func checkNoNewViolations(
    _ checks: [String], keepsRowIDs: Bool = true, on connection: Connection
  ) throws {
    var remaining = counts
    if !keepsRowIDs {
      remaining = [:]
      for (key, count) in counts { remaining[key.withoutRowID, default: 0] += count }
    }
    for check in checks {
      try connection.forEach(SQL(unsafe: check)) { row in
        let key = try Self.key(row, check)
        let countedKey = keepsRowIDs ? key : key.withoutRowID
        if let count = remaining[countedKey], count > 0 {
          remaining[countedKey] = count - 1
        } else {
          throw try Connection.foreignKeyError(row)
        }
      }
    }
  }

  private static func key(
    _ row: borrowing Row, _ check: String
  ) throws(SQLiteError) -> Key {
    Key(
      check: ExactText(check), table: try row.read(at: 0), rowID: try row.read(at: 1),
      parent: try row.read(at: 2))
  }
}

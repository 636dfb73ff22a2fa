/// The statements that read and write a table's rows.
///
/// Each has a parameter for each value, in the order of ``TableSchema/writableColumns`` or of the columns that are named. A table of
/// `main` is named without its database, so that a temporary table of the same name is used instead, as in SQL that is written by
/// hand.
extension TableSchema {
  /// Names as they are written in SQL, with commas between them.
  private static func list(_ names: [String]) -> String {
    names.map(SQLName.quoted).joined(separator: ", ")
  }

  /// Joins fragments; as text that is not scanned again if none of them has interpolations.
  private static func joined(_ parts: [SQL], separator: String = "") -> SQL {
    if parts.allSatisfy(\.isPlain) {
      return SQL(unsafe: parts.map(\.text).joined(separator: separator))
    }
    return parts.joined(separator: SQL(unsafe: separator))
  }

  private var source: String {
    let isMain = name.schema.isEqualIgnoringASCIICase("main")
    return (isMain ? "" : SQLName.quoted(name.schema) + ".") + SQLName.quoted(name.name)
  }

  /// `SELECT "book"."id", "book"."title" FROM "book"`: the columns of every row, without hidden ones.
  ///
  /// - Parameter rows: A table expression that is named like the table, to read instead of it.
  public func selectSQL(from rows: SQL? = nil) -> SQL {
    let table = SQLName.quoted(name.name)
    let names = columns.filter { $0.kind != .hidden }.map { "\(table).\(SQLName.quoted($0.name))" }
    let select = SQL(unsafe: "SELECT \(names.joined(separator: ", ")) FROM ")
    return Self.joined([select, rows ?? SQL(unsafe: source)])
  }

  /// `INSERT INTO "book" ("id", "title") VALUES (?, ?)`.
  public var insertSQL: SQL {
    let names = writableColumns.map(\.name)
    if names.isEmpty { return SQL(unsafe: "INSERT INTO \(source) DEFAULT VALUES") }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return SQL(unsafe: "INSERT INTO \(source) (\(Self.list(names))) VALUES (\(marks))")
  }

  /// `INSERT INTO "book" … ON CONFLICT ("id") DO UPDATE SET "title" = excluded."title"`.
  ///
  /// - Parameters:
  ///   - target: The columns of the key by which an existing row is found; those of the primary key by default.
  ///   - condition: The condition of a partial index.
  ///   - columns: The columns of an existing row that get the new values; all outside of `target` by default.
  ///   - assignments: What is assigned in an existing row besides. If nothing is assigned, the row stays as it is.
  public func upsertSQL(
    onConflict target: [String]? = nil, where condition: SQL? = nil,
    updating columns: [String]? = nil,
    set assignments: [SQL] = []
  ) -> SQL {
    let target = target ?? primaryKey.map(\.name)
    let others = writableColumns.map(\.name).filter { name in
      !target.contains { $0.isEqualIgnoringASCIICase(name) }
    }
    let changes =
      (columns ?? others).map(SQLName.quoted).map { SQL(unsafe: "\($0) = excluded.\($0)") }
      + assignments
    var parts = [insertSQL, SQL(unsafe: " ON CONFLICT (\(Self.list(target)))")]
    if let condition { parts += [" WHERE ", condition] }
    parts +=
      changes.isEmpty
      ? [" DO NOTHING"] : [" DO UPDATE SET ", Self.joined(changes, separator: ", ")]
    return Self.joined(parts)
  }

  /// `UPDATE "book" SET "title" = ? WHERE "id" = ?`.
  ///
  /// - Parameters:
  ///   - columns: The columns that get a new value, in the order of their parameters.
  ///   - assignments: What is assigned besides.
  ///   - condition: Which rows are updated; by default the row of a key.
  public func updateSQL(
    _ columns: [String], set assignments: [SQL] = [], where condition: SQL? = nil
  ) -> SQL {
    let changes = columns.map { SQL(unsafe: "\(SQLName.quoted($0)) = ?") } + assignments
    return Self.joined([
      SQL(unsafe: "UPDATE \(source) SET "), Self.joined(changes, separator: ", "), " WHERE ",
      condition ?? keyCondition,
    ])
  }

  /// `DELETE FROM "book" WHERE "id" = ?`.
  ///
  /// - Parameter condition: Which rows are deleted; by default the row of a key.
  public func deleteSQL(where condition: SQL? = nil) -> SQL {
    Self.joined([SQL(unsafe: "DELETE FROM \(source) WHERE "), condition ?? keyCondition])
  }

  /// `"id" = ?`: a condition for the row of a primary key, with a parameter for each of the key's columns.
  public var keyCondition: SQL {
    SQL(unsafe: primaryKey.map { "\(SQLName.quoted($0.name)) = ?" }.joined(separator: " AND "))
  }
}

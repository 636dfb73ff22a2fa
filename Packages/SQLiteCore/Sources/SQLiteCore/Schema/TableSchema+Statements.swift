/// The statements that read and write a table's rows.
///
/// A statement has one parameter per value, in the order of ``TableSchema/writableColumns`` or of the columns that are
/// passed. A table of `main` is not qualified with its schema. As in handwritten SQL, a temporary table with the same
/// name takes precedence.
extension TableSchema {
  /// Returns quoted names, separated by commas.
  private static func list(_ names: [String]) -> String {
    names.map(SQLName.quoted).joined(separator: ", ")
  }

  private var source: String {
    let isMain = name.schema.isEqualIgnoringASCIICase("main")
    return (isMain ? "" : SQLName.quoted(name.schema) + ".") + SQLName.quoted(name.name)
  }

  /// `SELECT "book"."id", "book"."title" FROM "book"`: the columns of every row, except hidden columns.
  ///
  /// - Parameter rows: A table expression to read instead of the table. Its name must be the table's name.
  public func selectSQL(from rows: SQL? = nil) -> SQL {
    let table = SQLName.quoted(name.name)
    let names = columns.filter { $0.kind != .hidden }.map { "\(table).\(SQLName.quoted($0.name))" }
    let select = SQL(unsafe: "SELECT \(names.joined(separator: ", ")) FROM ")
    return [select, rows ?? SQL(unsafe: source)].joined(separator: "")
  }

  /// `INSERT INTO "book" ("id", "title") VALUES (?, ?)`.
  public var insertSQL: SQL {
    let names = writableColumns.map(\.name)
    if names.isEmpty { return SQL(unsafe: "INSERT INTO \(source) DEFAULT VALUES") }
    let parameters = names.map { _ in "?" }.joined(separator: ", ")
    return SQL(unsafe: "INSERT INTO \(source) (\(Self.list(names))) VALUES (\(parameters))")
  }

  /// `INSERT INTO "book" … ON CONFLICT ("id") DO UPDATE SET "title" = excluded."title"`.
  ///
  /// - Parameters:
  ///   - target: The columns of the key that identifies an existing row; the primary key by default.
  ///   - condition: The condition of a partial index.
  ///   - columns: The columns of an existing row that are set to the new values; all columns not in `target` by
  ///     default.
  ///   - assignments: Further assignments to an existing row. Without any column or assignment, the row is left
  ///     unchanged.
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
      ? [" DO NOTHING"] : [" DO UPDATE SET ", changes.joined(separator: ", ")]
    return parts.joined(separator: "")
  }

  /// `UPDATE "book" SET "title" = ? WHERE "id" = ?`.
  ///
  /// - Parameters:
  ///   - columns: The columns to set, in the order of their parameters.
  ///   - assignments: Further assignments.
  ///   - condition: The condition of the rows to update; by default ``keyCondition``.
  public func updateSQL(
    _ columns: [String], set assignments: [SQL] = [], where condition: SQL? = nil
  ) -> SQL {
    let changes = columns.map { SQL(unsafe: "\(SQLName.quoted($0)) = ?") } + assignments
    let parts: [SQL] = [
      SQL(unsafe: "UPDATE \(source) SET "), changes.joined(separator: ", "), " WHERE ",
      condition ?? keyCondition,
    ]
    return parts.joined(separator: "")
  }

  /// `DELETE FROM "book" WHERE "id" = ?`.
  ///
  /// - Parameter condition: The condition of the rows to delete; by default ``keyCondition``.
  public func deleteSQL(where condition: SQL? = nil) -> SQL {
    [SQL(unsafe: "DELETE FROM \(source) WHERE "), condition ?? keyCondition].joined(separator: "")
  }

  /// `"id" = ?`: the condition that selects a row by its primary key, with one parameter per key column.
  public var keyCondition: SQL {
    SQL(unsafe: primaryKey.map { "\(SQLName.quoted($0.name)) = ?" }.joined(separator: " AND "))
  }
}

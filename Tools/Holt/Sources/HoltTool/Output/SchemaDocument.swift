import SQLiteCore

/// A description of a schema as Markdown or JSON.
struct SchemaDocument {
  private let schema: DatabaseSchema
  private let tables: [(schema: TableSchema, rowCount: Int)]

  /// - Parameter rowCounts: The numbers of rows of tables that are empty in the database.
  init(_ connection: Connection, rowCounts: [String: Int] = [:]) throws {
    schema = try connection.databaseSchema()
    tables = try schema.tables.map { table in
      let name = table.name.name
      if let count = rowCounts[name] { return (table, count) }
      let count = try connection.value(Int.self, "SELECT count(*) FROM \(identifier: name)")
      return (table, count ?? 0)
    }
  }

  // MARK: Markdown

  var markdown: String {
    var text = "# Schema\n"
    for table in tables { text += markdown(table) }
    if !schema.views.isEmpty {
      text += "\n## Views\n"
      for view in schema.views {
        text += "\n### \(Self.cell(view.name))\n\n```sql\n\(view.sql)\n```\n"
      }
    }
    if !schema.triggers.isEmpty {
      text += "\n## Triggers\n\n| trigger | table | fires |\n| --- | --- | --- |\n"
      for trigger in schema.triggers {
        let columns =
          trigger.columns.isEmpty ? "" : " of \(trigger.columns.joined(separator: ", "))"
        let when = trigger.timing == .insteadOf ? "instead of" : trigger.timing.rawValue
        text +=
          "| \(Self.cell(trigger.name)) | \(Self.cell(trigger.table)) | "
          + "\(when) \(trigger.event.rawValue)\(Self.cell(columns)) |\n"
      }
    }
    return text
  }

  private func markdown(_ table: (schema: TableSchema, rowCount: Int)) -> String {
    var text = """

      ## \(Self.cell(table.schema.name.name))

      \(table.rowCount.counted("row"))\(notes(table.schema))

      | column | type | null | default | key |
      | --- | --- | --- | --- | --- |

      """
    for column in table.schema.columns where column.kind != .hidden {
      let isKey = column.primaryKeyPosition != nil
      let references = table.schema.foreignKeys.filter { reference in
        reference.columns.contains { SQLName.isSame($0, column.name) }
      }.map { "→ \($0.parentTable)\(parentColumns($0))" }
      let keys = ((isKey ? ["primary"] : []) + references).joined(separator: ", ")
      let formula = column.generatedSQL.map { "= \($0)" } ?? column.defaultSQL ?? ""
      text +=
        "| \(Self.cell(column.name)) | \(Self.cell(column.declaredType)) | "
        + "\(column.isNotNull || isKey ? "" : "yes") | \(Self.cell(formula)) | \(Self.cell(keys)) |\n"
    }
    let indexes = table.schema.indexes.filter { $0.origin != .primaryKey }
    for index in indexes {
      let parts = index.keys.map { $0.column ?? $0.expressionSQL ?? "?" }.joined(separator: ", ")
      let name = index.origin == .statement ? "`\(index.name)`: " : ""
      let condition = index.whereSQL.map { " where \($0)" } ?? ""
      text +=
        "\(index == indexes.first ? "\n" : "")- \(name)\(index.isUnique ? "unique" : "index") on "
        + "\(Self.cell(parts + condition))\n"
    }
    return text
  }

  private func notes(_ table: TableSchema) -> String {
    var notes: [String] = []
    if let module = table.module { notes.append("virtual: \(module.name)") }
    if table.isStrict { notes.append("strict") }
    if table.isWithoutRowID { notes.append("without rowid") }
    return notes.isEmpty ? "" : ", " + notes.joined(separator: ", ")
  }

  private func parentColumns(_ reference: TableSchema.ForeignKey) -> String {
    reference.parentColumns.isEmpty ? "" : "(\(reference.parentColumns.joined(separator: ", ")))"
  }

  private static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  // MARK: JSON

  var json: String {
    JSONText.object([
      ("tables", .array(tables.map { json($0) })),
      (
        "views",
        .array(schema.views.map { .object([("name", .text($0.name)), ("sql", .text($0.sql))]) })
      ),
      (
        "triggers",
        .array(
          schema.triggers.map {
            .object([
              ("name", .text($0.name)), ("table", .text($0.table)),
              ("timing", .text($0.timing.rawValue)), ("event", .text($0.event.rawValue)),
              ("sql", .text($0.sql)),
            ])
          })
      ),
    ]).description
  }

  private func json(_ table: (schema: TableSchema, rowCount: Int)) -> JSONText {
    .object([
      ("name", .text(table.schema.name.name)), ("kind", .text(table.schema.kind.rawValue)),
      ("rows", .integer(table.rowCount)), ("strict", .bool(table.schema.isStrict)),
      ("withoutRowID", .bool(table.schema.isWithoutRowID)),
      ("sql", .optional(table.schema.sql)),
      ("columns", .array(table.schema.columns.filter { $0.kind != .hidden }.map(json))),
      (
        "references",
        .array(
          table.schema.foreignKeys.map {
            .object([
              ("columns", .array($0.columns.map(JSONText.text))),
              ("table", .text($0.parentTable)),
              ("parentColumns", .array($0.parentColumns.map(JSONText.text))),
              ("onUpdate", .text($0.onUpdate)), ("onDelete", .text($0.onDelete)),
            ])
          })
      ),
      (
        "indexes",
        .array(
          table.schema.indexes.map {
            .object([
              ("name", .text($0.name)), ("unique", .bool($0.isUnique)),
              ("columns", .array($0.columns.map { JSONText.optional($0) })),
              ("where", .optional($0.whereSQL)), ("sql", .optional($0.sql)),
            ])
          })
      ),
    ])
  }

  private func json(_ column: TableSchema.Column) -> JSONText {
    .object([
      ("name", .text(column.name)), ("type", .text(column.declaredType)),
      ("notNull", .bool(column.isNotNull)), ("default", .optional(column.defaultSQL)),
      ("primaryKey", .optional(column.primaryKeyPosition)),
      ("generated", .optional(column.generatedSQL)),
    ])
  }
}

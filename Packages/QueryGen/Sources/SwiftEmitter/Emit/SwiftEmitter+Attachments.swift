internal import Primitives
import QueryModel

/// Generates the attached databases and the temporary objects of each connection.
extension SwiftEmitter {
  /// Generates the struct of the attached databases' locations.
  func attachmentTypes(
    _ attachments: [AttachmentDefinition], _ type: String, _ writer: inout SwiftWriter
  ) {
    let names = UniqueNames.members(for: attachments.map(\.schema), fallback: "database")
      .map { $0 == "databases" ? "databases_" : $0 }
    let fields = zip(names, attachments).map { name, attachment in
      Field(
        name: name, type: "Database.Location",
        documentation: "The location of the database `\(attachment.schema)`"
          + (attachment.type.map { ", which `\($0)` describes." } ?? "."))
    }
    writer.line()
    writer.documentation(
      """
      The locations of the databases that the SQL uses in addition to its own.

      They are migrated when a database is opened, and attached to each connection.
      """)
    writer.block("\(typeAccess)struct \(type): DatabaseAttachments") { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
      writer.line()
      writer.documentation("The databases, in the order in which they are attached.")
      writer.block("\(access)var databases: [Queries.AttachedDatabase]") { writer in
        writer.line("[")
        writer.indented { writer in
          for (field, attachment) in zip(fields, attachments) {
            write(attachment, field, end: attachments.count > 1 ? ")," : ")", &writer)
          }
        }
        writer.line("]")
      }
    }
  }

  private func write(
    _ attachment: AttachmentDefinition, _ field: Field, end: String, _ writer: inout SwiftWriter
  ) {
    let head = [
      "name: \(StringLiteral.singleLine(attachment.schema))", "location: self.\(field.name)",
    ]
    if let type = attachment.type {
      writer.call("Queries.AttachedDatabase(", head + ["migrations: \(type).migrations"], end)
      return
    }
    writer.line("Queries.AttachedDatabase(")
    writer.indented { writer in
      writer.line(head.joined(separator: ", ") + ",")
      writer.line("migrations:")
      writer.indented { migrations(attachment.migrations, &$0) }
    }
    writer.line(end)
  }

  /// Generates the statements that create the temporary objects of each connection.
  func temporaryScripts(_ scripts: [MigrationDefinition], _ writer: inout SwiftWriter) {
    writer.documentation("The scripts that create the temporary objects of each connection.")
    writer.block("\(access)static var temporaryScripts: [SQL]") { writer in
      writer.line("[")
      writer.indented { writer in
        for script in scripts { writer.literal("", script.sql, scripts.count > 1 ? "," : "") }
      }
      writer.line("]")
    }
    writer.line()
  }
}

extension Project {
  /// The tables for which structs are generated: all tables of the database itself, and the attached
  /// tables whose columns the queries use.
  var tablesWithStructs: [TableDefinition] {
    let attached = Set(attachments.map(\.schema.asciiLowercased))
    guard !attached.isEmpty else { return tables }
    var used: Set<String> = []
    var pending = files.flatMap(\.queries).flatMap(\.tablesInSwift)
    pending += tables.filter { $0.schema == nil || $0.schema == "temp" }.flatMap(\.originTables)
    let byName = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    while let name = pending.popLast() {
      guard used.insert(name).inserted else { continue }
      pending += byName[name]?.originTables ?? []
    }
    return tables.filter { table in
      used.contains(table.name) || !(table.schema.map(attached.contains) ?? false)
    }
  }
}

extension TableDefinition {
  /// The tables from which the columns of a view originate.
  fileprivate var originTables: [String] { columns.flatMap(\.origins).map(\.table) }
}

extension QueryDefinition {
  /// The tables whose structs or columns are part of the query's Swift types.
  fileprivate var tablesInSwift: [String] {
    var names = parameters.flatMap { parameter in
      (parameter.origins + parameter.columns.flatMap(\.origins)
        + parameter.filterColumns.flatMap(\.origins)).map(\.table)
        + [parameter.table].compactMap(\.self)
    }
    switch result {
    case .none: break
    case .table(let table): names.append(table)
    case .columns(let columns): names += columns.flatMap(\.origins).map(\.table)
    case .fields(let fields):
      for field in fields {
        switch field {
        case .column(let column): names += column.origins.map(\.table)
        case .table(let table): names.append(table.table)
        }
      }
    }
    return names
  }
}

import QueryModel

extension SwiftEmitter {
  /// A table's struct, and the enums of its columns.
  func tableTypes(_ table: TableDefinition, _ named: NamedProject, _ writer: inout SwiftWriter) {
    guard let type = named.tableTypes[table.name] else { return }
    let fields = RowField.fields(of: table, named)
    let kind = table.kind == .view ? "view" : "table"
    writer.documentation(
      table.documentation ?? "A row of the \(kind) `\(table.name)`.")
    let identity = Identity(table, fields)
    var conformances = ["Hashable", "Sendable"]
    if identity != nil { conformances.insert("Identifiable", at: 1) }
    if isCodable(table) { conformances.insert("Codable", at: 0) }
    rowStruct(
      type, conformances, fields, added: addedProperties(of: table),
      isEmbedded: named.embedded.contains(table.name), &writer
    ) { writer in
      identity.map { self.identity($0, fields, &writer) }
    }
    for enumeration in named.types.enumerations[table.name] ?? [] {
      writer.line()
      self.enumeration(enumeration, &writer)
    }
  }

  private func addedProperties(of table: TableDefinition) -> [AddedProperty] {
    options.tables[table.name.asciiLowercased]?.properties ?? []
  }

  func isCodable(_ table: TableDefinition) -> Bool {
    options.tables[table.name.asciiLowercased]?.isCodable ?? options.isCodable
  }

  /// What makes a row `Identifiable`: its primary key.
  private enum Identity {
    /// The property `id` itself.
    case property
    /// A property of another name.
    case alias(RowField)
    /// Several properties.
    case several([RowField])

    init?(_ table: TableDefinition, _ fields: [RowField]) {
      let key = table.primaryKey.compactMap { name in
        table.columns.firstIndex { $0.name == name }.map { fields[$0] }
      }
      guard !key.isEmpty, key.count == table.primaryKey.count,
        !key.contains(where: \.field.isOptional)
      else { return nil }
      if key.count == 1, key[0].field.name == "id" {
        self = .property
      } else if fields.contains(where: { $0.field.name == "id" }) {
        return nil
      } else {
        self = key.count == 1 ? .alias(key[0]) : .several(key)
      }
    }
  }

  private func identity(
    _ identity: Identity, _ fields: [RowField], _ writer: inout SwiftWriter
  ) {
    switch identity {
    case .property: break
    case .alias(let key):
      writer.line()
      writer.documentation("The primary key.")
      writer.line("\(access)var id: \(key.field.type) { \(key.field.escaped) }")
    case .several(let key):
      writer.line()
      writer.documentation("The primary key.")
      writer.block("\(access)var id: ID") { writer in
        writer.call(
          "ID(", key.map { "\($0.field.label): \($0.field.escaped)" }, ")")
      }
      writer.line()
      writer.documentation("What tells one row from another.")
      writer.block("\(typeAccess)struct ID: Hashable, Sendable") { writer in
        properties(key.map(\.field), &writer)
        writer.line()
        memberwise(key.map(\.field), &writer)
      }
    }
  }

  private func enumeration(_ enumeration: TypeCatalog.Enumeration, _ writer: inout SwiftWriter) {
    let column = "\(enumeration.column.table).\(enumeration.column.column)"
    writer.documentation(
      """
      What `\(column)` can hold.

      Reading anything else is an error that names the table and the column.
      """)
    let isText = enumeration.cases.allSatisfy { if case .text = $0.value { true } else { false } }
    let conformances = isText ? "String, SQLiteEnumeration" : "Int, SQLiteIntegerEnumeration"
    writer.block("\(typeAccess)enum \(enumeration.type): \(conformances)") { writer in
      for item in enumeration.cases {
        let name = SwiftKeywords.escaped(item.name)
        switch item.value {
        case .text(item.name): writer.line("case \(name)")
        case .text(let text): writer.line("case \(name) = \(StringLiteral.rawValue(text))")
        case .integer(let integer): writer.line("case \(name) = \(integer)")
        }
      }
    }
  }
}

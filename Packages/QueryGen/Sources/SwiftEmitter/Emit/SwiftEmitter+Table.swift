internal import Primitives
import QueryModel

extension SwiftEmitter {
  /// Generates a table's struct, and the enums of its columns.
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

  private func addedProperties(of table: TableDefinition) -> [AdditionalProperty] {
    options.tables[table.name.asciiLowercased]?.properties ?? []
  }

  func isCodable(_ table: TableDefinition) -> Bool {
    options.tables[table.name.asciiLowercased]?.isCodable ?? options.isCodable
  }

  /// The `Identifiable` conformance of a row, which is based on the primary key.
  private enum Identity {
    /// The property is already named `id`.
    case property
    /// One property with another name.
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
      writer.documentation("The primary key of a row.")
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
      The values of `\(column)`.

      Reading any other value throws an error that names the table and the column.
      """)
    let isText = enumeration.cases.allSatisfy { if case .text = $0.value { true } else { false } }
    self.enumeration(
      enumeration, isText ? "String, SQLiteEnumeration" : "Int, SQLiteIntegerEnumeration", &writer)
  }

  /// Generates an enum with a case for each value.
  func enumeration(
    _ enumeration: TypeCatalog.Enumeration, _ conformances: String, _ writer: inout SwiftWriter
  ) {
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

extension SwiftEmitter {
  /// Generates a struct that is read from a row, column by column.
  ///
  /// - Parameters:
  ///   - conformances: The protocols, in addition to those of every such struct.
  ///   - added: Properties that are not columns.
  ///   - isEmbedded: Whether the struct is also read from a part of a row.
  ///   - more: Adds further members.
  func rowStruct(
    _ name: String, _ conformances: [String], _ fields: [RowField],
    added: [AdditionalProperty] = [],
    isEmbedded: Bool = false, _ writer: inout SwiftWriter,
    more: (inout SwiftWriter) -> Void = { _ in }
  ) {
    let all = conformances + [runtime.rowDecodable]
    writer.block("\(typeAccess)struct \(name): \(all.joined(separator: ", "))") { writer in
      properties(fields.map(\.field), &writer)
      for property in added {
        writer.line("\(access)var \(SwiftKeywords.escaped(property.name)): \(property.value)")
      }
      if conformances.contains("Codable"), options.codingKeys == .columns {
        writer.line()
        codingKeys(fields, added, &writer)
      }
      writer.line()
      memberwise(fields.map(\.field), &writer)
      writer.line()
      writer.documentation("Reads the columns by index.")
      // Passed to the memberwise initializer, the values are read in place; assigned to properties
      // one by one, the whole value would be copied again.
      writer.block(
        "\(access)init(row: borrowing \(runtime.row)) throws(\(runtime.error))"
      ) { writer in
        if isEmbedded {
          writer.line("try self.init(row: row, from: 0)")
        } else {
          initialize(fields.map { ($0.field, $0.read) }, &writer)
        }
      }
      if isEmbedded {
        writer.line()
        writer.documentation("Reads the columns beginning at index `first`.")
        writer.block(
          "\(access)init(row: borrowing Row, from first: Int) throws(SQLiteError)"
        ) { writer in
          initialize(fields.map { ($0.field, $0.readFromFirst) }, &writer)
        }
      }
      more(&writer)
    }
  }

  /// Generates coding keys with the columns' names.
  private func codingKeys(
    _ fields: [RowField], _ added: [AdditionalProperty], _ writer: inout SwiftWriter
  ) {
    var unique = UniqueNames()
    let keys =
      fields.map { ($0.field.escaped, $0.field.name, unique.take($0.columnName ?? $0.field.name)) }
      + added.map { (SwiftKeywords.escaped($0.name), $0.name, unique.take($0.name)) }
    writer.block("private enum CodingKeys: String, CodingKey") { writer in
      for (name, plain, key) in keys {
        writer.line("case \(name)" + (plain == key ? "" : " = \(StringLiteral.rawValue(key))"))
      }
    }
  }

  /// Generates a call of the memberwise initializer.
  func initialize(_ values: [(Field, String)], _ writer: inout SwiftWriter) {
    writer.line("self.init(")
    writer.indented { writer in
      for (index, (field, value)) in values.enumerated() {
        let end = index + 1 == values.count ? ")" : ","
        writer.line("\(field.label): \(value)\(end)")
      }
    }
  }

  /// Generates a struct of a query's parameters.
  func inputStruct(
    _ name: String, _ fields: [Field], isCodable: Bool, _ writer: inout SwiftWriter
  ) {
    let conformances = isCodable ? "Codable, Hashable, Sendable" : "Hashable, Sendable"
    writer.block("\(typeAccess)struct \(name): \(conformances)") { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
    }
  }

  func properties(_ fields: [Field], _ writer: inout SwiftWriter) {
    for field in fields {
      if let documentation = field.documentation { writer.documentation(documentation) }
      writer.line("\(access)var \(field.escaped): \(field.type)")
    }
  }

  func memberwise(_ fields: [Field], _ writer: inout SwiftWriter) {
    writer.signature("\(access)init(", fields.map(\.optionalParameter), ") {")
    writer.indented { writer in
      for field in fields { writer.line("self.\(field.name) = \(field.escaped)") }
    }
    writer.line("}")
  }
}

extension RowField {
  /// The code that reads the property, if the table's columns begin at `first`.
  fileprivate var readFromFirst: String {
    guard case .column(let value) = content else { return read }
    let place = columns.lowerBound
    return value.read(at: "ColumnIndex(\(place == 0 ? "first" : "first + \(place)"))")
  }
}

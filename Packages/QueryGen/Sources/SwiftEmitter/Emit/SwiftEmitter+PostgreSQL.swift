import QueryModel

/// Code for PostgreSQL.
extension SwiftEmitter {
  /// Generates the property of a query and the type that executes it.
  func postgreSQLImplementation(
    _ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter
  ) {
    let definition = query.definition
    writer.block("nonisolated extension \(options.databaseName)") { writer in
      if let documentation = definition.documentation { writer.documentation(documentation) }
      let property = "\(access)var \(SwiftKeywords.escaped(query.property)): \(query.statement)"
      writer.line("\(property) { .init(database: database, checks: checks) }")
      writer.line()
      writer.documentation("Runs ``\(query.property)``.")
      writer.block(
        "\(typeAccess)struct \(query.statement): PostgreSQLStatementQuery"
      ) { writer in
        writer.line("\(access)typealias Input = \(query.input)")
        writer.line("\(access)typealias Output = \(query.output)")
        writer.line()
        writer.line("\(access)static let isReadOnly = \(definition.isReadOnly)")
        writer.literal("\(access)static let sql: PostgreSQLQuery = ", definition.sql)
        writer.call(
          "\(access)static let types = Queries.StatementTypes(",
          [
            "parameters: \(list(definition.parameterTypeIDs))",
            "columns: \(list(definition.columnTypeIDs))",
          ], ")")
        writer.line("\(access)let database: PostgreSQLDatabase")
        writer.line("\(access)let checks: Queries.StatementChecks")
        writer.line()
        if !definition.isReadOnly { writer.line("@discardableResult") }
        writer.line("\(access)func execute(")
        writer.indented { $0.line("_ input: Input, in connection: PostgreSQLConnection") }
        writer.block(") async throws -> Output") { writer in
          writer.line("try await checkTypes(in: connection)")
          let values = shape.statements.first.map { self.values($0, shape) } ?? []
          call(shape, keyword: "return ", ["Self.sql"] + values, &writer)
        }
        if definition.isReadOnly, shape.cardinality == .many { rows(shape, &writer) }
        if shape.fields.count > 1 { parameterMethods(query, shape, &writer) }
      }
    }
  }

  private func list(_ types: [UInt32]) -> String {
    "[\(types.map(String.init).joined(separator: ", "))]"
  }

  /// Generates the method that streams the rows.
  private func rows(_ shape: QuerySignature, _ writer: inout SwiftWriter) {
    guard let row = shape.row else { return }
    let values = shape.statements.first.map { self.values($0, shape) } ?? []
    let list = "values: [\(values.joined(separator: ", "))]"
    writer.line()
    writer.documentation("Returns the rows, which are received while they are consumed.")
    let input = shape.fields.isEmpty ? "_ input: Input = ()" : "_ input: Input"
    writer.block("\(access)func rows(\(input)) -> PostgreSQLRowStream<\(row)>") { writer in
      if let scalar = shape.scalar {
        writer.block("database.rows(Self.sql, \(list))", " row in") {
          $0.line(scalar.read(at: "0"))
        }
      } else {
        writer.call("database.rows(", ["of: \(row).self", "Self.sql", list], ")")
      }
    }
  }

  /// Returns the types of the attributes of declared types.
  func mappings(of types: [TypeDefinition], _ named: NamedProject) -> [SwiftMapping] {
    types.flatMap { type in fields(of: type, named).map(\.value.mapping) }
  }

  private func fields(
    of type: TypeDefinition, _ named: NamedProject
  ) -> [(field: Field, value: SwiftValue)] {
    guard case .composite(let attributes) = type.kind else { return [] }
    let names = UniqueNames.members(for: attributes.map(\.name), fallback: "attribute")
    return zip(names, attributes).map { name, attribute in
      let value = named.types.value(
        attribute.type, isNullable: attribute.isNullable, from: [], chosen: nil)
      let field = Field(
        name: name, type: value.type, documentation: attribute.documentation,
        isOptional: value.isOptional)
      return (field, value)
    }
  }

  /// Generates the enum or the struct of a type that the schema declares.
  func declaredType(
    _ type: TypeDefinition, _ named: NamedProject, _ writer: inout SwiftWriter
  ) {
    guard let name = named.types.declaredTypes[type.name] else { return }
    switch type.kind {
    case .enumeration(let values):
      writer.documentation(
        type.documentation
          ?? """
          The values of the type `\(type.name)`.

          Reading a value that was added later throws an error that names the column.
          """)
      let enumeration = TypeCatalog.Enumeration(
        type: name, column: TableColumn(table: type.name, column: ""),
        allowed: AllowedValues(.texts(values)))
      self.enumeration(enumeration, "String, PostgreSQLEnumeration", &writer)
    case .composite:
      writer.documentation(type.documentation ?? "A value of the composite type `\(type.name)`.")
      composite(name, fields(of: type, named), &writer)
    }
  }

  private func composite(
    _ name: String, _ attributes: [(field: Field, value: SwiftValue)], _ writer: inout SwiftWriter
  ) {
    let codable = options.isCodable ? "Codable, " : ""
    let fields = attributes.map(\.field)
    writer.block(
      "\(typeAccess)struct \(name): \(codable)Hashable, Sendable, PostgreSQLComposite"
    ) { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
      writer.line()
      writer.documentation("Reads the attributes by index.")
      writer.block(
        "\(access)init(from field: borrowing PostgreSQLField) throws(PostgreSQLError)"
      ) { writer in
        writer.line("var value = Self()")
        writer.block(
          "try field.readAttributes(count: \(fields.count))",
          " index, attribute throws(PostgreSQLError) in"
        ) { writer in
          writer.line("switch index {")
          for (index, field) in fields.enumerated() {
            writer.line("case \(index): value.\(field.name) = try .init(from: attribute)")
          }
          writer.line("default: break")
          writer.line("}")
        }
        writer.line("self = value")
      }
      writer.line()
      writer.documentation("The attributes as a value that can be bound.")
      writer.block("\(access)var postgreSQLValue: PostgreSQLValue") { writer in
        writer.block("get throws(PostgreSQLError)") { writer in
          writer.line(".record([")
          writer.indented { writer in
            for field in fields { writer.line("try self.\(field.name).postgreSQLValue,") }
          }
          writer.line("])")
        }
      }
    }
  }
}

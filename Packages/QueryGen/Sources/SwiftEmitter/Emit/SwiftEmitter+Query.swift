import QueryModel

extension SwiftEmitter {
  /// Generates the queries of one file.
  func queryFile(
    _ file: NamedProject.File, _ shapes: [QuerySignature], _ project: Project, _ named: NamedProject
  ) -> GeneratedFile {
    var writer = begin(file.queries.isEmpty ? nil : shapes.flatMap(\.mappings))
    for (query, shape) in zip(file.queries, shapes) {
      writer.line()
      types(query, shape, &writer)
      writer.line()
      implementation(query, shape, &writer)
    }
    return GeneratedFile(name: GeneratedFile.queryFileName(file.name), text: writer.text)
  }

  /// Generates the query's input and output types, and the type alias for injecting it.
  private func types(
    _ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter
  ) {
    let link = "``\(options.databaseName)/\(query.property)``"
    for parameter in shape.parameters {
      guard let element = parameter.element, !element.isTable else { continue }
      writer.documentation(
        parameter.isList
          ? "An element of the list `\(parameter.field.name)` of \(link)."
          : "The row `\(parameter.field.name)` of \(link).")
      inputStruct(
        element.type, element.columns.map(\.field), isCodable: isCodable(query), &writer)
      writer.line()
    }
    writer.documentation("The input of \(link).")
    if shape.fields.count > 1 {
      let hasFilter = shape.parameters.contains { $0.filter != nil }
      inputStruct(
        query.input, shape.fields, isCodable: isCodable(query) && !hasFilter, &writer)
      writer.line()
    } else {
      writer.line("\(access)typealias \(query.input) = \(shape.fields.first?.type ?? "Void")")
      writer.line()
    }
    for order in shape.parameters.compactMap(\.order) {
      orderTypes(order, link, &writer)
      writer.line()
    }
    for filter in shape.parameters.compactMap(\.filter) {
      filterType(filter, link, &writer)
      writer.line()
    }
    if let row = shape.rowLayout { rowTypes(query, row, &writer) }
    writer.documentation("The result of \(link)\(shape.outputNote).")
    writer.line("\(access)typealias \(query.output) = \(shape.output)")
    writer.line()
    writer.documentation(
      "The type of \(link) and of the queries that can replace it: `any \(query.alias)`.")
    writer.call(
      "\(access)typealias \(query.alias) = \(Self.queryProtocol)<", [query.input, query.output], ">"
    )
  }

  /// The protocol's name with its module, since an importing file may have another `Query`.
  static var queryProtocol: String { "QueryGen.Query" }

  /// Generates the struct of a row, and the structs of its lists' elements.
  private func rowTypes(
    _ query: NamedProject.Query, _ row: RowLayout, _ writer: inout SwiftWriter
  ) {
    let link = "``\(options.databaseName)/\(query.property)``"
    let conformances = (isCodable(query) ? ["Codable"] : []) + ["Hashable", "Sendable"]
    writer.documentation("A row of the result of \(link).")
    if let key = row.key {
      nestingStruct(
        query.row, conformances, row, key, isRepeated: row.hasRepeatedElements, &writer)
    } else {
      rowStruct(query.row, conformances, row.fields, &writer)
    }
    writer.line()
    elementTypes(of: query.row, row, conformances, isRepeated: row.hasRepeatedElements, &writer)
  }

  /// Generates the structs of the elements of a row's lists.
  private func elementTypes(
    of owner: String, _ row: RowLayout, _ conformances: [String], isRepeated: Bool,
    _ writer: inout SwiftWriter
  ) {
    for list in row.lists {
      switch list.element {
      case .value, .table: continue
      case .columns(let type, let fields):
        writer.documentation("An element of ``\(owner)/\(list.field.name)``.")
        rowStruct(type, conformances, fields, &writer)
        writer.line()
      case .nesting(let type, let layout):
        writer.documentation("An element of ``\(owner)/\(list.field.name)``.")
        nestingStruct(type, conformances, layout, list.key, isRepeated: isRepeated, &writer)
        writer.line()
        elementTypes(of: type, layout, conformances, isRepeated: isRepeated, &writer)
      }
    }
  }

  private func isCodable(_ query: NamedProject.Query) -> Bool {
    query.options.isCodable ?? options.isCodable
  }

  private func implementation(
    _ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter
  ) {
    guard options.engine == .sqlite else {
      postgreSQLImplementation(query, shape, &writer)
      return
    }
    let definition = query.definition
    writer.block("nonisolated extension \(options.databaseName)") { writer in
      if let documentation = definition.documentation { writer.documentation(documentation) }
      let property = "\(access)var \(SwiftKeywords.escaped(query.property)): \(query.statement)"
      writer.line("\(property) { .init(database: database) }")
      writer.line()
      writer.documentation("Runs ``\(query.property)``.")
      let conformance = shape.isOneStatement ? "StatementQuery" : "GeneratedQuery"
      writer.block("\(typeAccess)struct \(query.statement): \(conformance)") { writer in
        writer.line("\(access)typealias Input = \(query.input)")
        writer.line("\(access)typealias Output = \(query.output)")
        writer.line()
        writer.line("\(access)static let isReadOnly = \(definition.isReadOnly)")
        if definition.isReadOnly, definition.reads.contains(where: { $0.schema == "temp" }) {
          writer.line("\(access)static let readsTemporaryTables = true")
        }
        // A statement that writes is never observed, so it needs no region.
        if definition.isReadOnly { region(definition.reads, shape, &writer) }
        for number in shape.statements.indices { sql(number, shape, &writer) }
        writer.line("\(access)let database: Database")
        writer.line()
        if definition.isReadOnly { regionForInput(definition.reads, shape, &writer) }
        run(query, shape, &writer)
        if shape.isOneStatement {
          writer.line()
          bound(shape, &writer)
        }
        if shape.fields.count > 1 || shape.hasDefaults { parameterMethods(query, shape, &writer) }
      }
    }
  }

  /// Generates the text of a statement.
  private func sql(_ number: Int, _ shape: QuerySignature, _ writer: inout SwiftWriter) {
    let statement = shape.statements[number]
    let head = "\(access)static let \(shape.textName(number))"
    if statement.usesValueArray {
      template(head, statement, &writer)
    } else if let count = statement.columnCount {
      writer.literal("\(head) = SQL(", statement.text, ", columnCount: \(count))")
    } else {
      writer.literal("\(head): SQL = ", statement.text)
    }
  }
}

import QueryModel

extension SwiftEmitter {
  /// The function that binds, steps and decodes.
  func run(_ query: NamedProject.Query, _ shape: QueryShape, _ writer: inout SwiftWriter) {
    if !query.definition.isReadOnly { writer.line("@discardableResult") }
    writer.line(
      "\(access)func execute(_ input: Input, in connection: Connection) throws -> Output {")
    writer.indented { writer in
      if shape.isCalledWithList {
        writer.line("var call = ListCall(Self.sql)")
        for (field, parameter) in zip(shape.fields, query.definition.parameters) {
          let method = parameter.isList ? "list" : "bind"
          writer.line("call.\(method)(\(value(field, shape)), at: \(parameter.index))")
        }
        call(shape, sql: "call.sql", values: ["values: call.values"], &writer)
      } else {
        call(shape, sql: "Self.sql", values: values(query, shape), &writer)
      }
    }
    writer.line("}")
  }

  /// One value for each number from 1; a number that no parameter has is bound to NULL.
  private func values(_ query: NamedProject.Query, _ shape: QueryShape) -> [String] {
    guard shape.parameterCount > 0 else { return [] }
    var values = Array(repeating: "SQLiteValue.null", count: shape.parameterCount)
    for (field, parameter) in zip(shape.fields, query.definition.parameters)
    where values.indices.contains(parameter.index - 1) {
      values[parameter.index - 1] = value(field, shape)
    }
    return values
  }

  private func value(_ field: Field, _ shape: QueryShape) -> String {
    shape.fields.count > 1 ? "input.\(field.name)" : "input"
  }

  private func call(
    _ shape: QueryShape, sql: String, values: [String], _ writer: inout SwiftWriter
  ) {
    let keyword = shape.isCalledWithList ? "return " : ""
    guard let row = shape.row, shape.cardinality != .none else {
      writer.call("\(keyword)try connection.run(", [sql] + values, ").count")
      return
    }
    let arguments = ["\(row).self", sql] + values
    switch (shape.cardinality, shape.isScalar) {
    case (.many, false): writer.call("\(keyword)try connection.fetchAll(", arguments, ")")
    case (.many, true): writer.call("\(keyword)try connection.values(", arguments, ")")
    case (.optional, false): writer.call("\(keyword)try connection.fetchOne(", arguments, ")")
    case (.optional, true):
      let tail = shape.isRowNullable ? ") ?? nil" : ")"
      writer.call("\(keyword)try connection.value(", arguments, tail)
    case (_, false): writer.call("\(keyword)try connection.fetchOnly(", arguments, ")")
    case (_, true): writer.call("\(keyword)try connection.onlyValue(", arguments, ")")
    }
  }

  /// The same with the parameters as arguments of their own, inside a transaction.
  func flatRun(_ query: NamedProject.Query, _ shape: QueryShape, _ writer: inout SwiftWriter) {
    var names = UniqueNames(taken: Set(shape.fields.map(\.name)))
    let connection = names.take("connection")
    let label = connection == "connection" ? "in connection" : "in \(connection)"
    if !query.definition.isReadOnly { writer.line("@discardableResult") }
    writer.signature(
      "\(access)func execute(", parameters(shape) + ["\(label): Connection"],
      ") throws -> Output {")
    writer.indented { writer in
      pass("try self.execute(", query, shape, ", in: \(connection))", &writer)
    }
    writer.line("}")
  }

  /// The same with the parameters as arguments of their own, on whatever stands in for the query.
  func flatArguments(
    _ query: NamedProject.Query, _ shape: QueryShape, _ writer: inout SwiftWriter
  ) {
    writer.block("nonisolated extension Query where Input == \(query.input)") { writer in
      if let documentation = query.definition.documentation { writer.documentation(documentation) }
      writer.line("@discardableResult")
      writer.signature(
        "\(access)func execute(", parameters(shape), ") async throws -> Output {")
      writer.indented { writer in
        pass("try await self.execute(", query, shape, ")", &writer)
      }
      writer.line("}")
      writer.line()
      if let documentation = query.definition.documentation { writer.documentation(documentation) }
      writer.signature("\(access)func observe(", parameters(shape), ") -> QueryStream<Output> {")
      writer.indented { writer in
        pass("self.observe(", query, shape, ")", &writer)
      }
      writer.line("}")
    }
  }

  private func parameters(_ shape: QueryShape) -> [String] {
    shape.fields.map { "\($0.escaped): \($0.type)" }
  }

  /// Hands the arguments on as one input.
  private func pass(
    _ head: String, _ query: NamedProject.Query, _ shape: QueryShape, _ tail: String,
    _ writer: inout SwiftWriter
  ) {
    let arguments = shape.fields.map { "\($0.label): \($0.escaped)" }
    let input = query.input + "("
    if writer.fits(head + input + arguments.joined(separator: ", ") + ")" + tail) {
      writer.call(head + input, arguments, ")" + tail)
    } else {
      writer.line(head)
      writer.indented { $0.call(input, arguments, ")" + tail) }
    }
  }
}

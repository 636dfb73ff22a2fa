import QueryModel

extension SwiftEmitter {
  /// Generates the method that binds, steps and decodes.
  func run(_ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter) {
    if !query.definition.isReadOnly { writer.line("@discardableResult") }
    writer.line(
      "\(access)func execute(_ input: Input, in connection: Connection) throws -> Output {")
    writer.indented { writer in
      if shape.usesValueArray {
        listCall(shape, &writer)
        call(shape, sql: "call.sql", values: ["values: call.values"], &writer)
      } else {
        call(shape, sql: "Self.sql", values: values(shape), &writer)
      }
    }
    writer.line("}")
  }

  /// Generates the method that returns the bound statement.
  func bound(_ shape: QuerySignature, _ writer: inout SwiftWriter) {
    writer.block("\(access)func statement(for input: Input) -> Queries.BoundStatement") { writer in
      if shape.usesValueArray {
        listCall(shape, &writer)
        writer.line("return Queries.BoundStatement(call.sql, values: call.values)")
      } else {
        writer.call("Queries.BoundStatement(", ["Self.sql"] + values(shape), ")")
      }
    }
  }

  private func listCall(_ shape: QuerySignature, _ writer: inout SwiftWriter) {
    writer.line("var call = Queries.TemplateExpansion(Self.sql)")
    for parameter in shape.parameters {
      let label = parameter.isConditional ? "ifPresent: " : ""
      writer.line(
        "call.\(parameter.bindingMethod)(\(label)\(value(parameter, shape)), at: \(parameter.index))"
      )
    }
  }

  /// Returns one value for each number from 1. A number without a parameter is bound to NULL.
  private func values(_ shape: QuerySignature) -> [String] {
    guard shape.parameterCount > 0 else { return [] }
    var values = Array(repeating: "SQLiteValue.null", count: shape.parameterCount)
    for parameter in shape.parameters where values.indices.contains(parameter.index - 1) {
      values[parameter.index - 1] = value(parameter, shape)
    }
    return values
  }

  /// Returns the code that binds a parameter.
  func value(_ parameter: ParameterField, _ shape: QuerySignature) -> String {
    parameter.bound(input(parameter, shape))
  }

  /// Returns the code of a parameter's value in the input.
  func input(_ parameter: ParameterField, _ shape: QuerySignature) -> String {
    shape.parameters.count > 1 ? "input.\(parameter.field.name)" : "input"
  }

  private func call(
    _ shape: QuerySignature, sql: String, values: [String], _ writer: inout SwiftWriter
  ) {
    let keyword = shape.usesValueArray ? "return " : ""
    guard let row = shape.row, shape.cardinality != .none else {
      switch shape.change {
      case .rowCount: writer.call("\(keyword)try connection.run(", [sql] + values, ").count")
      case .lastRowID:
        writer.call(
          "\(keyword)Int(try connection.run(", [sql] + values, ").lastInsertedRowID.rawValue)")
      }
      return
    }
    let arguments = ["\(shape.scalar?.storedType ?? row).self", sql] + values
    let (function, tail) = self.call(shape)
    writer.call("\(keyword)try connection.\(function)(", arguments, ")" + tail)
  }

  /// Returns the function that reads the rows, and the code that converts its result.
  private func call(_ shape: QuerySignature) -> (function: String, tail: String) {
    if shape.rowLayout?.key != nil {
      return ("fetchNested", shape.cardinality == .many ? "" : ".first")
    }
    guard let scalar = shape.scalar else {
      switch shape.cardinality {
      case .many: return ("fetchAll", "")
      case .optional: return ("fetchOne", "")
      default: return ("fetchOnly", "")
      }
    }
    let isFormatted = scalar.mapping.format != nil
    switch (shape.cardinality, scalar.isOptional) {
    case (.many, false): return ("values", isFormatted ? ".map(\\.value)" : "")
    case (.many, true): return ("values", isFormatted ? ".map { $0?.value }" : "")
    case (.optional, false): return ("value", isFormatted ? "?.value" : "")
    case (.optional, true): return ("value", isFormatted ? "??.value" : " ?? nil")
    case (_, false): return ("onlyValue", isFormatted ? ".value" : "")
    case (_, true): return ("onlyValue", isFormatted ? "?.value" : "")
    }
  }

  /// Generates the methods with the parameters as separate arguments.
  ///
  /// They are members of the query's own type: if they were members of the `Query` protocol, the type checker would
  /// consider those of all queries for every call.
  func parameterMethods(
    _ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter
  ) {
    let parameters = shape.fields.map(\.optionalParameter)
    func begin(isDiscardable: Bool = false) {
      writer.line()
      if let documentation = query.definition.documentation { writer.documentation(documentation) }
      if isDiscardable { writer.line("@discardableResult") }
    }
    begin(isDiscardable: true)
    writer.signature("\(access)func execute(", parameters, ") async throws -> Output {")
    writer.indented { writer in
      pass("try await self.execute(", query, shape, ")", &writer)
    }
    writer.line("}")

    var names = UniqueNames(taken: Set(shape.fields.map(\.name)))
    let connection = names.take("connection")
    let label = connection == "connection" ? "in connection" : "in \(connection)"
    begin(isDiscardable: !query.definition.isReadOnly)
    writer.signature(
      "\(access)func execute(", parameters + ["\(label): Connection"], ") throws -> Output {")
    writer.indented { writer in
      pass("try self.execute(", query, shape, ", in: \(connection))", &writer)
    }
    writer.line("}")

    begin()
    writer.signature("\(access)func observe(", parameters, ") -> Queries.Stream<Output> {")
    writer.indented { writer in
      pass("self.observe(", query, shape, ")", &writer)
    }
    writer.line("}")
  }

  /// Passes the arguments on as one input.
  private func pass(
    _ head: String, _ query: NamedProject.Query, _ shape: QuerySignature, _ tail: String,
    _ writer: inout SwiftWriter
  ) {
    guard shape.fields.count > 1 else {
      writer.line(head + shape.fields.map(\.escaped).joined() + tail)
      return
    }
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

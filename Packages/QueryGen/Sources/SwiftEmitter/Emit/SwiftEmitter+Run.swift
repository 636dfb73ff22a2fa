import QueryModel

extension SwiftEmitter {
  /// Generates the method that binds, steps and decodes.
  func run(_ query: NamedProject.Query, _ shape: QuerySignature, _ writer: inout SwiftWriter) {
    if !query.definition.isReadOnly { writer.line("@discardableResult") }
    writer.line(
      "\(access)func execute(_ input: Input, in connection: Connection) throws -> Output {")
    writer.indented { writer in
      guard shape.statements.count > 1 else {
        execute(0, shape, &writer)
        return
      }
      let kind = query.definition.isReadOnly ? "(.deferred)" : ""
      writer.block("try connection.transaction\(kind)", " () throws -> Output in") { writer in
        for number in shape.statements.indices { execute(number, shape, &writer) }
      }
    }
    writer.line("}")
  }

  /// Generates the method that returns the bound statement.
  func bound(_ shape: QuerySignature, _ writer: inout SwiftWriter) {
    let statement = shape.statements[0]
    writer.block("\(access)func statement(for input: Input) -> Queries.BoundStatement") { writer in
      if statement.usesValueArray {
        expansion(statement, shape, text: "sql", &writer)
        writer.line("return call.statement")
      } else {
        writer.call("Queries.BoundStatement(", ["Self.sql"] + values(statement, shape), ")")
      }
    }
  }

  /// Generates the execution of a statement, for each element of an inserted list. The result of the
  /// last one is that of the query.
  private func execute(_ number: Int, _ shape: QuerySignature, _ writer: inout SwiftWriter) {
    let statement = shape.statements[number]
    let isLast = number == shape.statements.count - 1
    let keyword = shape.statements.count > 1 && isLast ? "return " : ""
    if let list = statement.insertedList {
      let method = shape.cardinality == .none || !isLast ? "runEach" : "fetchEach"
      writer.block("\(keyword)try connection.\(method)(\(input(list, shape)))", " row in") {
        call(number, shape, keyword: statement.usesValueArray ? "return " : "", &$0)
      }
    } else if statement.usesValueArray, !isLast {
      writer.block("do") { call(number, shape, keyword: "", &$0) }
    } else {
      call(number, shape, keyword: statement.usesValueArray ? "return " : keyword, &writer)
    }
  }

  /// Generates the call that executes a statement.
  private func call(
    _ number: Int, _ shape: QuerySignature, keyword: String, _ writer: inout SwiftWriter
  ) {
    let statement = shape.statements[number]
    let text = shape.textName(number)
    let arguments: [String]
    if statement.usesValueArray {
      if shape.statements.count == 1, statement.insertedList == nil {
        writer.line("let statement = self.statement(for: input)")
      } else {
        expansion(statement, shape, text: text, &writer)
        writer.line("let statement = call.statement")
      }
      arguments = ["statement.sql", "values: statement.values"]
    } else {
      arguments = ["Self.\(text)"] + values(statement, shape)
    }
    guard number == shape.statements.count - 1 else {
      let tail = statement.insertedList == nil ? ")" : ").count"
      writer.call("\(keyword)try connection.run(", arguments, tail)
      return
    }
    call(shape, keyword: keyword, arguments, &writer)
  }

  /// Generates the expansion of a template, `call`.
  private func expansion(
    _ statement: StatementSignature, _ shape: QuerySignature, text: String,
    _ writer: inout SwiftWriter
  ) {
    writer.line("var call = Queries.TemplateExpansion(Self.\(text))")
    for parameter in statement.parameters {
      let number = statement.numbers[parameter.index]
      if parameter.isInserted {
        for (place, value) in boundValues(of: parameter, shape).enumerated() {
          writer.line("call.bind(\(value), at: \(number + place))")
        }
        continue
      }
      let label = parameter.isConditional ? "ifPresent: " : ""
      writer.line(
        "call.\(parameter.bindingMethod)(\(label)\(value(parameter, shape)), at: \(number))")
    }
  }

  /// Returns one value for each number from 1. A number without a parameter is bound to NULL.
  func values(_ statement: StatementSignature, _ shape: QuerySignature) -> [String] {
    var values = Array(repeating: "SQLiteValue.null", count: statement.numbers.count)
    for parameter in statement.parameters {
      let bound = boundValues(of: parameter, shape)
      let first = statement.numbers[parameter.index] - 1
      for (place, value) in bound.enumerated() where values.indices.contains(first + place) {
        values[first + place] = value
      }
    }
    return values
  }

  /// Returns the code that binds the values of a parameter: of a row that is inserted, or of `row`
  /// for a list of such rows.
  private func boundValues(of parameter: ParameterField, _ shape: QuerySignature) -> [String] {
    guard parameter.isInserted else { return [value(parameter, shape)] }
    return parameter.boundValues(of: parameter.isList ? "row" : input(parameter, shape))
  }

  /// Returns the code that binds a parameter.
  func value(_ parameter: ParameterField, _ shape: QuerySignature) -> String {
    parameter.bound(input(parameter, shape))
  }

  /// Returns the code of a parameter's value in the input.
  func input(_ parameter: ParameterField, _ shape: QuerySignature) -> String {
    shape.parameters.count > 1 ? "input.\(parameter.field.name)" : "input"
  }

  /// Generates the call that executes the last statement.
  func call(
    _ shape: QuerySignature, keyword: String, _ values: [String], _ writer: inout SwiftWriter
  ) {
    guard let row = shape.row, shape.cardinality != .none else {
      switch shape.change {
      case .rowCount: writer.call("\(keyword)\(runtime.attempt) connection.run(", values, ").count")
      case .lastRowID:
        writer.call(
          "\(keyword)Int(try connection.run(", values, ").lastInsertedRowID.rawValue)")
      }
      return
    }
    let arguments = ["\(shape.scalar?.storedType ?? row).self"] + values
    let (function, tail) = self.call(shape)
    let isParenthesized = runtime.attempt != "try" && !tail.isEmpty
    writer.call(
      "\(keyword)\(isParenthesized ? "(" : "")\(runtime.attempt) connection.\(function)(",
      arguments,
      ")" + (isParenthesized ? ")" : "") + tail)
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
    let effects = runtime.attempt == "try" ? "throws" : "async throws"
    writer.signature(
      "\(access)func execute(", parameters + ["\(label): \(runtime.connection)"],
      ") \(effects) -> Output {")
    writer.indented { writer in
      pass("\(runtime.attempt) self.execute(", query, shape, ", in: \(connection))", &writer)
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

import QueryModel

extension Projects {
  /// Functions, collations and modules that the program or an extension provides.
  static let functions = Project(
    tables: [], migrations: [],
    files: [
      QueryFile(
        name: "Days",
        queries: [
          QueryDefinition(
            name: "today", sql: "SELECT day(:at)",
            parameters: [
              ParameterDefinition(
                index: 1, name: "at", type: .integer, isNullable: false,
                origins: [TableColumn(function: "day", value: "at")])
            ],
            result: .columns([
              ColumnDefinition(
                name: "day(:at)", type: .integer, isNullable: true,
                origins: [TableColumn(function: "day", value: "result")])
            ]), cardinality: .one, isReadOnly: true, reads: [], writes: [])
        ])
    ], declarations: declarations)

  private static let declarations = Declarations(
    functions: [
      function("coin", [], result("BOOLEAN", .boolean)),
      function(
        "day", [parameter("at", .integer, isNullable: true, "Date")],
        result("INTEGER", .integer, isNullable: true, "Date"), isDeterministic: true,
        returnsNull: true),
      function(
        "default",
        [
          parameter("in", .text),
          parameter("self", .any, isNullable: true, default: .null),
          parameter("scale", .real, default: .real(-0.5)),
          parameter("text", .text, default: .text("a \"quoted\" \\ text")),
          parameter("bytes", .blob, default: .blob([1, 255])),
          parameter("count", .integer, default: .integer(.min)),
        ], result("", .any, isNullable: true)),
      function(
        "greatest of",
        [
          parameter("first", .integer),
          parameter("rest", .integer, "Date", isVariadic: true),
        ], result("JSON", .text, "[String]"), documentation: "The greatest.\n\nOf all."),
      function("in_extension", [], result("TEXT", .text), isInExtension: true),
      function("register", [parameter("x", .real)], result("REAL", .real), isDirectOnly: true),
      function(
        "median", kind: .aggregate, [parameter("value", .real, isNullable: true)],
        result("REAL", .real, isNullable: true)),
      function("any_value", kind: .aggregate, [parameter("value", .any)], result("", .any)),
      function(
        "moving", kind: .window,
        [
          parameter("value", .integer, "Date"), parameter("factor", .real, default: .real(1)),
        ], result("INTEGER", .integer, isNullable: true, "Date"), isDeterministic: true),
    ],
    collations: [
      CollationDefinition(name: "localized"),
      CollationDefinition(name: "icu", isInExtension: true),
    ],
    modules: [
      ModuleDefinition(
        name: "series", kind: .eponymousOnly, columns: [], isInnocuous: true,
        documentation: "Numbers."),
      ModuleDefinition(name: "vec0", columns: [], isInExtension: true),
    ])

  private static func function(
    _ name: String, kind: FunctionDefinition.Kind = .scalar, _ parameters: [FunctionParameter],
    _ result: ColumnDefinition, isDeterministic: Bool = false, returnsNull: Bool = false,
    isDirectOnly: Bool = false, isInExtension: Bool = false, documentation: String? = nil
  ) -> FunctionDefinition {
    var parameters = parameters
    for index in parameters.indices {
      let column = parameters[index].column
      parameters[index].column.origins = [TableColumn(function: name, value: column.name)]
    }
    var result = result
    result.origins = [TableColumn(function: name, value: "result")]
    return FunctionDefinition(
      name: name, kind: kind, parameters: parameters, result: result,
      returnsNullOnNull: returnsNull, isDeterministic: isDeterministic,
      isInnocuous: isDeterministic, isDirectOnly: isDirectOnly, isInExtension: isInExtension,
      documentation: documentation)
  }

  private static func parameter(
    _ name: String, _ type: ValueType, isNullable: Bool = false, _ swiftType: String? = nil,
    default value: FunctionParameter.Literal? = nil, isVariadic: Bool = false
  ) -> FunctionParameter {
    FunctionParameter(
      ColumnDefinition(
        name: name, type: type, isNullable: isNullable,
        annotation: swiftType.map { ColumnAnnotation(type: $0) }), defaultValue: value,
      isVariadic: isVariadic)
  }

  private static func result(
    _ declaredType: String, _ type: ValueType, isNullable: Bool = false, _ swiftType: String? = nil
  ) -> ColumnDefinition {
    ColumnDefinition(
      name: "result", type: type, isNullable: isNullable, declaredType: declaredType,
      annotation: swiftType.map { ColumnAnnotation(type: $0) })
  }
}

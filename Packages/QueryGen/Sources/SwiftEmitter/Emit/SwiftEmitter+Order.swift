import QueryModel

/// The struct of an order's terms.
struct OrderType: Hashable {
  struct Case: Hashable {
    /// The unescaped Swift name.
    var name: String
    var choice: OrderChoice
  }

  var type: String
  /// The parameter's name in the query.
  var parameter: String
  var cases: [Case]

  /// - Returns: `nil` if the parameter is not an order.
  init?(_ parameter: ParameterDefinition, of query: NamedProject.Query) {
    guard !parameter.orderChoices.isEmpty, let type = query.parameterTypes[parameter.index]
    else { return nil }
    self.type = type
    self.parameter = parameter.name
    let choices = parameter.orderChoices
    let names = UniqueNames.members(
      for: choices.map { $0.name == "allCases" ? "all_cases_" : $0.name }, fallback: "term")
    cases = zip(names, choices).map { Case(name: $0, choice: $1) }
  }
}

extension ParameterField {
  init(_ order: OrderType, named name: String, index: Int) {
    self.init(
      field: Field(name: name, type: "[\(order.type)]", isEmptyByDefault: true),
      value: SwiftValue(mapping: SwiftMapping(type: order.type), isOptional: false), index: index,
      isList: true, order: order)
  }
}

extension SwiftEmitter {
  /// Generates the struct of an order's terms, and the enum of their expressions.
  ///
  /// The terms are static members of the query's own struct: in an extension of a common type, the
  /// type checker would consider those of all queries for every term.
  func orderTypes(_ order: OrderType, _ link: String, _ writer: inout SwiftWriter) {
    writer.documentation("A term of the order `\(order.parameter)` of \(link).")
    writer.block("\(typeAccess)struct \(order.type): Queries.OrderTerm") { writer in
      writer.block("\(typeAccess)enum Key: String, Queries.OrderKey") { writer in
        for item in order.cases {
          let raw = item.choice.name
          writer.line(
            "case \(SwiftKeywords.escaped(item.name))"
              + (raw == item.name ? "" : " = \(StringLiteral.rawValue(raw))"))
        }
        writer.line()
        writer.block("\(access)var expression: Queries.OrderExpression") { writer in
          writer.line("switch self {")
          for item in order.cases {
            writer.literal(
              "case .\(item.name): .init(", item.choice.sql, item.choice.declaration + ")")
          }
          writer.line("}")
        }
      }
      writer.line()
      let fields = [
        Field(name: "key", type: "Key"),
        Field(name: "direction", type: "Queries.Direction?", isOptional: true),
        Field(name: "nulls", type: "Queries.NullsPosition?", isOptional: true),
      ]
      properties(fields, &writer)
      writer.line()
      writer.signature(
        "\(access)init(",
        fields.map { $0.name == "nulls" ? $0.optionalParameter : "_ " + $0.optionalParameter },
        ") {")
      writer.indented { writer in
        for field in fields { writer.line("self.\(field.name) = \(field.name)") }
      }
      writer.line("}")
      writer.line()
      for item in order.cases {
        writer.line(
          "\(access)static var \(SwiftKeywords.escaped(item.name)): Self { Self(.\(item.name)) }")
      }
    }
  }
}

extension OrderChoice {
  /// The arguments after the expression's text.
  fileprivate var declaration: String {
    (isDescending ? ", .descending" : "")
      + (nulls.map { ", nulls: .\($0 == .first ? "first" : "last")" } ?? "")
  }
}

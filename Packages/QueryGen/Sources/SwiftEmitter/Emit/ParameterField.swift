import QueryModel

/// A parameter of a query.
struct ParameterField: Hashable {
  var field: Field
  var value: SwiftValue
  /// The number in the query's definition.
  var index: Int
  var isList: Bool
  /// The struct of the parameter or its elements, if they are row values.
  var element: Element?
  /// Indicates whether the values are those of an `INSERT`.
  var isInserted = false

  struct Element: Hashable {
    var type: String
    var columns: [ParameterField]
    /// Indicates whether the type is a table's struct.
    var isTable = false
  }

  /// Indicates whether the argument may be omitted, and with it terms of the statement.
  var isConditional = false
  /// The struct of the terms, if the parameter is an order instead of a value.
  var order: OrderType?
  /// The struct of the values, if the parameter is a filter instead of a value.
  var filter: FilterType?

  /// The method that passes the parameter to a `TemplateExpansion`.
  var bindingMethod: String {
    if order != nil { return "order" }
    if filter != nil { return "filter" }
    return element != nil ? "rows" : isList ? "list" : "bind"
  }

  /// The number of values that a statement binds, unless it is determined at run time.
  var valueCount: Int { isInserted ? element?.columns.count ?? 1 : 1 }

  /// Returns the code that binds each value of the row `expression`.
  func boundValues(of expression: String) -> [String] {
    element?.columns.map { $0.bound("\(expression).\($0.field.name)") }
      ?? [value.bound(expression)]
  }

  /// Returns the code that binds the value of `expression`.
  func bound(_ expression: String) -> String {
    if element != nil {
      let rows = isConditional ? expression + "?" : expression
      return "\(rows).map { [\(boundValues(of: "$0").joined(separator: ", "))] }"
    }
    guard isList else { return value.bound(expression) }
    let isOptional = isConditional && value.mapping.format != nil
    return value.boundList(isOptional ? expression + "?" : expression)
  }
}

extension ParameterField {
  /// Returns a query's parameters with their Swift names and types.
  static func fields(of query: NamedProject.Query, _ named: NamedProject) -> [ParameterField] {
    let parameters = query.definition.parameters
    let names = UniqueNames.members(
      for: parameters.map(\.name), fallback: "value",
      chosen: parameters.map { parameter in
        query.options(of: parameter)?.swiftName
          ?? parameter.origins.chosenName(of: parameter.name, named.options)
      })
    return parameters.indices.map { place in
      let parameter = parameters[place]
      if let element = Element(parameter, of: query, named) {
        return ParameterField(parameter, element, named: names[place])
      }
      if let order = OrderType(parameter, of: query) {
        return ParameterField(order, named: names[place], index: parameter.index)
      }
      if let filter = FilterType(parameter, of: query, named) {
        return ParameterField(filter, named: names[place], index: parameter.index)
      }
      var value = named.types.value(
        parameter.type, isNullable: parameter.isNullable && !parameter.isConditional,
        from: parameter.origins, chosen: query.mapping(of: parameter))
      let type = parameter.isList ? "[\(value.type)]" : value.type
      value.isOptional = value.isOptional || parameter.isConditional && !parameter.isList
      let isOptional = value.isOptional && !parameter.isStored && !parameter.isList
      return ParameterField(
        field: Field(
          name: names[place], type: parameter.isConditional ? type + "?" : type,
          isOptional: isOptional || parameter.isConditional),
        value: value, index: parameter.index, isList: parameter.isList,
        isInserted: !parameter.rowRanges.isEmpty, isConditional: parameter.isConditional)
    }
  }

  /// Creates the parameter for row values.
  private init(
    _ parameter: ParameterDefinition, _ element: Element, named name: String
  ) {
    let type = parameter.isList ? "[\(element.type)]" : element.type
    self.init(
      field: Field(
        name: name, type: parameter.isConditional ? type + "?" : type,
        isOptional: parameter.isConditional),
      value: SwiftValue(mapping: SwiftMapping(type: element.type), isOptional: false),
      index: parameter.index, isList: parameter.isList, element: element,
      isInserted: !parameter.rowRanges.isEmpty, isConditional: parameter.isConditional)
  }
}

extension ParameterField.Element {
  /// - Returns: `nil` if the parameter does not consist of row values.
  fileprivate init?(
    _ parameter: ParameterDefinition, of query: NamedProject.Query, _ named: NamedProject
  ) {
    if let table = parameter.table.flatMap({ named.tables[$0] }) {
      self.init(
        type: named.tableTypes[table.name] ?? table.name,
        columns: RowField.fields(of: table, named).compactMap { field in
          guard case .column(let value) = field.content else { return nil }
          return ParameterField(
            field: field.field, value: value, index: parameter.index, isList: false)
        }, isTable: true)
      return
    }
    guard !parameter.columns.isEmpty, let type = query.parameterTypes[parameter.index] else {
      return nil
    }
    let names = UniqueNames.members(
      for: parameter.columns.map(\.name), fallback: "value",
      chosen: parameter.columns.map { $0.origins.chosenName(of: $0.name, named.options) })
    let columns = zip(names, parameter.columns).map { name, column in
      let value = named.types.value(
        column.type, isNullable: column.isNullable, from: column.origins, chosen: nil)
      return ParameterField(
        field: Field(
          name: name, type: value.type, isOptional: value.isOptional && !column.isStored),
        value: value, index: parameter.index, isList: false)
    }
    self.init(type: type, columns: columns)
  }
}

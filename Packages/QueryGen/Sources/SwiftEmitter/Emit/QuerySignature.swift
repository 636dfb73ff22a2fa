import QueryModel

/// A query's Swift signature: its input and result types, and its SQL.
struct QuerySignature {
  enum Piece: Hashable {
    case text(String)
    /// The placeholders of the list parameter with this number.
    case list(Int)
    /// The parameter with this number, in a statement with clauses.
    case parameter(Int)
    /// The text before the first term, and the terms.
    case clause(String, [Term])
  }

  /// A term of a clause.
  struct Term: Hashable {
    var separator: String
    var presence: DynamicClause.Presence
    var pieces: [Piece]
  }

  /// The parameters, in the order of first use.
  let parameters: [ParameterField]
  /// The parameters by the number that SQLite binds them by.
  let parametersByNumber: [Int: ParameterField]
  /// The struct of the query's rows; `nil` if the query needs none.
  let rowLayout: RowLayout?
  /// The type of a row; `nil` if there are no rows.
  let row: String?
  /// The value of a row that is not a struct.
  let scalar: SwiftValue?
  let output: String
  let cardinality: Cardinality
  let change: ChangeResult
  /// The largest parameter number.
  let parameterCount: Int
  /// The number of columns that a row is read from; `nil` if no rows are read.
  let columnCount: Int?
  /// Indicates whether the values are collected in an array, because of lists, of gaps between the
  /// numbers, or of clauses with terms that may be absent.
  let usesValueArray: Bool
  let pieces: [Piece]

  /// The maximum number of gaps between the numbers for which NULL is written out.
  private static let largestGap = 16

  init(_ query: NamedProject.Query, _ named: NamedProject) {
    let definition = query.definition
    parameters = ParameterField.fields(of: query, named)
    parametersByNumber = Dictionary(
      parameters.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    cardinality = definition.cardinality
    change = definition.change

    var rowLayout: RowLayout?
    var scalar: SwiftValue?
    switch definition.result {
    case .none: row = nil
    case .table(let table): row = named.tableTypes[table] ?? table
    case .columns(let columns) where columns.count == 1:
      let value = named.types.value(
        columns[0].type, isNullable: columns[0].isNullable, from: columns[0].origins,
        chosen: query.mapping(of: columns[0]))
      scalar = value
      row = value.type
    case .columns(let columns):
      rowLayout = RowLayout(columns.map { .column($0) }, of: query, named)
      row = query.row
    case .fields(let fields):
      rowLayout = RowLayout(fields, of: query, named)
      row = query.row
    }
    self.rowLayout = rowLayout
    self.scalar = scalar

    switch (row, definition.cardinality) {
    case (nil, _), (_, .none): output = "Int"
    // Several statement rows form one row with lists, and there may be no rows.
    case (let row?, .one) where rowLayout?.lists.isEmpty == false: output = row + "?"
    case (let row?, .one): output = row
    // The result is `nil` both for a NULL value and for a missing row.
    case (let row?, .optional): output = scalar?.isOptional == true ? row : row + "?"
    case (let row?, .many): output = "[\(row)]"
    }

    let count = definition.parameters.map(\.index).max() ?? 0
    parameterCount = count
    columnCount = definition.cardinality == .none ? nil : named.columnCount(of: definition.result)
    usesValueArray =
      definition.parameters.contains(where: \.isList) || !definition.dynamicClauses.isEmpty
      || count > definition.parameters.count + QuerySignature.largestGap
    pieces = usesValueArray ? TemplateWriter(definition).pieces : [.text(definition.sql)]
  }

  /// The parameters as properties of the input.
  var fields: [Field] { parameters.map(\.field) }

  /// The types that the generated code mentions.
  var mappings: [SwiftMapping] {
    let columns = parameters.flatMap { $0.element?.columns ?? [$0] }
    var values = columns.map(\.value) + (scalar.map { [$0] } ?? [])
    values += parameters.compactMap(\.filter).flatMap(\.columns).map(\.value)
    for field in rowLayout?.allColumns ?? [] {
      if case .column(let value) = field.content { values.append(value) }
    }
    for case .value(let value, _) in rowLayout?.lists.map(\.element) ?? [] { values.append(value) }
    return values.map(\.mapping)
  }

  /// A description of the output, if its type is not sufficient.
  var outputNote: String {
    switch (row, cardinality) {
    case (nil, _), (_, .none):
      switch change {
      case .rowCount: ": the number of changed rows"
      case .lastRowID: ": the key of the last inserted row"
      }
    case (_, .optional): ": `nil` if there is no row"
    default: ""
    }
  }

  /// Indicates whether the query has arguments that may be omitted.
  var hasDefaults: Bool {
    parameters.contains { $0.isConditional || $0.field.isEmptyByDefault }
  }
}

extension NamedProject {
  /// Returns the number of columns of a result; `nil` if it has none, or if a table is unknown.
  fileprivate func columnCount(of result: ResultLayout) -> Int? {
    switch result {
    case .none: return nil
    case .table(let table): return tables[table]?.columns.count
    case .columns(let columns): return columns.count
    case .fields(let fields):
      var count = 0
      for field in fields {
        switch field {
        case .column: count += 1
        case .table(let embedded):
          guard let table = tables[embedded.table] else { return nil }
          count += table.columns.count
        }
      }
      return count
    }
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
      if !parameter.columns.isEmpty {
        return ParameterField(parameter, named: names[place], of: query, named)
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
      return ParameterField(
        field: Field(
          name: names[place], type: parameter.isConditional ? type + "?" : type,
          isOptional: value.isOptional && !parameter.isStored || parameter.isConditional),
        value: value, index: parameter.index, isList: parameter.isList,
        isConditional: parameter.isConditional)
    }
  }
  /// Creates the parameter for a list of row values.
  private init(
    _ parameter: ParameterDefinition, named name: String, of query: NamedProject.Query,
    _ named: NamedProject
  ) {
    var type = query.typePrefix + IdentifierWords(parameter.name).singular.upperCamel
    if query.typeNames.contains(type) { type += "Element" }
    let names = UniqueNames.members(
      for: parameter.columns.map(\.name), fallback: "value",
      chosen: parameter.columns.map { $0.origins.chosenName(of: $0.name, named.options) })
    let columns = zip(names, parameter.columns).map { name, column in
      let value = named.types.value(
        column.type, isNullable: column.isNullable, from: column.origins, chosen: nil)
      return ParameterField(
        field: Field(name: name, type: value.type), value: value, index: parameter.index,
        isList: false)
    }
    self.init(
      field: Field(
        name: name, type: parameter.isConditional ? "[\(type)]?" : "[\(type)]",
        isOptional: parameter.isConditional),
      value: SwiftValue(mapping: SwiftMapping(type: type), isOptional: false),
      index: parameter.index, isList: true, element: Element(type: type, columns: columns),
      isConditional: parameter.isConditional)
  }
}

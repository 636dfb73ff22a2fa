import QueryModel

/// A query's Swift signature: its input and result types, and its SQL.
struct QuerySignature {
  /// The parameters, in the order of first use.
  let parameters: [ParameterField]
  /// The parameters by their numbers in the definition.
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
  /// The statements, in execution order; never empty.
  let statements: [StatementSignature]

  init(_ query: NamedProject.Query, _ named: NamedProject) {
    let definition = query.definition
    let parameters = ParameterField.fields(of: query, named)
    self.parameters = parameters
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

    let columnCount =
      definition.cardinality == .none ? nil : named.columnCount(of: definition.result)
    let ranges = definition.statementRanges
    statements = ranges.enumerated().map { number, range in
      StatementSignature(
        definition, in: range, parameters,
        columnCount: number == ranges.count - 1 ? columnCount : nil)
    }
  }

  /// Indicates whether the query is executed as one statement, and not for each element of a list.
  var isOneStatement: Bool { statements.count == 1 && statements[0].insertedList == nil }

  /// Returns the name of the property with the text of a statement.
  func textName(_ number: Int) -> String { statements.count == 1 ? "sql" : "sql\(number + 1)" }

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
    for case .value(let value, _) in rowLayout?.allLists.map(\.element) ?? [] {
      values.append(value)
    }
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

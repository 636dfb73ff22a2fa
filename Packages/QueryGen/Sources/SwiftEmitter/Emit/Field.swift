import QueryModel

/// A property of a generated struct, or a parameter.
struct Field: Hashable {
  /// The unescaped name.
  var name: String
  var type: String
  var documentation: String?
  /// Indicates whether the type is optional, so that an argument may be omitted.
  var isOptional = false
  /// Indicates whether the type is an array that is empty if the argument is omitted.
  var isEmptyByDefault = false

  /// The name as declared, and as used for a variable. After a period, a name is not escaped.
  var escaped: String { SwiftKeywords.escaped(name) }

  /// The name as an argument label.
  var label: String { SwiftKeywords.escapedLabel(name) }

  /// The field as a function's parameter.
  var parameter: String { "\(escaped): \(type)" }

  /// The field as a function's parameter, with a default value if it is optional.
  var optionalParameter: String {
    isOptional ? parameter + " = nil" : isEmptyByDefault ? parameter + " = []" : parameter
  }
}

/// A parameter of a query.
struct ParameterField: Hashable {
  var field: Field
  var value: SwiftValue
  /// The number that SQLite binds it by.
  var index: Int
  var isList: Bool
  /// The struct of a list's elements, if they are row values.
  var element: Element?

  struct Element: Hashable {
    var type: String
    var columns: [ParameterField]
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

  /// Returns the code that binds the value of `expression`.
  func bound(_ expression: String) -> String {
    if let element {
      let values = element.columns.map { $0.bound("$0.\($0.field.name)") }
      let rows = isConditional ? expression + "?" : expression
      return "\(rows).map { [\(values.joined(separator: ", "))] }"
    }
    guard isList else { return value.bound(expression) }
    let isOptional = isConditional && value.mapping.format != nil
    return value.boundList(isOptional ? expression + "?" : expression)
  }
}

/// A property that is read from a row: one column, or all columns of a table.
struct RowField: Hashable {
  enum Content: Hashable {
    case column(SwiftValue)
    /// A table's struct, and the test for a row that an outer join did not find.
    case table(String, OuterJoinCheck)
  }

  /// A test for whether an outer join found no row.
  enum OuterJoinCheck: Hashable {
    case always
    /// No row was found if the column at this index is NULL.
    case column(Int)
    /// No row was found if all these columns are NULL; each of them may be NULL in a row.
    case columns([Int])
  }

  var field: Field
  var content: Content
  /// The columns of the statement.
  var columns: Range<Int>
  /// The column's name, if the property is a single column.
  var columnName: String?

  /// The code that reads the property from `row`.
  var read: String {
    switch content {
    case .column(let value): return value.read(at: String(columns.lowerBound))
    case .table(let type, let presence):
      let read = "\(type)(row: row, from: \(columns.lowerBound))"
      return presence.absenceTest.map { "try \($0) ? nil : \(read)" } ?? "try \(read)"
    }
  }
}

extension RowField.OuterJoinCheck {
  /// The code that tests whether there is no row; `nil` if there always is one.
  var absenceTest: String? {
    switch self {
    case .always: nil
    case .column(let index): "row.isNull(at: \(index))"
    case .columns(let columns):
      "row.areNull(at: \(columns.map(String.init).joined(separator: ", ")))"
    }
  }
}

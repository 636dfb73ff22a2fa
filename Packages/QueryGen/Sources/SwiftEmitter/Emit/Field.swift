import QueryModel

/// A property of a generated struct, or a parameter.
struct Field: Hashable {
  /// Unescaped.
  var name: String
  var type: String
  var documentation: String?
  /// The value that an argument may leave out.
  var isOptional = false

  /// As it is declared, and as a variable is named. After a point it stands as it is.
  var escaped: String { SwiftKeywords.escaped(name) }

  /// As the label of an argument.
  var label: String { SwiftKeywords.escapedLabel(name) }

  /// As the parameter of a function.
  var parameter: String { "\(escaped): \(type)" }

  /// As the parameter of a function that may leave out what is optional.
  var optionalParameter: String { isOptional ? parameter + " = nil" : parameter }
}

/// A parameter of a query.
struct ParameterField: Hashable {
  var field: Field
  var value: SwiftValue
  /// The number that SQLite binds it by.
  var index: Int
  var isList: Bool

  /// What binds the value of `expression`.
  func bound(_ expression: String) -> String {
    isList ? value.boundList(expression) : value.bound(expression)
  }
}

/// A property that is read from a row: one column, or all those of a table.
struct RowField: Hashable {
  enum Content: Hashable {
    case column(SwiftValue)
    /// A table's struct, and whether the columns are those of a row that may not be there.
    case table(String, Presence)
  }

  /// How a row tells that an outer join found nothing.
  enum Presence: Hashable {
    case always
    /// The column at this place is NULL.
    case column(Int)
    /// All these columns are NULL, since each may be.
    case columns([Int])
  }

  var field: Field
  var content: Content
  /// The columns of the statement.
  var columns: Range<Int>
  /// The name of the one column that it is.
  var columnName: String?

  /// Reads it from `row`.
  var read: String {
    switch content {
    case .column(let value): return value.read(at: String(columns.lowerBound))
    case .table(let type, let presence):
      let read = "\(type)(row: row, from: \(columns.lowerBound))"
      return presence.isAbsent.map { "try \($0) ? nil : \(read)" } ?? "try \(read)"
    }
  }
}

extension RowField.Presence {
  /// Asks whether the row is not there; `nil` where it always is.
  var isAbsent: String? {
    switch self {
    case .always: nil
    case .column(let index): "row.isNull(at: \(index))"
    case .columns(let columns):
      "row.areNull(at: \(columns.map(String.init).joined(separator: ", ")))"
    }
  }
}

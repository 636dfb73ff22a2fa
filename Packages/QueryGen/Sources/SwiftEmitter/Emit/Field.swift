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

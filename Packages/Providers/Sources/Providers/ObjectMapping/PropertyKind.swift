internal import SQLiteCore

/// The representation of a property in a table.
enum PropertyKind: Sendable {
  /// A column with a declared type, which contains the value.
  case column(String)
  /// A TEXT column that contains a SPON document.
  case document
  /// A column that contains the key of another table's row.
  case table(any DataTable.Type)
  /// No column: rows in a table of links.
  case links(any AnyCrossReference.Type)

  /// - Parameter type: The property's type; an optional type is unwrapped.
  init(_ type: Any.Type) {
    let type = RowEncoder.ColumnDeclaration.unwrapped(type)
    if let links = type as? any AnyCrossReference.Type {
      self = .links(links)
    } else if let table = type as? any DataTable.Type {
      self = .table(table)
    } else if let column = RowEncoder.ColumnDeclaration.type(of: type) {
      self = .column(column)
    } else {
      self = .document
    }
  }
}

extension PropertyKind {
  /// A Boolean value that indicates whether the property is a single value in a column.
  var isColumn: Bool { if case .column = self { true } else { false } }

  /// The type of the referenced rows; `nil` if the property is not a reference.
  var referencedType: (any DataTable.Type)? {
    if case .table(let type) = self { type } else { nil }
  }
}

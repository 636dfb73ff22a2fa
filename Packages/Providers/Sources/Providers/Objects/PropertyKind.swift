internal import SQLiteCore

/// What a property of some type is in a table.
enum PropertyKind {
  /// A column of a declared type, which holds the value itself.
  case column(String)
  /// A column of TEXT that holds a document of SPON.
  case document
  /// A column that holds the key of a row of another table.
  case table(any DataTable.Type)
  /// No column, but rows in a table of links.
  case links(any AnyCrossReference.Type)

  /// - Parameter type: The property's type; of an optional one, what is in it counts.
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
  /// Whether values are encoded and decoded as SQLiteCore does it.
  var isPlain: Bool { if case .column = self { true } else { false } }
}

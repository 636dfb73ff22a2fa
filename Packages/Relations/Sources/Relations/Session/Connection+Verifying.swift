internal import SQLiteCore

extension Connection {
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where the table differs from what the type says.
  func verifyTable(of shape: TableMetadata) throws {
    guard let table = try self.table(shape.table) else {
      throw RelationError(.schemaMismatch, "the database has no such table", table: shape.table)
    }
    for column in table.columns where column.kind == .stored || column.kind == .storedGenerated {
      let place = shape.columns.firstIndex { SQLName.isSame($0.name, column.name) }
      let fault: String? =
        if let place {
          shape.difference(place, to: column, of: table)
            ?? shape.difference(place, to: table.foreignKeys)
        } else {
          column.isNeeded && column.name != table.rowIDColumn
            ? "no property has the column, which every row needs" : nil
        }
      if let fault {
        throw RelationError(.schemaMismatch, fault, table: shape.table, column: column.name)
      }
    }
    try verifyKey(of: shape, table)
  }

  private func verifyKey(of shape: TableMetadata, _ table: TableSchema) throws(RelationError) {
    let key = table.primaryKey.map(\.name)
    let isSame =
      key.count == shape.keyNames.count
      && zip(key, shape.keyNames).allSatisfy { SQLName.isSame($0, $1) }
    if isSame { return }
    throw RelationError(
      .schemaMismatch,
      key.isEmpty
        ? "the table has no primary key" : "the primary key is \(key.joined(separator: ", "))",
      table: shape.table, column: shape.keyNames.first)
  }
}

extension TableSchema.Column {
  /// Whether no row can be inserted without a value for it, unless it is the row's number.
  fileprivate var isNeeded: Bool { kind == .stored && isNotNull && defaultSQL == nil }

  fileprivate var holds: ColumnContent { ColumnContent(declaredType: declaredType) }
}

extension TableMetadata {
  /// What is wrong with a table's column; `nil` where it is as it should be.
  fileprivate func difference(
    _ place: Int, to column: TableSchema.Column, of table: TableSchema
  ) -> String? {
    let own = columns[place]
    if column.kind != .stored { return "the column is computed, and can't be written" }
    let wanted = own.holds
    if wanted != column.holds, wanted != .anything, column.holds != .anything {
      return "the column is \(column.declaredType), and the property \(own.declaredType)"
    }
    if properties[place].reference != nil { return nil }
    if own.isNotNull == table.isNeverNull(column) { return nil }
    return own.isNotNull
      ? "the column may be NULL, and the property is not optional"
      : "the column is NOT NULL, and the property is optional"
  }

  /// What is wrong with the table's references, as far as they are the column's own.
  fileprivate func difference(
    _ place: Int, to references: [TableSchema.ForeignKey]
  ) -> String? {
    guard let reference = properties[place].reference else { return nil }
    let name = columns[place].name
    let found = references.first { $0.columns.count == 1 && SQLName.isSame($0.columns[0], name) }
    guard let found, !SQLName.isSame(found.parentTable, reference.target.tableName) else {
      return nil
    }
    return "the column refers to \(found.parentTable), and the relation to "
      + reference.target.tableName
  }
}

/// What a column makes of the values that are stored in it.
private enum ColumnContent: Hashable {
  case number, text, anything

  init(declaredType: String) {
    self =
      switch ColumnAffinity(declaredType: declaredType) {
      // In a strict table it converts nothing; elsewhere it may hold anything as well.
      case .numeric where SQLName.isSame(declaredType, "ANY"): .anything
      case .integer, .real, .numeric: .number
      case .text: .text
      case .blob: .anything
      }
  }
}

internal import SQLiteCore

extension Connection {
  /// Verifies that a table matches its type.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table
  ///   differs from the type.
  func verifyTable(of metadata: TableMetadata) throws {
    guard let table = try self.table(metadata.table) else {
      throw RelationError(.schemaMismatch, "the database has no such table", table: metadata.table)
    }
    for column in table.columns where column.kind == .stored || column.kind == .storedGenerated {
      let place = metadata.columns.firstIndex { SQLName.isSame($0.name, column.name) }
      let fault: String? =
        if let place {
          metadata.difference(place, to: column, of: table)
            ?? metadata.difference(place, to: table.foreignKeys)
        } else {
          column.isNeeded && column.name != table.rowIDColumn
            ? "the column is required, but no property has it" : nil
        }
      if let fault {
        throw RelationError(.schemaMismatch, fault, table: metadata.table, column: column.name)
      }
    }
    try verifyKey(of: metadata, table)
  }

  private func verifyKey(of metadata: TableMetadata, _ table: TableSchema) throws(RelationError) {
    let key = table.primaryKey.map(\.name)
    let isSame =
      key.count == metadata.keyNames.count
      && zip(key, metadata.keyNames).allSatisfy { SQLName.isSame($0, $1) }
    if isSame { return }
    throw RelationError(
      .schemaMismatch,
      key.isEmpty
        ? "the table has no primary key" : "the primary key is \(key.joined(separator: ", "))",
      table: metadata.table, column: metadata.keyNames.first)
  }
}

extension TableSchema.Column {
  /// A Boolean value that indicates whether every inserted row must have a value for the column,
  /// unless it is the row identifier.
  fileprivate var isNeeded: Bool { kind == .stored && isNotNull && defaultSQL == nil }

  /// The column's affinity, with `numeric` for all affinities that produce numbers, and `blob` for
  /// columns that store any value.
  fileprivate var storedAffinity: ColumnAffinity {
    switch ColumnAffinity(declaredType: declaredType) {
    // ANY converts no value in a strict table; in other tables it accepts any value as well.
    case .numeric where SQLName.isSame(declaredType, "ANY"): .blob
    case .integer, .real, .numeric: .numeric
    case .text: .text
    case .blob: .blob
    }
  }
}

extension TableMetadata {
  /// Returns a description of how the column differs from the property; `nil` if they match.
  fileprivate func difference(
    _ place: Int, to column: TableSchema.Column, of table: TableSchema
  ) -> String? {
    let own = columns[place]
    if column.kind != .stored { return "the column is generated and can't be written" }
    let affinities = Set([own.storedAffinity, column.storedAffinity])
    if affinities.count > 1, !affinities.contains(.blob) {
      return "the column is \(column.declaredType), but the property is \(own.declaredType)"
    }
    if properties[place].reference != nil { return nil }
    if own.isNotNull == table.isNeverNull(column) { return nil }
    return own.isNotNull
      ? "the column may be NULL, but the property is not optional"
      : "the column is NOT NULL, but the property is optional"
  }

  /// Returns a description of how the table's foreign key differs from the column's reference;
  /// `nil` if they match.
  fileprivate func difference(
    _ place: Int, to references: [TableSchema.ForeignKey]
  ) -> String? {
    guard let reference = properties[place].reference else { return nil }
    let name = columns[place].name
    let found = references.first { $0.columns.count == 1 && SQLName.isSame($0.columns[0], name) }
    guard let found, !SQLName.isSame(found.parentTable, reference.target.tableName) else {
      return nil
    }
    return "the column refers to \(found.parentTable), but the relation to "
      + reference.target.tableName
  }
}

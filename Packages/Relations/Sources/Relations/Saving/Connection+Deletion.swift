internal import SQLiteCore

extension Connection {
  /// Deletes rows or marks them as deleted.
  ///
  /// - Returns: The keys of rows that were kept because another connection has changed them.
  func run(_ deletion: Deletion) throws -> Set<[SQLiteValue]> {
    var keys = deletion.keys
    if let versions = deletion.versions, let place = deletion.shape.version {
      keys = try keysToDelete(deletion.shape, keys, versions, place)
    }
    switch deletion.deed {
    case .delete:
      for part in KeySet(columns: deletion.shape.keyNames).conditions(for: keys) {
        let condition = SQL(unsafe: part.condition)
        try run(deletion.shape.schema.deleteSQL(where: condition), values: part.arguments)
      }
    case .mark: try markDeleted(deletion.shape, keys)
    case .restore: for key in keys { try restore(deletion.shape, key) }
    }
    return Set(deletion.keys).subtracting(keys)
  }

  /// Returns the keys of rows that still have the expected version, or no longer exist.
  private func keysToDelete(
    _ shape: TableMetadata, _ keys: [[SQLiteValue]], _ versions: [SQLiteValue], _ place: Int
  ) throws -> [[SQLiteValue]] {
    var found: [[SQLiteValue]] = []
    for (key, version) in zip(keys, versions) {
      guard let now = try storedValues(shape, key), now[place] != version else {
        found.append(key)
        continue
      }
      if shape.conflictPolicy == .throw { throw RelationError.conflict(shape, key, now) }
    }
    return found
  }

  // MARK: Deletion marks

  /// Marks rows as deleted, and the rows that a cascade would delete, with the same mark.
  private func markDeleted(_ shape: TableMetadata, _ keys: [[SQLiteValue]]) throws {
    let moment =
      try value(SQLiteValue.self, "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')") ?? .null
    var open = [(shape: shape, keys: keys)]
    while let (shape, keys) = open.popLast() {
      guard let deleted = shape.deleted, let live = shape.liveCondition, !keys.isEmpty else {
        continue
      }
      let mark: SQLiteValue = shape.columns[deleted].isFlag ? .integer(1) : moment
      for part in KeySet(columns: shape.keyNames).conditions(for: keys) {
        try run(
          shape.schema.updateSQL(
            [shape.columns[deleted].name], set: shape.versionStep,
            where: SQL(unsafe: "\(part.condition) AND \(live)")), values: [mark] + part.arguments)
      }
      for (child, columns) in try shape.marked() {
        guard let live = child.liveCondition else { continue }
        open.append((child, try self.keys(of: child, columns, keys, live, [])))
      }
    }
  }

  /// Returns the keys of rows that refer to other rows.
  private func keys(
    of shape: TableMetadata, _ columns: [String], _ targets: [[SQLiteValue]], _ condition: String,
    _ arguments: [SQLiteValue]
  ) throws -> [[SQLiteValue]] {
    let names = shape.keyNames.map { SQLName.quoted($0) }.joined(separator: ", ")
    var found: [[SQLiteValue]] = []
    for part in KeySet(columns: columns).conditions(for: targets) {
      found += try rows(
        "SELECT \(unsafe: names) FROM \(identifier: shape.table) "
          + "WHERE \(unsafe: part.condition) AND \(unsafe: condition)",
        values: part.arguments + arguments)
    }
    return found
  }

  /// Removes the deletion mark of a row, and of the rows that were marked together with it.
  private func restore(_ shape: TableMetadata, _ key: [SQLiteValue]) throws {
    var open = [(shape: shape, key: key)]
    while let (shape, key) = open.popLast() {
      guard let deleted = shape.deleted, let now = try storedValues(shape, key) else { continue }
      let mark = now[deleted]
      let column = shape.columns[deleted]
      let unmarking = "\(SQLName.quoted(column.name)) = \(column.isNotNull ? "0" : "NULL")"
      try run(
        shape.schema.updateSQL([], set: [SQL(unsafe: unmarking)] + shape.versionStep), values: key)
      // Flags don't indicate which rows were deleted together.
      if shape.columns[deleted].isFlag || mark.isNull { continue }
      for (child, columns) in try shape.marked() {
        guard let deleted = child.deleted, !child.columns[deleted].isFlag else { continue }
        let condition = "\(SQLName.quoted(child.columns[deleted].name)) = ?"
        open += try keys(of: child, columns, [key], condition, [mark]).map { (child, $0) }
      }
    }
  }
}

extension TableMetadata {
  /// The types whose rows are marked together with the rows of this type that they refer to, and the referring
  /// columns. Only types that this type refers to are considered.
  fileprivate func marked() throws -> [(TableMetadata, columns: [String])] {
    try TableMetadata.reachable(from: type).filter { $0.deleted != nil }.flatMap { other in
      other.referringColumns.filter { reference, _ in
        reference.target == type && reference.rules.onDelete == .cascade
      }.map { (other, $0.columns) }
    }
  }

  /// All foreign keys with their columns.
  private var referringColumns: [(reference: Reference, columns: [String])] {
    zip(columns, properties).compactMap { column, property in
      property.reference.map { ($0, [column.name]) }
    }
      + compositeReferences.map { ($0.reference, $0.columns.map { columns[$0].name }) }
  }
}

internal import SQLiteCore

extension Connection {
  /// Deletes rows or marks them as deleted.
  ///
  /// - Returns: The keys of rows that were kept because another connection has changed them.
  func run(_ deletion: Deletion) throws -> Set<[SQLiteValue]> {
    var keys = deletion.keys
    if let versions = deletion.versions, let place = deletion.metadata.version {
      keys = try unchangedKeys(deletion.metadata, keys, versions, place)
    }
    switch deletion.operation {
    case .delete:
      if let condition = KeyCondition(columns: deletion.metadata.keyNames, in: keys) {
        let sql = deletion.metadata.schema.deleteSQL(where: SQL(unsafe: condition.sql))
        try run(sql, values: condition.arguments)
      }
    case .mark: try markDeleted(deletion.metadata, keys)
    case .restore: for key in keys { try restore(deletion.metadata, key) }
    }
    return Set(deletion.keys).subtracting(keys)
  }

  /// Returns the keys of rows that still have the expected version, or no longer exist.
  private func unchangedKeys(
    _ metadata: TableMetadata, _ keys: [[SQLiteValue]], _ versions: [SQLiteValue], _ place: Int
  ) throws -> [[SQLiteValue]] {
    var found: [[SQLiteValue]] = []
    for (key, version) in zip(keys, versions) {
      guard let now = try storedValues(metadata, key), now[place] != version else {
        found.append(key)
        continue
      }
      if metadata.conflictPolicy == .throw { throw RelationError.conflict(metadata, key, now) }
    }
    return found
  }

  // MARK: Deletion marks

  /// Marks rows as deleted, and the rows that a cascade would delete, with the same mark.
  private func markDeleted(_ metadata: TableMetadata, _ keys: [[SQLiteValue]]) throws {
    let timestamp =
      try value(SQLiteValue.self, "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')") ?? .null
    var pending = [(metadata: metadata, keys: keys)]
    while let (metadata, keys) = pending.popLast() {
      guard let deleted = metadata.deleted, let live = metadata.liveCondition,
        let condition = KeyCondition(columns: metadata.keyNames, in: keys)
      else { continue }
      let mark: SQLiteValue = metadata.columns[deleted].isFlag ? .integer(1) : timestamp
      try run(
        metadata.schema.updateSQL(
          [metadata.columns[deleted].name], set: metadata.versionStep,
          where: SQL(unsafe: "\(condition.sql) AND \(live)")),
        values: [mark] + condition.arguments)
      for (child, columns) in try metadata.marked() {
        guard let live = child.liveCondition else { continue }
        pending.append((child, try self.keys(of: child, columns, keys, live, [])))
      }
    }
  }

  /// Returns the keys of rows that refer to other rows.
  private func keys(
    of metadata: TableMetadata, _ columns: [String], _ targets: [[SQLiteValue]],
    _ condition: String,
    _ arguments: [SQLiteValue]
  ) throws -> [[SQLiteValue]] {
    guard let isReferring = KeyCondition(columns: columns, in: targets) else { return [] }
    let names = metadata.keyNames.map { SQLName.quoted($0) }.joined(separator: ", ")
    return try rows(
      "SELECT \(unsafe: names) FROM \(identifier: metadata.table) "
        + "WHERE \(unsafe: isReferring.sql) AND \(unsafe: condition)",
      values: isReferring.arguments + arguments)
  }

  /// Removes the deletion mark of a row, and of the rows that were marked together with it.
  private func restore(_ metadata: TableMetadata, _ key: [SQLiteValue]) throws {
    var pending = [(metadata: metadata, key: key)]
    while let (metadata, key) = pending.popLast() {
      guard let deleted = metadata.deleted, let now = try storedValues(metadata, key) else {
        continue
      }
      let mark = now[deleted]
      let column = metadata.columns[deleted]
      let unmarking = "\(SQLName.quoted(column.name)) = \(column.isNotNull ? "0" : "NULL")"
      try run(
        metadata.schema.updateSQL([], set: [SQL(unsafe: unmarking)] + metadata.versionStep),
        values: key)
      // Flags don't indicate which rows were deleted together.
      if metadata.columns[deleted].isFlag || mark.isNull { continue }
      for (child, columns) in try metadata.marked() {
        guard let deleted = child.deleted, !child.columns[deleted].isFlag else { continue }
        let condition = "\(SQLName.quoted(child.columns[deleted].name)) = ?"
        pending += try keys(of: child, columns, [key], condition, [mark]).map { (child, $0) }
      }
    }
  }
}

extension TableMetadata {
  /// The types whose rows are marked together with the rows of this type that they refer to, and
  /// the referring columns. Only types that this type refers to are considered.
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

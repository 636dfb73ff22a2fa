internal import SQLiteCore

extension StatementWriter {
  /// Writes the statement that inserts records with the same columns.
  mutating func writeInsert(
    _ route: DatabaseRoute, _ records: ArraySlice<DatabaseRoute.Record>,
    check: DatabaseRoute.Filter?, _ scope: Scope
  ) throws {
    let columns =
      try records.first.map { record throws(RouterError) in try writable(record, scope) } ?? []
    write("INSERT \(Dialect.writeModifier(for: scope.table))INTO \(Self.source(scope.table))")
    if columns.isEmpty {
      guard route.conflict == nil else {
        throw RouterError.invalid("an upsert needs the values of its conflict target")
      }
      write(" DEFAULT VALUES")
    } else {
      write(" (\(columns.map { SQLName.quoted($0) }.joined(separator: ", ")))")
      try Dialect.writeValues(of: records, into: columns, of: scope.table, to: &self)
    }
    if let conflict = route.conflict {
      try writeConflict(conflict, columns, check, scope)
    }
    try writeReturning(route, check, scope)
  }

  private mutating func writeConflict(
    _ conflict: DatabaseRoute.Conflict, _ columns: [String], _ check: DatabaseRoute.Filter?,
    _ scope: Scope
  ) throws {
    guard writesText else {
      if conflict.resolution == .merge { try writeWhere(check, in: scope) }
      return
    }
    let target = try conflict.target.map { column throws(RouterError) in
      guard column.path.isEmpty else { throw .invalid("a conflict target is a whole column") }
      return try scope.table.routeColumn(column.name).name
    }
    let key = target.isEmpty ? scope.table.primaryKey.map(\.name) : target
    guard !key.isEmpty else {
      throw RouterError.invalid(
        "\(scope.table.name.name) has no primary key: specify the columns of a unique index")
    }
    guard scope.table.isConflictTarget(key) else {
      throw RouterError.invalid(
        "\(scope.table.name.name) has no unique index on \(key.joined(separator: ", "))")
    }
    write(" ON CONFLICT (\(key.map { SQLName.quoted($0) }.joined(separator: ", "))) DO ")
    if conflict.resolution == .ignore { return write("NOTHING") }
    var changed = columns.filter { !key.contains($0) }
    // If no column changes, the row must still be returned.
    if changed.isEmpty { changed = key }
    write("UPDATE SET ")
    write(
      changed.map { "\(SQLName.quoted($0)) = excluded.\(SQLName.quoted($0))" }
        .joined(separator: ", "))
    try writeWhere(check, in: scope)
  }

  /// Writes the statement of an update.
  mutating func writeUpdate(
    _ route: DatabaseRoute, _ record: DatabaseRoute.Record, check: DatabaseRoute.Filter?,
    _ scope: Scope
  ) throws {
    let columns = try writable(record, scope)
    guard !columns.isEmpty else { throw RouterError.invalid("an update needs at least one column") }
    write("UPDATE \(Dialect.writeModifier(for: scope.table))\(Self.source(scope.table)) SET ")
    try writeEach(zip(columns, record.fields)) { writer, part in
      writer.write("\(SQLName.quoted(part.0)) = ")
      writer.bind(part.1.value)
    }
    try writeWhere(route.filter, in: scope)
    try writeReturning(route, check, scope)
  }

  /// Writes the statement of a deletion.
  mutating func writeDelete(_ route: DatabaseRoute, _ scope: Scope) throws {
    write("DELETE FROM \(Self.source(scope.table))")
    try writeWhere(route.filter, in: scope)
    try writeReturning(route, nil, scope)
  }

  private mutating func writeReturning(
    _ route: DatabaseRoute, _ check: DatabaseRoute.Filter?, _ scope: Scope
  ) throws {
    let returnsRows = route.returning == .representation
    guard returnsRows || check != nil else { return }
    if scope.table.kind == .virtual {
      throw RouterError(
        code: .unsupported,
        message: "\(scope.table.name.name) is a virtual table, which can't return written rows",
        table: scope.table.name.name)
    }
    write(" RETURNING ")
    if returnsRows { try writeResult(route.columns, route.embeds, scope) }
    guard let check else { return }
    if returnsRows { write(", ") }
    try write(check, in: scope)
    write(" AS \(SQLName.quoted(StatementText.checkColumn))")
  }

  /// Returns the column names of a record as spelled in the database.
  private func writable(
    _ record: DatabaseRoute.Record, _ scope: Scope
  ) throws(RouterError) -> [String] {
    guard writesText else { return record.fields.map { _ in "" } }
    var names: [String] = []
    for field in record.fields {
      guard field.column.path.isEmpty else {
        throw .invalid("a part of JSON can't be written", column: field.column.name)
      }
      let column = try scope.table.routeColumn(field.column.name)
      guard column.name.isSameName(as: field.column.name) else {
        throw .unknownColumn(
          field.column.name, of: scope.table.name.name, known: scope.table.columns.map(\.name))
      }
      guard column.kind == .stored else {
        throw .invalid("\(column.name) is computed, and can't be written", column: column.name)
      }
      guard !names.contains(column.name) else {
        throw .invalid("\(column.name) is written twice", column: column.name)
      }
      names.append(column.name)
    }
    return names
  }
}

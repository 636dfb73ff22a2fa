internal import QueryModel
internal import SQLSyntax

/// Inserts of rows that a parameter supplies: `VALUES :rows` and `VALUES (:row.*)`.
extension Resolver {
  /// Records that the parameter's rows are stored in the columns, and the placeholders that SQLite
  /// prepares in its place.
  ///
  /// - Returns: The values that the statement writes, by column.
  mutating func store(
    _ rows: InsertedRows, of insert: Insert, _ columns: [SourceColumn?], _ table: Table
  ) -> [NameKey: SelectColumn] {
    guard let number = parameters.number(rows.parameter) else { return [:] }
    let placeholders = columns.map { _ in "?" }.joined(separator: ", ")
    starTexts[rows.span] = "(\(placeholders))"
    let known = columns.compactMap(\.self)
    // An unknown column was reported.
    guard known.count == columns.count else { return [:] }
    let uses = known.map { column in
      ParameterTable.Use(
        type: column.type == .any ? nil : column.type, acceptsNull: column.isNullable,
        name: known.count == 1 && rows.isList ? plural(column.name) : column.name,
        provenance: column.provenance)
    }
    guard record(uses, to: number, at: rows.parameter.span) else { return [:] }
    let isWhole =
      (known.count > 1 || insert.columns.isEmpty)
      && known.map(\.key) == table.columns.filter { !$0.isHidden }.map(\.key)
    parameters.add(
      ParameterTable.Insertion(
        span: rows.span, isList: rows.isList, table: isWhole ? table.modelName : nil),
      storing: known.map { !$0.replacesNull }, to: number)
    let value = TypedExpression(kind: .parameter(number), type: nil, span: rows.span)
    var written: [NameKey: SelectColumn] = [:]
    for column in known {
      written[column.key] = SelectColumn(value, name: column.name, nullability: Nullability())
    }
    return written
  }
}

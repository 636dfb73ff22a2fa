internal import QueryModel
internal import SQLSyntax

/// `CREATE TABLE`, with the checks that SQLite makes when the table is defined.
extension Resolver {
  /// The table that a definition makes. Errors are reported; the table is as good as can be.
  mutating func makeTable(
    _ node: CreateTable, database: NameKey, documentation: [String]
  ) -> Table {
    var table: Table
    switch node.body {
    case .select(let select):
      let rows = resolveSelect(select, parent: nil, commonTables: nil)
      table = Table(
        name: node.name.name.text, database: database,
        kind: .table(StoredStatement(node: node, source: source)),
        columns: rows.sourceColumns().map(Column.init(selected:)))
    case .definition(let definition):
      var builder = TableBuilder(
        Table(
          name: node.name.name.text, database: database,
          kind: .table(StoredStatement(node: node, source: source)), columns: []))
      builder.build(definition, &self)
      table = builder.table
      table.noteAllowedValues(definition)
      noteComments(
        on: &table, definition.columns.map(\.span), in: definition.span)
    }
    table.documentation = documentation.isEmpty ? nil : documentation.joined(separator: "\n")
    return table
  }
}

extension Resolver {
  /// Notes what the comments within `span` say of a table's columns, which stand at `columns`.
  mutating func noteComments(on table: inout Table, _ columns: [ByteSpan], in span: ByteSpan) {
    let first = table.columns.count - columns.count
    for (index, notes) in ColumnNotes.read(source, in: span, columns: columns).enumerated() {
      table.columns[first + index].annotation = notes.annotation
      table.columns[first + index].documentation =
        notes.documentation.isEmpty ? nil : notes.documentation.joined(separator: "\n")
      if let (names, place) = notes.caseNames {
        let count = table.columns[first + index].allowed?.count
        if count == names.count {
          table.columns[first + index].allowed?.names = names
        } else {
          warnOfNotes(
            at: place,
            count.map { "`AS ENUM` has \(names.count) names for the \($0) values of the CHECK" }
              ?? "`AS ENUM` needs a CHECK that lists the column's texts or integers")
        }
      }
      for place in notes.malformed {
        warnOfNotes(
          at: place,
          "a comment that begins with `AS` is to go on with a Swift type, and perhaps with "
            + "`USING` and what converts it, or with `ENUM` and names that differ")
      }
    }
  }

  private mutating func warnOfNotes(at span: ByteSpan, _ message: String) {
    diagnostics.append(
      Diagnostic(.malformedAnnotation, severity: .warning, at: span, message))
  }
}

extension Column {
  /// A column of `CREATE TABLE … AS SELECT`, which keeps the affinity alone.
  fileprivate init(selected column: SourceColumn) {
    let declared =
      switch column.affinity {
      case .integer: "INT"
      case .real: "REAL"
      case .text: "TEXT"
      case .numeric: "NUM"
      case .some(.none), nil: ""
      }
    self.init(column.name, declaredType: declared)
  }

  /// A column as it is declared, before its constraints.
  init(_ node: SQLSyntax.ColumnDefinition) {
    self.init(node.name.text, declaredType: node.type?.name ?? "")
  }
}

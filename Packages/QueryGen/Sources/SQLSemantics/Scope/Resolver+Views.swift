internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// The rows of a view, resolved anew wherever it is used, or `nil` where an error was reported.
  mutating func resolveView(
    _ table: Table, _ definition: StoredStatement<CreateView>, at span: ByteSpan
  ) -> ResolvedSelect? {
    let key = NameKey(table.name)
    guard !openViews.contains(key) else {
      report(.circularReference, at: span, "view `\(table.name)` is circularly defined")
      return nil
    }
    let memoryKey = AccessLog.TableKey(database: table.database, name: table.name)
    if let known = memory.views[memoryKey] { return known }
    var inner = forStored(definition.source)
    inner.openViews = openViews + [key]
    inner.homeDatabase = table.database
    let rows = inner.resolveSelect(definition.node.select, parent: nil, commonTables: nil)
    adopt(inner)
    if let first = inner.diagnostics.first {
      report(
        .brokenObject, at: span, "view `\(table.name)` cannot be used: \(first.message)")
      return nil
    }
    let names = definition.node.columns
    if countsViewColumns, !names.isEmpty, names.count != rows.columns.count {
      report(
        .columnCount, at: span,
        "expected \(names.count) columns for '\(table.name)' but got \(rows.columns.count)")
      return nil
    }
    guard !rows.isUnknown else { return nil }
    memory.views[memoryKey] = rows
    return rows
  }
}

extension ReferenceLog {
  /// Notes that a column of the schema is named.
  mutating func note(_ origin: ColumnOrigin, column: ByteSpan, table: ByteSpan?) {
    entries.append(
      Entry(
        database: origin.database, table: NameKey(origin.table),
        column: NameKey(origin.column), span: column))
    if let table {
      entries.append(
        Entry(
          database: origin.database, table: NameKey(origin.table), column: nil, span: table))
    }
  }

  /// Notes that a table of the schema is named.
  mutating func note(_ table: Table, span: ByteSpan) {
    entries.append(
      Entry(database: table.database, table: NameKey(table.name), column: nil, span: span))
  }
}

internal import Primitives
internal import QueryModel
internal import SQLSyntax

extension Resolver {
  mutating func resolve(
    _ insert: Insert, root: Scope? = nil, outer: CommonTables? = nil
  ) -> ResolvedDML {
    let commonTables = makeCommonTables(insert.with, parent: root, outer: outer)
    var result = ResolvedDML()
    let table = findTarget(insert.table, for: .insert)
    let columns = table.flatMap { insertColumns(insert, $0) }
    var written: [NameKey: SelectColumn] = [:]
    switch insert.source {
    case .select(let select):
      let resolved = resolveSelect(
        select, parent: root, commonTables: commonTables,
        target: InsertTarget(
          columns: columns ?? [], isValues: select.with == nil && select.rest.isEmpty,
          required: table.map { requiredColumns(of: $0, insert) } ?? []))
      if let table, let columns {
        for case (let column?, let value) in zip(columns, resolved.columns) {
          written[column.key] = value
        }
        checkValueCount(insert, table, columns, resolved, select)
      }
      result.rowCount = resolved.rowCount
    case .defaultValues:
      result.rowCount = .one
      if let first = insert.columns.first, table != nil {
        report(.valueCount, at: first.span, "0 values for \(insert.columns.count) columns")
      }
    case .rows(let rows):
      result.rowCount = rows.isList ? .many : .one
      if let table, let columns { written = store(rows, of: insert, columns, table) }
    }
    guard let table else { return result }
    checkDefaults(insert, table)
    checkMissingValues(insert, table)
    for upsert in insert.upserts {
      resolve(upsert, insert, table, root: root, commonTables: commonTables)
    }
    let rowCount = result.rowCount
    result = resolveReturning(
      insert.returning, of: table, by: .insert, span: insert.table.name.span,
      commonTables: commonTables, written: written)
    result.rowCount = rowCount
    if insert.maySkipRows || mayDropRows(table) { result.rowCount.isAtLeastOne = false }
    checkTriggers(of: table, for: .insert, columns: [], at: insert.table.name.span)
    if !insert.upserts.allSatisfy(\.doesNothing) {
      checkTriggers(of: table, for: .update, columns: [], at: insert.table.name.span)
    }
    return result
  }

  /// Reports an insert that uses a default value with an unknown function.
  private mutating func checkDefaults(_ insert: Insert, _ table: Table) {
    if insert.setsAllColumns { return }
    let given = Set(insert.columns.map { NameKey($0.text) })
    for column in table.columns where !given.contains(column.key) {
      guard let name = column.unknownDefaultFunction else { continue }
      report(
        .unknownFunction, at: insert.table.name.span,
        "the default of column `\(column.name)` calls an unknown function: `\(name)()`")
    }
  }

  /// Returns the columns that receive the values, in order. An element is `nil` if the column is
  /// unknown; the result is `nil` if all columns are unknown.
  private mutating func insertColumns(_ insert: Insert, _ table: Table) -> [SourceColumn?]? {
    let target = makeSource(table, alias: nil, at: insert.table.name.span, isRead: false)
    guard !target.isUnknown else { return nil }
    guard !insert.columns.isEmpty else {
      return target.columns.enumerated().filter { index, column in
        !column.isHidden && !(index < table.columns.count && table.columns[index].isGenerated)
      }.map(\.element)
    }
    return insert.columns.map { name in
      let key = NameKey(name.text)
      if let index = target.columns.firstIndex(where: { $0.key == key }) {
        if index < table.columns.count, table.columns[index].isGenerated {
          report(
            .generatedColumn, at: name.span,
            "cannot INSERT into generated column `\(name.text)`")
        }
        if let origin = target.columns[index].origin {
          references?.record(origin, column: name.span, table: nil)
        }
        return insertable(target.columns[index], index, table)
      }
      if key.isRowID, table.hasRowID, !table.isView {
        return SourceColumn(
          name: name.text, key: key, type: .integer, affinity: .integer, isNullable: true,
          collation: "BINARY", replacesNull: true)
      }
      var diagnostic = Diagnostic(
        .unknownColumn, at: name.span,
        "table `\(table.name)` has no column named `\(name.text)`")
      if let nearest = EditDistance.nearest(
        to: name.text, among: table.columns.map(\.name))
      {
        diagnostic.message += "; did you mean `\(nearest)`?"
        diagnostic.fixIt = source.fixIt(replacing: name.text, atEndOf: name.span, with: nearest)
      }
      diagnostics.append(diagnostic)
      return nil
    }
  }

  /// Returns the column as the target of an insert. `NULL` for an `INTEGER PRIMARY KEY` lets SQLite
  /// choose the value.
  private func insertable(_ column: SourceColumn, _ index: Int, _ table: Table) -> SourceColumn {
    guard table.rowIDAlias == index else { return column }
    var column = column
    column.isNullable = true
    column.replacesNull = true
    return column
  }

  private mutating func checkValueCount(
    _ insert: Insert, _ table: Table, _ columns: [SourceColumn?], _ rows: ResolvedSelect,
    _ select: Select
  ) {
    guard !rows.isUnknown, rows.columns.count != columns.count else { return }
    let count = rows.columns.count
    let message =
      insert.columns.isEmpty
      ? "table `\(table.name)` has \(columns.count) columns but \(count) values were supplied"
      : "\(count) values for \(columns.count) columns"
    report(.valueCount, at: select.span, message)
  }

  private mutating func resolve(
    _ upsert: Upsert, _ insert: Insert, _ table: Table, root: Scope?,
    commonTables: CommonTables?
  ) {
    if table.isView {
      report(.upsertTarget, at: upsert.span, "cannot UPSERT a view")
      return
    }
    if table.isVirtual {
      report(
        .upsertTarget, at: upsert.span,
        "UPSERT not implemented for virtual table \"\(table.name)\"")
      return
    }
    let target = makeTarget(table, alias: insert.table.alias, at: insert.table.name.span)
    var excluded = Source(id: makeSourceID(), table: table, alias: "excluded")
    excluded.database = nil
    let scope = Scope(
      id: makeScopeID(), parent: root, sources: [target], pseudoSources: [excluded],
      commonTables: commonTables)
    trace?.scope(upsert.span, scope)
    let targetCondition = upsert.targetWhere.map { resolveScalar($0, in: scope) }
    if !upsert.target.isEmpty { checkTarget(upsert, table, where: targetCondition, in: scope) }
    guard case .update(let assignments, let condition) = upsert.action else { return }
    let written = resolveAssignments(
      assignments, of: table, columns: target.columns, in: scope)
    var nullability = Nullability()
    if let condition { nullability.assume(resolveScalar(condition, in: scope)) }
    checkAssignments(
      assignments, written, required: requiredColumns(of: table, insert.conflict), nullability)
  }

  /// Checks that the target of `ON CONFLICT (…)` is the rowid or matches a unique key.
  private mutating func checkTarget(
    _ upsert: Upsert, _ table: Table, where condition: TypedExpression?, in scope: Scope
  ) {
    var columns: [(index: Int?, collation: String?, expression: TypedExpression)] = []
    let known = diagnostics.count
    for term in upsert.target {
      if term.nulls != nil {
        report(.prohibitedHere, at: term.span, "unsupported use of NULLS")
      }
      let expression = resolveScalar(term.expression, in: scope)
      let collation: String? =
        if case .collate(_, let name) = expression.kind { name } else { nil }
      columns.append((expression.column?.column, collation, expression.stripped))
    }
    guard diagnostics.count == known else { return }
    let rowID = table.rowIDAlias ?? ResolvedColumn.rowID
    if table.hasRowID, columns.count == 1, columns[0].index == rowID, columns[0].collation == nil {
      return
    }
    // Index expressions are already valid; they are resolved only for comparison.
    var trial = self
    trial.trace = nil
    func compared(_ expression: Expression) -> TypedExpression {
      trial.resolveScalar(expression, in: scope)
    }
    let isKey = table.keys.contains { key in
      guard key.parts.count == columns.count,
        !(key.isPrimary && table.rowIDAlias != nil)
      else { return false }
      if let partial = key.condition {
        guard condition?.isSameExpression(as: compared(partial)) == true else { return false }
      }
      return key.parts.allSatisfy { part in
        columns.contains { column in
          let collation = part.collation.isEmpty ? "BINARY" : part.collation
          guard column.collation.map({ NameKey($0) == NameKey(collation) }) ?? true else {
            return false
          }
          if let index = part.column { return column.index == index }
          return column.index == nil
            && part.expression.map { compared($0).stripped.isSameExpression(as: column.expression) }
              ?? false
        }
      }
    }
    if !isKey {
      report(
        .upsertTarget, at: upsert.span,
        "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint")
    }
  }
}

extension Insert {
  /// Indicates whether a conflicting row is skipped without an error.
  fileprivate var maySkipRows: Bool {
    conflict == .ignore
      || upserts.contains { upsert in
        switch upsert.action {
        case .nothing: true
        case .update(_, let condition): condition != nil
        }
      }
  }
}

extension Upsert {
  fileprivate var doesNothing: Bool {
    if case .nothing = action { true } else { false }
  }
}

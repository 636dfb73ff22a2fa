internal import QueryModel
internal import SQLSyntax

/// The details of a column of a join in parentheses.
struct GroupColumn: Sendable {
  /// The column's source; `nil` if `USING` merges several columns.
  let qualifier: Qualifier?
  /// The column's name in its source.
  let key: NameKey
  /// Indicates whether the group's own `USING` merges several columns to this one.
  let isMerged: Bool
  /// Indicates whether `*` around the group includes the column.
  var isInStar: Bool
  var expression: TypedExpression

  /// The name with which the columns of one source are qualified.
  struct Qualifier: Hashable, Sendable {
    let schema: NameKey
    let table: NameKey?
  }

  func matches(_ wanted: ColumnName) -> Bool {
    guard wanted.column == key else { return false }
    guard let table = wanted.table else { return true }
    return qualifier?.table == table
      && (wanted.schema == nil || qualifier?.schema == wanted.schema)
  }
}

/// Joins in parentheses. SQLite 3.39 and later resolve `a JOIN (b JOIN c)` as a subquery that
/// selects all columns of `b` and `c`, whose columns can still be qualified by `b` and `c`.
///
/// See https://www.sqlite.org/lang_select.html#the_from_clause.
extension Resolver {
  /// Creates the source for a join in parentheses. Only its own sources are visible in its
  /// conditions.
  ///
  /// - Parameter node: The parentheses; `nil` for the sources of an `UPDATE`, which SQLite treats
  ///   like a join in parentheses.
  mutating func makeGroup(
    _ inner: ResolvedFrom, _ node: ParenthesizedSource?, _ from: inout ResolvedFrom,
    parent: Scope?, _ commonTables: CommonTables?, isOptional: Bool, at span: ByteSpan
  ) -> Source {
    var inner = inner
    let scope = Scope(
      id: makeScopeID(), parent: parent, sources: inner.sources, commonTables: commonTables)
    inner.resolveArguments(&self, in: scope)
    inner.resolveConditions(&self, in: scope)
    from.adopt(inner, isOptional: isOptional)
    if inner.sources.count == 1, var only = inner.sources.first {
      // The alias after the parentheses replaces the one inside, even if there is none.
      only.hasAlias = node?.alias != nil
      only.label = node?.alias?.text ?? node?.from.first.tableName ?? ""
      only.name = only.label.isEmpty ? nil : NameKey(only.label)
      only.aliasPosition = only.label.isEmpty && !only.isGroup ? span.end : nil
      return only
    }
    var group = Source(
      id: makeSourceID(), name: node?.alias.map { NameKey($0.text) },
      label: node?.alias?.text ?? "", columns: [], members: inner.sources)
    if let names = addColumns(to: &group, span) {
      nameColumns(of: &group, names)
    } else {
      group.groupColumns = []
      group.isUnknown = true
      for index in group.members.indices { group.members[index].isUnknown = true }
    }
    return group
  }

  /// Adds the columns of a group: for each source, the columns that the next source's `USING`
  /// names, and then all columns.
  ///
  /// - Returns: The columns' names; `nil` if an error was reported.
  private mutating func addColumns(to group: inout Source, _ span: ByteSpan) -> [String]? {
    let members = group.members
    var names: [String] = []
    for (position, member) in members.enumerated() {
      let nextJoined = position + 1 < members.count ? members[position + 1].joined : []
      for column in nextJoined {
        guard
          let expression = find(
            ColumnName(column: column.key), among: members, in: ScopeID(value: 0), span)
        else { return nil }
        names.append(column.text)
        group.groupColumns.append(
          GroupColumn(
            qualifier: nil, key: column.key, isMerged: true, isInStar: true,
            expression: expression))
      }
      for (index, column) in member.columns.enumerated() where !column.isHidden {
        guard
          let expression = qualified(member, index, among: members, in: ScopeID(value: 0), span)
        else { return nil }
        let detail = member.isGroup ? member.groupColumns[index] : nil
        names.append(column.name)
        group.groupColumns.append(
          GroupColumn(
            qualifier: detail.map(\.qualifier)
              ?? .init(schema: member.schema, table: member.name),
            key: detail?.key ?? column.key, isMerged: false,
            isInStar: detail?.isInStar ?? true && !member.joins(column.key)
              && !nextJoined.contains { $0.key == column.key }, expression: expression))
      }
    }
    return names
  }

  /// Gives the columns of a group distinct names. A column that first gets the name of a merged
  /// column is not part of `*`.
  private func nameColumns(of group: inout Source, _ names: [String]) {
    var merged: Set<NameKey> = []
    for (index, name) in ResolvedSelect.distinct(names).enumerated() {
      let column = group.groupColumns[index]
      let rejected = ResolvedSelect.rejectedNames(before: name, of: names[index])
      group.groupColumns[index].isInStar = column.isInStar && merged.isDisjoint(with: rejected)
      if column.isMerged { merged.insert(NameKey(name)) }
      let value = column.expression
      group.columns.append(
        SourceColumn(
          name: name, key: NameKey(name), type: value.type, affinity: value.affinity,
          isNullable: true, collation: value.collation?.name ?? "BINARY"))
    }
  }

  /// Returns a column of one of the sources as `*` refers to it: by its schema, table and name.
  mutating func qualified(
    _ source: Source, _ index: Int, among sources: [Source], in scope: ScopeID, _ span: ByteSpan
  ) -> TypedExpression? {
    guard let name = source.name,
      sources.contains(where: { $0.id != source.id && ($0.isGroup || $0.name == name) })
    else { return source.expression(index, in: scope, span) }
    let column = source.columns[index]
    return find(
      ColumnName(
        schema: source.isGroup ? nil : source.schema, table: name, column: column.key,
        description: "\(source.label).\(column.name)"), among: sources, in: scope, span)
  }

  /// Returns the column with the given name, or reports an error.
  mutating func find(
    _ name: ColumnName, among sources: [Source], in scope: ScopeID, _ span: ByteSpan
  ) -> TypedExpression? {
    var search = ColumnSearch(wanted: name, scope: scope, span: span)
    search.visit(sources)
    if let result = search.result { return result }
    if search.count > 0 {
      report(.ambiguousColumn, at: span, "ambiguous column name: `\(name.description)`")
    } else if !sources.flatMap(\.leaves).contains(where: \.isUnknown) {
      report(.unknownColumn, at: span, "no such column: `\(name.description)`")
    }
    return nil
  }
}

extension TypedExpression {
  /// Marks the columns that the expression reads as columns of optional sources.
  mutating func makeOptional() {
    switch kind {
    case .column(var column):
      column.isOptional = true
      kind = .column(column)
    case .merged(var parts, let name):
      for index in parts.indices { parts[index].makeOptional() }
      kind = .merged(parts, name: name)
    default: break
    }
  }

  /// Sets the name of a column of a join in parentheses.
  mutating func setGroupName(_ name: String) {
    switch kind {
    case .column(var column):
      column.groupName = name
      kind = .column(column)
    case .merged(let parts, _): kind = .merged(parts, name: name)
    default: break
    }
  }
}

extension TableSource {
  /// The table's or function's name, without its alias; `nil` for a subquery or a join.
  fileprivate var tableName: String? {
    switch self {
    case .table(let node): node.name.name.text
    case .function(let node): node.name.name.text
    case .subquery: nil
    case .parenthesized(let node): node.from.joins.isEmpty ? node.from.first.tableName : nil
    }
  }
}

internal import SQLiteCore

/// Writes the statement of a route: its text if it is not cached, and in the same pass the values, so that their order
/// always matches.
///
/// Names of a route are never inserted into the text: the names of the database are written, in quotes.
struct StatementWriter {
  let catalog: Catalog
  let settings: SharedSettings
  /// Indicates whether to write the text. Otherwise the text is cached, and only the values are collected.
  let writesText: Bool
  private(set) var text = ""
  private(set) var values: [any SQLiteBindable] = []
  private var aliasCount = 0
  private var aliasPrefix: String
  var termCount = 0

  /// A table in the statement, with the alias that qualifies its columns.
  struct Scope {
    let table: TableSchema
    let alias: String
    /// The route that selects and aggregates the columns, if the rows are groups of the table's rows.
    var groups: DatabaseRoute?
  }

  init(
    _ table: TableSchema, catalog: Catalog, settings: SharedSettings, writesText: Bool
  ) {
    self.catalog = catalog
    self.settings = settings
    self.writesText = writesText
    aliasPrefix = "holt"
    while writesText, table.name.name.lowercased().hasPrefix(aliasPrefix) {
      aliasPrefix = "_" + aliasPrefix
    }
  }

  /// Returns an alias that is unique in the statement.
  mutating func freshAlias() -> String {
    aliasCount += 1
    return "\(aliasPrefix) \(aliasCount)"
  }

  @inline(__always)
  mutating func write(_ sql: @autoclosure () -> String) {
    if writesText { text += sql() }
  }

  /// Writes a parameter.
  mutating func bind(_ value: SQLiteValue) { bind(.value(value)) }

  mutating func bind(list values: [SQLiteValue]) { bind(.list(values)) }

  private mutating func bind(_ value: DatabaseRoute.CustomStatement.Argument) {
    values.append(value)
    if writesText { text += "?\(values.count)" }
  }

  /// Writes a column, or the part of its JSON.
  mutating func write(_ column: DatabaseRoute.Column, in scope: Scope) throws {
    if let groups = scope.groups { return try write(column, of: groups, in: scope) }
    let name = writesText || !column.path.isEmpty ? try scope.table.column(column.name).name : ""
    guard !column.path.isEmpty else {
      return write("\(SQLName.quoted(scope.alias)).\(SQLName.quoted(name))")
    }
    write("json_extract(\(SQLName.quoted(scope.alias)).\(SQLName.quoted(name)), ")
    bind(.text(try path(column)))
    write(")")
  }

  /// Returns a path in the form of SQLite's JSON functions.
  private func path(_ column: DatabaseRoute.Column) throws(RouterError) -> String {
    var path = "$"
    for step in column.path {
      switch step {
      case .index(let index):
        guard index >= 0 else { throw .invalid("an index in JSON must not be negative") }
        path += "[\(index)]"
      case .key(let key):
        // Within quotes all other characters are literal; these can't be escaped.
        guard !key.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == 0 || $0 == 92 }) else {
          throw .invalid(
            "a key with a quote, a backslash or a NUL can't be looked up in JSON",
            column: column.name)
        }
        path += ".\"\(key)\""
      }
    }
    return path
  }

  /// Writes parts with a separator.
  mutating func writeEach<Part>(
    _ parts: some Sequence<Part>, separator: String = ", ",
    _ body: (inout StatementWriter, Part) throws -> Void
  ) throws {
    var isFirst = true
    for part in parts {
      if !isFirst { write(separator) }
      isFirst = false
      try body(&self, part)
    }
  }

  /// Returns the qualified name of a table for `FROM` and `INTO`.
  static func source(_ table: TableSchema) -> String {
    "\(SQLName.quoted(table.name.schema)).\(SQLName.quoted(table.name.name))"
  }
}

extension StatementWriter {
  /// Writes a select of aggregates, without its order and limit. The selected columns define the groups.
  mutating func writeGroups(
    _ route: DatabaseRoute, _ scope: Scope
  ) throws -> Scope {
    guard route.embeds.isEmpty else {
      throw RouterError.invalid("embedded rows can't be combined with aggregates")
    }
    guard route.page == nil else {
      throw RouterError.invalid("pages can't be combined with aggregates")
    }
    try checkNames(of: route, scope)
    write("SELECT ")
    try writeResult(route.columns, [], scope, all: false)
    if !route.columns.isEmpty { write(", ") }
    try writeEach(route.aggregates) { writer, aggregate in
      try writer.write(aggregate, in: scope)
      writer.write(" AS \(SQLName.quoted(aggregate.name))")
    }
    write(" FROM \(Self.source(scope.table))")
    try writeWhere(route.filter, in: scope)
    if !route.columns.isEmpty {
      // By their positions in the result, because these are the displayed values.
      write(" GROUP BY \(route.columns.indices.map { String($0 + 1) }.joined(separator: ", "))")
    }
    var grouped = scope
    grouped.groups = route
    if let filter = route.groupFilter {
      guard !route.columns.isEmpty else {
        throw RouterError.invalid("a group filter requires selected columns, which define groups")
      }
      write(" HAVING ")
      try write(filter, in: grouped)
    }
    return grouped
  }

  /// Writes a column of a grouped result.
  mutating func write(
    _ column: DatabaseRoute.Column, of groups: DatabaseRoute, in scope: Scope
  ) throws {
    var plain = scope
    plain.groups = nil
    let index = try index(of: column, in: groups, scope)
    if index < groups.columns.count { return try write(column, in: plain) }
    try write(groups.aggregates[index - groups.columns.count], in: plain)
  }

  /// Returns the index of a column in a grouped result.
  func index(
    of column: DatabaseRoute.Column, in groups: DatabaseRoute, _ scope: Scope
  ) throws(RouterError) -> Int {
    if column.path.isEmpty,
      let index = groups.aggregates.firstIndex(where: { $0.name.isSameName(as: column.name) })
    {
      return groups.columns.count + index
    }
    guard let name = try? scope.table.column(column.name).name else {
      throw .unknownColumn(
        column.name, of: scope.table.name.name,
        known: scope.table.columns.map(\.name) + groups.aggregates.map(\.name))
    }
    for (index, grouped) in groups.columns.enumerated() where grouped.path == column.path {
      if try scope.table.column(grouped.name).name == name { return index }
    }
    throw .invalid("\(column) is neither selected nor an aggregate", column: column.name)
  }

  private mutating func write(
    _ aggregate: DatabaseRoute.Aggregate, in scope: Scope
  ) throws {
    let function =
      switch aggregate.function {
      case .count: "count"
      case .sum: "sum"
      case .average: "avg"
      case .minimum: "min"
      case .maximum: "max"
      default:
        throw RouterError(
          code: .unsupported, message: "SQLite has no function \(aggregate.function)",
          table: scope.table.name.name)
      }
    write("\(function)(")
    if let column = aggregate.column {
      if aggregate.isDistinct { write("DISTINCT ") }
      try write(column, in: scope)
    } else {
      guard aggregate.function == .count, !aggregate.isDistinct else {
        throw RouterError.invalid("\(aggregate.function) requires a column")
      }
      write("*")
    }
    write(")")
    guard let filter = aggregate.filter else { return }
    write(" FILTER (WHERE ")
    try write(filter, in: scope)
    write(")")
  }

  /// Checks that the names of the result's columns are unique and not empty.
  private func checkNames(of groups: DatabaseRoute, _ scope: Scope) throws(RouterError) {
    guard writesText else { return }
    var names: [String] = []
    for column in groups.columns {
      names.append(try resultName(of: column, scope))
    }
    for aggregate in groups.aggregates {
      guard !aggregate.name.isEmpty, !aggregate.name.utf8.contains(0) else {
        throw .invalid("an aggregate needs a name")
      }
      names.append(aggregate.name)
    }
    for (index, name) in names.enumerated()
    where names[..<index].contains(where: { $0.isSameName(as: name) }) {
      throw .invalid("two result columns are named \(name)", column: name)
    }
  }
}

public import SQLiteCore

/// Writes the statement of a route: its text if it is not cached, and in the same pass the values, so that their order
/// always matches.
///
/// Names of a route are never inserted into the text: the names of the database are written, in quotes. The methods of a
/// ``SQLDialect`` write with it:
///
/// ```swift
/// writer.write("(")
/// try writer.write(comparison.column, in: scope)
/// writer.write(" ~ ")
/// writer.bind(.text(try writer.text(of: comparison)))
/// writer.write(")")
/// ```
public struct StatementWriter<Dialect: SQLDialect> {
  public typealias Scope = StatementScope

  /// The tables of the database.
  public let catalog: Dialect.Catalog
  let settings: RouteSettings
  /// A Boolean value that indicates whether the text is written. Otherwise it is cached, and only the values are
  /// collected.
  public let writesText: Bool
  private(set) var text = ""
  private(set) var values: [Dialect.Binding] = []
  private var aliasCount = 0
  private var aliasPrefix: String
  var termCount = 0

  init(
    _ table: TableSchema, catalog: Dialect.Catalog, settings: RouteSettings, writesText: Bool
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
  public mutating func freshAlias() -> String {
    aliasCount += 1
    return "\(aliasPrefix) \(aliasCount)"
  }

  /// Writes text, which must not contain a name or a value of the route.
  @inline(__always)
  public mutating func write(_ sql: @autoclosure () -> String) {
    if writesText { text += sql() }
  }

  /// Writes a parameter with a value.
  public mutating func bind(_ value: SQLiteValue) { bind(.value(value)) }

  /// Writes a parameter with a list of values.
  public mutating func bind(list values: [SQLiteValue]) { bind(.list(values)) }

  private mutating func bind(_ value: DatabaseRoute.CustomStatement.Argument) {
    values.append(Dialect.binding(value))
    if writesText { text += Dialect.parameter(values.count) }
  }

  /// Writes a parameter with a limit; a negative one for all rows.
  mutating func bind(limit: Int) {
    bind(limit < 0 ? Dialect.unlimited : .integer(Int64(limit)))
  }

  /// Writes a column, or the part of its JSON.
  public mutating func write(_ column: DatabaseRoute.Column, in scope: Scope) throws {
    if let groups = scope.groups { return try write(column, of: groups, in: scope) }
    if !column.path.isEmpty { return try Dialect.writePart(of: column, in: scope, to: &self) }
    guard writesText else { return }
    write(name: try scope.table.routeColumn(column.name).name, in: scope)
  }

  /// Writes the qualified name of a column of the database.
  public mutating func write(name: String, in scope: Scope) {
    write("\(SQLName.quoted(scope.alias)).\(SQLName.quoted(name))")
  }

  /// Writes parts with a separator.
  public mutating func writeEach<Part>(
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
      try Dialect.write(aggregate, in: scope, to: &writer)
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
    try Dialect.write(groups.aggregates[index - groups.columns.count], in: plain, to: &self)
  }

  /// Returns the index of a column in a grouped result: of the selected columns, and after them of the aggregates.
  public func index(
    of column: DatabaseRoute.Column, in groups: DatabaseRoute, _ scope: Scope
  ) throws(RouterError) -> Int {
    if column.path.isEmpty,
      let index = groups.aggregates.firstIndex(where: { $0.name.isSameName(as: column.name) })
    {
      return groups.columns.count + index
    }
    guard let name = try? scope.table.routeColumn(column.name).name else {
      throw .unknownColumn(
        column.name, of: scope.table.name.name,
        known: scope.table.columns.map(\.name) + groups.aggregates.map(\.name))
    }
    for (index, grouped) in groups.columns.enumerated() where grouped.path == column.path {
      if try scope.table.routeColumn(grouped.name).name == name { return index }
    }
    throw .invalid("\(column) is neither selected nor an aggregate", column: column.name)
  }

  /// Writes the call of an aggregate function, with the aggregate's filter: `sum("t"."a") FILTER (WHERE …)`.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregate.
  ///   - scope: The table of the aggregate's column.
  ///   - type: The SQL type to which the column is cast; `nil` for none.
  /// - Throws: ``RouterError`` if the function requires a column, and the aggregate has none.
  public mutating func writeCall(
    of aggregate: DatabaseRoute.Aggregate, in scope: Scope, castingColumnTo type: String? = nil
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
          code: .unsupported, message: "\(Dialect.name) has no function \(aggregate.function)",
          table: scope.table.name.name)
      }
    write("\(function)(")
    if let column = aggregate.column {
      if aggregate.isDistinct { write("DISTINCT ") }
      if type != nil { write("CAST(") }
      try write(column, in: scope)
      if let type { write(" AS \(type))") }
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

internal import SQLiteCore

/// A route's SQL text.
final class StatementText: Sendable {
  let sql: String
  let table: TableSchema
  /// Indicates whether the statement returns a last column that states whether the row may be written.
  let hasCheck: Bool

  init(sql: String, table: TableSchema, hasCheck: Bool) {
    self.sql = sql
    self.table = table
    self.hasCheck = hasCheck
  }
}

/// A route's SQL text with the values of one run.
struct RouteStatement {
  let text: StatementText
  /// The values, each a ``BoundValue``.
  let values: [any SQLiteBindable]
}

/// The value of one parameter.
enum BoundValue: SQLiteBindable, Sendable {
  case value(SQLiteValue)
  case list([SQLiteValue])

  var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      switch self {
      case .value(let value): value
      case .list(let values): try SQLiteArray(values).sqliteValue
      }
    }
  }

  func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .value(let value): try value.bind(to: statement, at: index)
    case .list(let values): try SQLiteArray(values).bind(to: statement, at: index)
    }
  }
}

extension DatabaseRoute {
  /// The limits for the size of routes, and for the number of rows that they read or write.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of rows that a route may read; more throw ``RouterError/Code/tooManyRows``. `nil` for any
    /// number.
    ///
    /// Embedded rows are not counted separately: limit them by ``DatabaseRoute/Embed/limit``.
    public var maximumRows: Int?
    /// The maximum number of rows that a route may write. A write of more rows is rolled back, and throws
    /// ``RouterError/Code/tooManyRows``. `nil`, the default, for any number.
    ///
    /// A route can't raise this limit.
    public var maximumAffected: Int?
    /// The maximum number of rows that an update or a deletion may write without stating a number. A write of more rows
    /// is rolled back, and throws ``RouterError/Code/tooManyRows``. `nil` for any number; 1,000 by default.
    ///
    /// It limits the damage of a filter that selects more rows than intended. A route that intends to write more states
    /// it: by a number, or by the filter ``DatabaseRoute/Filter/all``.
    ///
    /// ```swift
    /// try await executor.perform(
    ///   .delete(from: "log", filteredBy: Column("day").lessThan(20_000)).expecting(.atMost(100_000)))
    /// ```
    ///
    /// A call with an expected number of rows may also write that number. Rows that foreign keys or triggers change are
    /// not counted.
    public var maximumAffectedByFilter: Int? = 1_000
    /// The maximum nesting depth of a filter, up to ``DatabaseRoute/Filter/maximumDepth``. SQLite's parser rejects some
    /// filters of more than about 60 levels.
    public var filterDepth = 50
    /// The maximum number of conditions in filters.
    public var filterTerms = 500
    /// The maximum number of values of a list in a filter.
    public var listCount = 100_000

    public init() {}
  }
}

/// Creates the statements of routes for one connection.
struct StatementBuilder {
  let catalog: Catalog
  let settings: SharedSettings

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - schema: The database of the tables; `nil` for `main`.
  ///   - committedVersion: See ``RouteRunner/committedVersion``.
  init(
    _ connection: Connection, schema: String?, settings: SharedSettings, committedVersion: Int?
  ) throws {
    let cache = settings.values.cache
    if let schema {
      // The committed version of an attached database is not tracked, so nothing is cached within a transaction.
      catalog = try Catalog(
        of: schema, connection, cache, mayKeep: committedVersion == nil)
    } else {
      catalog = try Catalog(connection, cache, committedVersion: committedVersion)
    }
    self.settings = settings
  }

  /// Returns a statement of a route, for one of its records if it writes records.
  ///
  /// - Parameters:
  ///   - route: The route, with its table's row filter applied.
  ///   - check: The filter that a written row must satisfy.
  ///   - limit: The maximum number of rows; negative for all.
  /// - Throws: ``RouterError``; `SQLiteError` while reading the schema.
  func statement(
    _ route: DatabaseRoute, record: DatabaseRoute.Record? = nil,
    check: DatabaseRoute.Filter? = nil, limit: Int = -1
  ) throws -> RouteStatement {
    try check?.checkDepth(settings.values.limits.filterDepth)
    let shape = RouteShape(route: route, record: record, check: check)
    let known = catalog.version.flatMap { catalog.cache.text(of: shape, $0) }
    if let known, record == nil, let values = route.plainValues(limit: limit) {
      return RouteStatement(text: known, values: values)
    }
    let table = try known?.table ?? catalog.table(route.table.name)
    var writer = StatementWriter(
      table, catalog: catalog, settings: settings, writesText: known == nil)
    let scope = StatementWriter.Scope(table: table, alias: table.name.name)
    switch route.method {
    case .fetch, .fetchOne, .count: try writer.writeSelect(route, scope, limit: limit)
    case .insert, .upsert:
      try writer.writeInsert(route, record ?? .init(), check: check, scope)
    case .update: try writer.writeUpdate(route, record ?? .init(), check: check, scope)
    case .delete: try writer.writeDelete(route, scope)
    case .custom: throw RouterError.invalid("a custom route has its own text")
    }
    if let known { return RouteStatement(text: known, values: writer.values) }
    let text = StatementText(sql: writer.text, table: table, hasCheck: check != nil)
    if let version = catalog.version { catalog.cache.keep(text, of: shape, version) }
    return RouteStatement(text: text, values: writer.values)
  }
}

extension DatabaseRoute {
  /// Returns the values of a route that reads the rows in which one column equals a value, in the order in which a
  /// ``StatementWriter`` binds them; `nil` for any other route.
  fileprivate func plainValues(limit: Int) -> [any SQLiteBindable]? {
    guard storage.isPlain, method == .fetchOne || method == .fetch,
      case .comparison(let comparison)? = storage.parts.filter?.form,
      comparison.operator == .equals, comparison.column.path.isEmpty,
      case .value(let value) = comparison.operand,
      !value.isBoundAsNull
    else { return nil }
    return [BoundValue.value(value), BoundValue.value(.integer(Int64(limit)))]
  }
}

/// Conversions of `LIKE` patterns.
enum LikePattern {
  /// - Throws: ``RouterError`` if the pattern ends with a backslash or contains a NUL character.
  static func check(_ pattern: String) throws(RouterError) {
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == 0 { throw .invalid("a pattern must not contain a NUL character") }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    if isEscaped { throw .invalid("a pattern must not end with a backslash") }
  }

  /// Returns the equivalent `GLOB` pattern, which is case-sensitive, unlike SQLite's `LIKE`.
  static func glob(_ pattern: String) throws(RouterError) -> String {
    try check(pattern)
    var glob = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped {
        switch scalar {
        case "\\":
          isEscaped = true
          continue
        case "%":
          glob.unicodeScalars.append("*")
          continue
        case "_":
          glob.unicodeScalars.append("?")
          continue
        default: break
        }
      }
      isEscaped = false
      switch scalar {
      case "*", "?", "[":
        glob.unicodeScalars.append("[")
        glob.unicodeScalars.append(scalar)
        glob.unicodeScalars.append("]")
      default: glob.unicodeScalars.append(scalar)
      }
    }
    return glob
  }
}

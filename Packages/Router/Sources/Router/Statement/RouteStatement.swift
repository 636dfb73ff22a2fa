internal import SQLiteCore

/// A route's SQL.
final class StatementText: Sendable {
  let sql: String
  let table: TableFacts
  /// Whether the last column of a row that is written tells whether it may be.
  let hasCheck: Bool

  init(sql: String, table: TableFacts, hasCheck: Bool) {
    self.sql = sql
    self.table = table
    self.hasCheck = hasCheck
  }
}

/// A route's SQL with the values of one run.
struct RouteStatement {
  let text: StatementText
  /// Each is a ``BoundValue``.
  let values: [any SQLiteBindable]
}

/// What is bound to one parameter.
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
  /// How large a route may be, and what it touches.
  public struct Limits: Hashable, Sendable {
    /// How many rows a route may read; more are ``RouterError/Code/tooManyRows``. `nil` for any number.
    ///
    /// Embedded rows are not counted, but come in the one that they are embedded in: say how many there may be by
    /// ``DatabaseRoute/Embed/limit``.
    public var maximumRows: Int?
    /// The most rows that a route may write; a write of more is undone, with the error
    /// ``RouterError/Code/tooManyRows``. `nil` for any number, as by default.
    ///
    /// A route cannot raise it.
    public var maximumAffected: Int?
    /// The most rows that an update or a deletion may write without saying how many; one that writes
    /// more is undone, with the error ``RouterError/Code/tooManyRows``. `nil` for any number; 1,000
    /// by default.
    ///
    /// It bounds what a filter that selects more rows than was meant can do. A route that is meant to
    /// write more says so: either by the number, or by the filter ``DatabaseRoute/Filter/all``.
    ///
    /// ```swift
    /// try await executor.perform(
    ///   .delete(from: "log", filteredBy: Column("day").lessThan(20_000)).expecting(.atMost(100_000)))
    /// ```
    ///
    /// A call that says how many rows it expects may write as many, too. Rows that foreign keys or
    /// triggers change are not counted.
    public var maximumAffectedByFilter: Int? = 1_000
    /// The deepest nesting of a filter, up to ``DatabaseRoute/Filter/maximumDepth``. SQLite's parser
    /// refuses some filters of more than about 60 levels with an error of its own.
    public var filterDepth = 50
    /// How many conditions filters may have.
    public var filterTerms = 500
    /// How many values a list in a filter may have.
    public var listCount = 100_000

    public init() {}
  }
}

/// Makes the statements of routes, for one connection.
struct StatementMaker {
  let catalog: Catalog
  let settings: SharedSettings

  /// - Parameters:
  ///   - schema: The database whose tables it is about; `nil` for `main`.
  ///   - committedVersion: See ``RouteRun/committedVersion``.
  init(
    _ connection: Connection, schema: String?, settings: SharedSettings, committedVersion: Int?
  ) throws {
    let cache = settings.values.cache
    if let schema {
      // Which version of another file was committed is not noted: within a transaction nothing of it is kept.
      catalog = try Catalog(
        of: schema, connection, cache, mayKeep: committedVersion == nil)
    } else {
      catalog = try Catalog(connection, cache, committedVersion: committedVersion)
    }
    self.settings = settings
  }

  /// A statement of a route; of one of its rows where it writes some.
  ///
  /// - Parameters:
  ///   - route: With the filter of its table's rows in it already.
  ///   - check: What has to hold of a row that is written.
  ///   - limit: How many rows at most, negative for all.
  /// - Throws: ``RouterError``; `SQLiteError` as the schema is read.
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
    let scope = StatementWriter.Scope(facts: table, alias: table.name)
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
  /// The values of a route that reads the rows of which one column has a value, in the order in which a
  /// ``StatementWriter`` binds them; `nil` for any other.
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

/// Patterns of `LIKE`.
enum Patterns {
  /// - Throws: ``RouterError`` where a backslash has nothing after it, or there is a NUL.
  static func check(_ pattern: String) throws(RouterError) {
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == 0 { throw .invalid("a pattern has a NUL in it, at which SQLite would end it") }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    if isEscaped { throw .invalid("a pattern ends with a backslash") }
  }

  /// The pattern of `GLOB` that means the same: its case matters, as that of SQLite's `LIKE` does not.
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

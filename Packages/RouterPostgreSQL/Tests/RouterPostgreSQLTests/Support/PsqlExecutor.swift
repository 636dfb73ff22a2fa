import Foundation
import Router
import RouterPostgreSQL
import SQLiteCore

/// An executor over `psql`: plans of Router, statements of the dialect, results of the server.
///
/// Values are text, because `psql` has no binary results; composite values, and therefore embedded rows, are not read.
struct PsqlExecutor: RouteExecutor {
  let session: PsqlSession
  let catalog: PostgreSQLCatalog
  var settings = RouteSettings()

  func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try inTransaction { try response(route) }
  }

  func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try inTransaction { try routes.map(response) }
  }

  private func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try session.execute("BEGIN")
    do {
      let result = try body()
      try session.execute("COMMIT")
      return result
    } catch {
      try session.execute("ROLLBACK")
      throw error
    }
  }

  private func response(_ route: DatabaseRoute) throws -> DatabaseRoute.Response {
    do {
      let plan = try RoutePlan(route, settings: settings)
      var response = DatabaseRoute.Response()
      for statement in try plan.statements(in: catalog) {
        var result = try session.run(statement.text.sql, statement.literals)
        if statement.text.hasCheck {
          guard result.rows.allSatisfy({ $0.last == "t" }) else {
            throw RouterError(code: .refused, message: "the row filter forbids writing this row")
          }
          result.columns.removeLast()
          for index in result.rows.indices { result.rows[index].removeLast() }
        }
        response.columns = result.columns.map(\.name)
        response.rows += result.rows.map { row in
          zip(row, result.columns).map { Self.value($0, $1.type) }
        }
        if !route.isReadOnly {
          response.affected += result.affected
          try plan.check(affectedByStatement: result.affected)
        }
      }
      if route.isReadOnly {
        try plan.check(rows: response.rows.count)
      } else {
        try plan.check(affected: response.affected)
        if route.returning == .minimal { response.rows = [] }
      }
      return response
    } catch let error as PsqlSession.ServerError {
      throw Self.error(error, route)
    } catch var error as RouterError {
      error.table = error.table ?? route.table.name
      error.routeId = error.routeId ?? route.id
      error.route = error.route ?? route.description
      throw error
    }
  }

  private static func value(_ text: String?, _ type: String) -> DataValue {
    guard let text else { return .null }
    switch type {
    case "smallint", "integer", "bigint": return Int64(text).map { .integer($0) } ?? .text(text)
    case "double precision", "real": return Double(text).map { .real($0) } ?? .text(text)
    case "boolean": return .bool(text == "t")
    case "numeric": return .decimal(text)
    case "bytea":
      let digits = Array(text.utf8.dropFirst(2))
      return .blob(
        stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        })
    case "jsonb": return json(text)
    default: return .text(text)
    }
  }

  /// Returns a part of JSON as SQLite does: a scalar as its value, and other JSON as text.
  private static func json(_ text: String) -> DataValue {
    if let integer = Int64(text) { return .integer(integer) }
    if let real = Double(text) { return .real(real) }
    if text == "true" || text == "false" { return .integer(text == "true" ? 1 : 0) }
    guard text.hasPrefix("\""),
      let string = try? JSONDecoder().decode(String.self, from: Data(text.utf8))
    else { return .text(text) }
    return .text(string)
  }

  private static func error(
    _ error: PsqlSession.ServerError, _ route: DatabaseRoute
  ) -> RouterError {
    let name = error.field("CONSTRAINT NAME")
    let kind: RouterError.Constraint.Kind? =
      switch error.state {
      case "23505": name?.hasSuffix("_pkey") ?? false ? .primaryKey : .unique
      case "23503": .foreignKey
      case "23502": .notNull
      case "23514": .check
      default: nil
      }
    guard let kind else {
      return RouterError(
        code: .invalidRoute, message: "the server failed with \(error.state)",
        table: route.table.name, routeId: route.id, route: route.description)
    }
    return RouterError(
      code: .constraintViolation, message: "the \(kind.rawValue) constraint is violated",
      table: error.field("TABLE NAME"), column: error.field("COLUMN NAME"), routeId: route.id,
      route: route.description, constraint: .init(kind, name: name))
  }
}

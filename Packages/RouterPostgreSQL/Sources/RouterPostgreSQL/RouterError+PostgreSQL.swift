internal import PostgreSQL
internal import Router

/// An error that may be due to a change of the schema. The catalog is then read again, and the routes are repeated.
struct StaleCatalogError: Error {
  let error: any Error
}

extension CatalogStore.Snapshot {
  /// Returns the error of a route, with the route added.
  func error(_ error: any Error, of route: DatabaseRoute?) -> any Error {
    if let error = error as? RouterError {
      let result = route.map(error.of) ?? error
      // A table or column may have been added since.
      let isUnknown = [.unknownTable, .unknownColumn, .unknownRelation].contains(error.code)
      return isUnknown && age > .seconds(1) ? StaleCatalogError(error: result) : result
    }
    guard let error = error as? PostgreSQLError else { return error }
    guard let found = routerError(error) else {
      return Self.staleStates.contains(error.code.rawValue)
        ? StaleCatalogError(error: error) : error
    }
    let result = route.map(found.of) ?? found
    return Self.staleStates.contains(error.code.rawValue)
      ? StaleCatalogError(error: result) : result
  }

  private static let staleStates: Set<String> = ["42P01", "42703", "42883", "42P10", "0A000"]

  private func routerError(_ error: PostgreSQLError) -> RouterError? {
    if error.kind.isConstraintViolation { return violation(error) }
    let code: RouterError.Code
    switch error.code {
    case .undefinedTable: code = .unknownTable
    case .undefinedColumn: code = .unknownColumn
    case .readOnlyTransaction: code = .readOnly
    case .insufficientPrivilege: code = .refused
    case .undefinedFunction, .syntaxError, .indeterminateDatatype, .invalidTextRepresentation,
      .characterNotInRepertoire, .typeMismatch, .valueOutOfRange, .containsNUL, .invalidText,
      .parameterCount:
      code = .invalidRoute
    default:
      // Conflict targets without an index, types that can't be compared, and patterns.
      guard
        ["42P10", "55000", "42804", "428C9", "2201B", "22025", "22P05"].contains(
          error.code.rawValue)
      else { return nil }
      code = .invalidRoute
    }
    return RouterError(
      code: code, message: error.message, table: error.table, column: error.column)
  }

  private func violation(_ error: PostgreSQLError) -> RouterError {
    var (columns, isPrimaryKey) = constraint(
      error.constraint, of: error.table, in: error.schema)
    let kind: RouterError.Constraint.Kind =
      switch error.kind {
      case .uniqueViolation: isPrimaryKey ? .primaryKey : .unique
      case .foreignKeyViolation: .foreignKey
      case .notNullViolation: .notNull
      case .checkViolation: .check
      default: .other
      }
    if columns.isEmpty, let column = error.column { columns = [column] }
    return RouterError.violation(
      of: RouterError.Constraint(kind, columns: columns, name: error.constraint),
      in: error.table, message: error.message)
  }
}

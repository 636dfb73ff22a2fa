internal import Primitives

/// The columns of a result, which a prepared statement caches for all of its results.
@usableFromInline final class ResultColumns: Sendable {
  let sql: String?
  let names: [String]
  let types: [PostgreSQLType]
  let kinds: [TypeKind]
  let catalog: TypeCatalog
  /// The type modifiers and the origins of the columns, which only prepared statements have.
  let details: [Detail]
  private let indexes: [String: Int]

  /// What the server describes of a column, except its name and type.
  struct Detail: Sendable {
    var typeModifier: Int32
    var table: UInt32
    var tableColumn: Int
  }

  init(
    sql: String?, names: [String], types: [PostgreSQLType], catalog: TypeCatalog,
    details: [Detail] = []
  ) {
    self.sql = sql
    self.names = names
    self.types = types
    self.catalog = catalog
    self.details = details
    kinds = types.map { catalog.kind(of: $0) }
    indexes = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  var count: Int { names.count }

  /// Returns the index of the first column of this name, or otherwise of the first column whose name differs in the
  /// case of ASCII letters only: PostgreSQL converts names without quotes to lower case.
  func index(named name: String) -> Int? {
    if let index = indexes[name] { return index }
    let lowercased = name.asciiLowercased
    return names.firstIndex { $0.asciiLowercased == lowercased }
  }

  func unknownColumn(_ index: Int) -> PostgreSQLError {
    PostgreSQLError(
      code: .unknownColumn, message: "no column \(index): the result has \(count) columns", sql: sql
    )
  }

  func unknownColumn(_ name: String) -> PostgreSQLError {
    PostgreSQLError(
      code: .unknownColumn, message: "the result has no column \(name)", sql: sql)
  }
}

public import SQLiteCore

/// The SQL of an engine: the parts of statements that differ between engines.
///
/// A ``StatementWriter`` writes the structure that all engines share (selections, conditions, joins, orders, pages,
/// returned rows) and checks every name and value against a ``RouteCatalog``. It calls its dialect for the rest.
/// `SQLiteDialect` is the dialect of SQLite.
///
/// A statement that is cached is not written again, but its values are collected by the same methods. Therefore, a method
/// must bind the same number of values each time, in the same order, for routes of one shape: routes that differ only in
/// values. If the text depends on the storage class of a compared value, or if names that differ in case are different
/// names, ``distinguishesSpelling`` must be `true`.
public protocol SQLDialect: Sendable {
  /// The tables of a database.
  associatedtype Catalog: RouteCatalog
  /// A value of a statement, as the engine's client binds it.
  associatedtype Binding

  typealias Writer = StatementWriter<Self>
  typealias Scope = StatementScope

  /// The engine's name, for messages.
  static var name: String { get }
  /// A Boolean value that indicates whether an ascending order begins with NULLs unless it states otherwise.
  static var ordersNullsFirst: Bool { get }
  /// The value of `LIMIT` for all rows.
  static var unlimited: SQLiteValue { get }
  /// A Boolean value that indicates whether routes have different statements if the case of their names or the storage
  /// classes of compared values differ.
  static var distinguishesSpelling: Bool { get }

  /// A Boolean value that indicates whether a statement can insert several records with the same columns, with a text
  /// that is independent of their number.
  static var insertsManyRecords: Bool { get }

  /// Returns the text of a parameter.
  ///
  /// - Parameter number: The parameter's number, counting from 1.
  static func parameter(_ number: Int) -> String

  /// Returns a value as the engine's client binds it.
  static func binding(_ argument: DatabaseRoute.CustomStatement.Argument) -> Binding

  /// Writes a part of the JSON in a column.
  static func writePart(
    of column: DatabaseRoute.Column, in scope: Scope, to writer: inout Writer) throws

  /// Writes a condition, as one expression in parentheses.
  ///
  /// - Parameters:
  ///   - comparison: The condition. Its operand is not `any` or `each`: the writer writes a condition for each value.
  ///   - scope: The table of the condition.
  ///   - writer: The writer of the statement.
  static func write(
    _ comparison: DatabaseRoute.Comparison, in scope: Scope, to writer: inout Writer) throws

  /// Writes an aggregate by `StatementWriter.writeCall(of:in:)`, converted to another type if necessary.
  static func write(
    _ aggregate: DatabaseRoute.Aggregate, in scope: Scope, to writer: inout Writer) throws

  /// Writes embedded rows as a value: a selection of one row, or of any number of rows.
  ///
  /// The dialect writes the row's columns, and then calls `StatementWriter.writeRows(of:)` for its `FROM` clause.
  static func write(_ embed: EmbedSelection, to writer: inout Writer) throws

  /// Writes the values of an insertion, beginning with the space after the list of columns.
  ///
  /// - Parameters:
  ///   - records: The records, all with the same columns; a single one unless ``insertsManyRecords`` is `true`.
  ///   - columns: The names of the columns; empty names if the text is not written.
  ///   - table: The table.
  ///   - writer: The writer of the statement.
  static func writeValues(
    of records: ArraySlice<DatabaseRoute.Record>, into columns: [String], of table: TableSchema,
    to writer: inout Writer) throws

  /// Returns the words between `INSERT` or `UPDATE` and the table, with a trailing space; empty for none.
  static func writeModifier(for table: TableSchema) -> String

  /// Returns the rules by which a table's columns are compared with values, for the recognition of filters that exclude
  /// no row.
  ///
  /// - Returns: The rules of a column; of any part of JSON if the column is `nil`.
  static func comparisonRules(
    of table: TableSchema, in catalog: Catalog
  ) throws -> @Sendable (TableSchema.Column?) -> ComparisonRules
}

/// The tables of one schema of a database, as routes see them.
///
/// A table is described by SQLiteCore's `TableSchema`, which any engine can fill: the columns with their declared types,
/// `isNotNull` and generated kinds; the primary key by its columns' positions; foreign keys; and unique indexes. An
/// index that can't be the target of a conflict is omitted, and `isWithoutRowID` is `true` for an engine without
/// rowids.
public protocol RouteCatalog {
  /// The version of the schema, for which statements are cached; `nil` if they must not be cached.
  var version: SchemaVersion? { get }
  /// The cached statements.
  var cache: StatementCache { get }

  /// Returns a table or a view.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownTable``; errors of the database.
  func table(_ name: String) throws -> TableSchema

  /// Returns the names of the tables that have a foreign key to a table.
  func tables(referringTo name: String) throws -> [String]
}

/// A table in a statement, with the alias that qualifies its columns.
public struct StatementScope: Sendable {
  /// The table's schema.
  public let table: TableSchema
  /// The alias, unquoted.
  public let alias: String
  /// The route that selects and aggregates the columns, if the rows are groups of the table's rows.
  public internal(set) var groups: DatabaseRoute?

  init(table: TableSchema, alias: String) {
    self.table = table
    self.alias = alias
  }
}

/// Embedded rows in a statement.
public struct EmbedSelection {
  /// The embed of the route.
  public let embed: DatabaseRoute.Embed
  /// The selected columns. The embed's own embeds follow them.
  public let columns: [DatabaseRoute.Column]
  /// The table of the embedded rows.
  public let scope: StatementScope
  /// A Boolean value that indicates whether there can be several embedded rows for one row.
  public let isToMany: Bool
  let parent: StatementScope
  let join: ForeignKeyJoin
}

extension TableSchema {
  /// The table's name as a route's table.
  var routeTable: DatabaseRoute.Table { DatabaseRoute.Table(name.name, schema: name.schema) }

  /// The columns without a virtual table's hidden columns.
  var visibleColumns: [Column] { columns.filter { $0.kind != .hidden } }

  /// Returns the names of a result's columns if a route or an embed selects no columns: those of all columns but the
  /// hidden ones, and the ones that an embed of the same name replaces.
  public func resultNames(beside embeds: [DatabaseRoute.Embed]) -> [String] {
    visibleColumns.map(\.name).filter { name in
      !embeds.contains { $0.name.isSameName(as: name) }
    }
  }

  /// Returns the name of a selected column, or of a part of its JSON, in a result.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownColumn``.
  public func resultName(of column: DatabaseRoute.Column) throws(RouterError) -> String {
    guard let last = column.path.last else { return try routeColumn(column.name).name }
    return last.description
  }

  /// Returns the column with a name. `id` also matches a primary key of one column with any name.
  ///
  /// Of names that differ only in case, which some engines allow, only the exact one matches.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownColumn``.
  public func routeColumn(_ name: String) throws(RouterError) -> Column {
    if let column = column(named: name) {
      if column.name.hasSameBytes(as: name) { return column }
      let others = columns.filter { $0.name.isSameName(as: name) }
      if others.count == 1 { return column }
      if let exact = others.first(where: { $0.name.hasSameBytes(as: name) }) { return exact }
    } else if primaryKey.count == 1, name.isSameName(as: DatabaseRoute.Column.id.name) {
      return primaryKey[0]
    }
    throw .unknownColumn(name, of: self.name.name, known: columns.map(\.name))
  }
}

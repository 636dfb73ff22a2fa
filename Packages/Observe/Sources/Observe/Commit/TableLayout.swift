internal import SQLiteCore

extension ChangeSet {
  /// The columns of a table whose changed rows are known, with the rules by which their values are compared.
  ///
  /// The layouts of SQLite's tables are read from the schema. A ``ChangeSource`` creates its layouts:
  ///
  /// ```swift
  /// let layout = ChangeSet.TableLayout(
  ///   columns: [.init("id", .integers), .init("name", .text(ordersByBytes: false))], key: [0])
  /// ```
  ///
  /// Column names are compared regardless of the case of ASCII letters. Rows of a table with two columns whose names are
  /// equal in this way can't be described.
  public struct TableLayout: Hashable, Sendable {
    /// The stored columns, in the engine's order.
    public internal(set) var columns: [Region.ColumnName] = []
    /// The columns that are computed when they are read. Any update may change them.
    var computed: [Region.ColumnName] = []
    /// The indices of the primary key's columns, in a table without rowids.
    var primaryKey: [Int]?
    /// The indices of columns whose old value may be wrong: for a row older than the column, the
    /// engine reports NULL instead of the default.
    var defaulted: Set<Int> = []
    /// The indices of columns with `REAL` affinity, whose values the engine may report as integers.
    var reals: Set<Int> = []
    /// The comparison rules of each column in ``columns``.
    var comparisons: [ChangeSet.ColumnComparison] = []

    /// A column of a table.
    public struct Column: Hashable, Sendable {
      let name: Region.ColumnName
      let comparison: ChangeSet.ColumnComparison

      /// - Parameters:
      ///   - name: The column's name.
      ///   - comparison: The rules by which the column's values are compared with others.
      public init(_ name: Region.ColumnName, _ comparison: ChangeSet.ColumnComparison) {
        self.name = name
        self.comparison = comparison
      }
    }

    /// Creates the layout of a table of another engine than SQLite.
    ///
    /// - Parameters:
    ///   - columns: The columns for which changed rows have values.
    ///   - computed: Columns without values that any change of a row may change.
    ///   - key: The indices of the columns that identify a row.
    public init(columns: [Column], computed: [Region.ColumnName] = [], key: [Int]) {
      self.columns = columns.map(\.name)
      self.computed = computed
      primaryKey = key.filter { columns.indices.contains($0) }
      comparisons = columns.map(\.comparison)
    }

    /// Creates the layout of a table; fails for a table whose values the engine assigns to the wrong
    /// columns. This happens for some tables with computed columns: tables without rowids, tables in
    /// which a computed column precedes the rowid's alias, and tables in which the engine determines
    /// `REAL` affinity from the wrong column.
    init?(_ schema: [TableSchema.Column], isWithoutRowID: Bool, isUTF8: Bool = true) {
      var keys: [(position: Int, column: Int)] = []
      for column in schema {
        let name = Region.ColumnName(column.name)
        if column.kind == .virtualGenerated {
          computed.append(name)
          continue
        }
        let index = columns.count
        columns.append(name)
        if let position = column.primaryKeyPosition {
          if !computed.isEmpty { return nil }
          keys.append((position, index))
        }
        if let value = column.defaultSQL, value.uppercased() != "NULL" { defaulted.insert(index) }
        if column.affinity == .real { reals.insert(index) }
        comparisons.append(ChangeSet.ColumnComparison(column, isUTF8: isUTF8))
      }
      if !computed.isEmpty, Self.hasMistakenReals(schema) { return nil }
      guard isWithoutRowID else { return }
      if !computed.isEmpty { return nil }
      primaryKey = keys.sorted { $0.position < $1.position }.map(\.column)
    }

    /// Returns whether the engine reports integers as real numbers in a column that may hold either:
    /// for the n-th stored column, it uses the affinity of the n-th of all columns.
    private static func hasMistakenReals(_ schema: [TableSchema.Column]) -> Bool {
      zip(schema.filter { $0.kind != .virtualGenerated }, schema).contains { stored, used in
        let affinity = stored.affinity
        return used.affinity == .real && affinity != .real
          && affinity != .text
      }
    }
  }
}

/// Caches the layouts of a connection's tables, and the shadow tables of virtual tables, until the
/// schema changes.
struct LayoutCache {
  private struct Listing {
    /// The tables that are neither virtual tables nor shadow tables.
    var ordinary: Set<TableName> = []
    var isWithoutRowID: [TableName: Bool] = [:]
    /// The virtual table of each shadow table.
    var owners: [TableName: TableName] = [:]
  }

  /// The last known `PRAGMA schema_version` of the main database and of each attached one.
  private var versions: [String: Int] = [:]
  /// The names of these databases; `nil` before they are read.
  private var schemas: [String]?
  private var listings: [String: Listing] = [:]
  private var layouts: [TableName: ChangeSet.TableLayout?] = [:]
  private var isUTF8: Bool?

  /// Reads the schema versions, and invalidates the cache if one has changed.
  ///
  /// - Returns: Whether a schema has changed since the last call.
  mutating func updateSchemaVersions(of connection: Connection) throws -> Bool {
    var hasChanged = false
    for schema in try attachedSchemas(of: connection) {
      let current = try connection.value(
        Int.self,
        schema == "main"
          ? "PRAGMA main.schema_version" : "PRAGMA \(identifier: schema).schema_version")
      if let known = versions[schema], known != current { hasChanged = true }
      versions[schema] = current
    }
    if hasChanged { invalidate() }
    return hasChanged
  }

  private mutating func attachedSchemas(of connection: Connection) throws -> [String] {
    if let schemas { return schemas }
    let current = try ["main"] + connection.attachedDatabases.map(\.name)
    schemas = current
    return current
  }

  /// Returns whether a connection has a database of this name: its main, its temporary or an
  /// attached one.
  mutating func isAttached(_ schema: String, to connection: Connection) throws -> Bool {
    try (attachedSchemas(of: connection) + ["temp"]).contains { SQLName.isSame($0, schema) }
  }

  /// Invalidates the schema and the list of attached databases.
  mutating func invalidateAttachments() {
    invalidate()
    schemas = nil
  }

  mutating func invalidate() {
    listings = [:]
    layouts = [:]
    isUTF8 = nil
  }

  /// Returns the layout of a table, or `nil` if its values can't be assigned to columns.
  mutating func layout(of table: TableName, in connection: Connection) throws -> ChangeSet
    .TableLayout?
  {
    if let known = layouts[table] { return known }
    let isWithoutRowID = try listing(of: table.schema, in: connection).isWithoutRowID[table]
    let layout = try isWithoutRowID.flatMap { isWithoutRowID in
      ChangeSet.TableLayout(
        try connection.columns(of: table.name, in: table.schema), isWithoutRowID: isWithoutRowID,
        isUTF8: try isUTF8(in: connection))
    }
    layouts[table] = .some(layout)
    return layout
  }

  /// Returns the virtual table of a shadow table, or `nil` for any other table.
  mutating func owner(of table: TableName, in connection: Connection) throws -> TableName? {
    try listing(of: table.schema, in: connection).owners[table]
  }

  /// Returns whether a table is neither a virtual table nor a shadow table.
  mutating func isOrdinary(_ table: TableName, in connection: Connection) throws -> Bool {
    try listing(of: table.schema, in: connection).ordinary.contains(table)
  }

  private mutating func isUTF8(in connection: Connection) throws -> Bool {
    if let isUTF8 { return isUTF8 }
    let known = try connection.value(String.self, "PRAGMA encoding") == "UTF-8"
    isUTF8 = known
    return known
  }

  private mutating func listing(
    of schema: String, in connection: Connection
  ) throws -> Listing {
    if let known = listings[schema] { return known }
    var listing = Listing()
    var virtual: [TableName] = []
    var shadows: [TableName] = []
    try connection.forEach(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = ?1 COLLATE NOCASE", schema
    ) { row in
      let name = TableName(schema: schema, try row.read(at: 0))
      switch try row.read(String.self, at: 1) {
      case "virtual": virtual.append(name)
      case "shadow": shadows.append(name)
      case "table": listing.ordinary.insert(name)
      default: break
      }
      listing.isWithoutRowID[name] = try row.read(Bool.self, at: 2)
    }
    for shadow in shadows {
      // A shadow table's name is its owner's name, an underscore, and a suffix of the module.
      listing.owners[shadow] =
        virtual
        .filter { shadow.name.lowercased().hasPrefix($0.name.lowercased() + "_") }
        .max { $0.name.utf8.count < $1.name.utf8.count }
    }
    listings[schema] = listing
    return listing
  }
}

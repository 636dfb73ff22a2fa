internal import SQLiteCore

/// How a table's rows arrive from the engine: which value is which column's.
struct TableLayout: Hashable, Sendable {
  /// The stored columns, in the order in which the engine counts them.
  var columns: [Region.ColumnName] = []
  /// The columns that are computed when they are read: any update may change them.
  var computed: [Region.ColumnName] = []
  /// The columns that make a row's key, in a table without rowids.
  var primaryKey: [Int]?
  /// The columns whose old value may be wrong: in a row older than its column, the engine reports NULL
  /// in the place of the default.
  var defaulted: Set<Int> = []
  /// The columns of real numbers, which the engine may report as integers.
  var reals: Set<Int> = []
  /// How each of ``columns`` compares with a value.
  var comparisons: [ColumnComparison] = []

  /// - Returns: `nil` for a table whose values the engine mixes up. It counts a column that is
  ///   computed when read in some places and not in others: in a table without rowids, for the
  ///   columns after it where it stands before the rowid's alias, and where it looks up which
  ///   columns are of real numbers.
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
      comparisons.append(ColumnComparison(column, isUTF8: isUTF8))
    }
    if !computed.isEmpty, Self.hasMistakenReals(schema) { return nil }
    guard isWithoutRowID else { return }
    if !computed.isEmpty { return nil }
    primaryKey = keys.sorted { $0.position < $1.position }.map(\.column)
  }

  /// Whether the engine reports integers as real numbers, in a column that may hold either: for the
  /// n-th stored column it goes by the affinity of the n-th of all columns.
  private static func hasMistakenReals(_ schema: [TableSchema.Column]) -> Bool {
    zip(schema.filter { $0.kind != .virtualGenerated }, schema).contains { stored, taken in
      let affinity = stored.affinity
      return taken.affinity == .real && affinity != .real
        && affinity != .text
    }
  }
}

/// The layouts of a connection's tables, and which tables hold the data of virtual ones: read when
/// they are first needed, and again when the schema has changed.
struct LayoutCache {
  private struct Listing {
    /// The tables that are neither virtual nor hold the data of one.
    var ordinary: Set<TableName> = []
    var isWithoutRowID: [TableName: Bool] = [:]
    /// The virtual table that a shadow table belongs to.
    var owners: [TableName: TableName] = [:]
  }

  /// `PRAGMA schema_version` of the main database and of each attached one, when it was last read.
  private var versions: [String: Int] = [:]
  /// These databases' names; `nil` before they are read.
  private var schemas: [String]?
  private var listings: [String: Listing] = [:]
  private var layouts: [TableName: TableLayout?] = [:]
  private var isUTF8: Bool?

  /// Forgets what may be wrong by now.
  ///
  /// - Returns: Whether the schema is another than it was when this was asked last.
  mutating func noteSchema(of connection: Connection) throws -> Bool {
    var hasChanged = false
    for schema in try attachedSchemas(of: connection) {
      let current = try connection.value(
        Int.self,
        schema == "main"
          ? "PRAGMA main.schema_version" : "PRAGMA \(identifier: schema).schema_version")
      if let known = versions[schema], known != current { hasChanged = true }
      versions[schema] = current
    }
    if hasChanged { forget() }
    return hasChanged
  }

  private mutating func attachedSchemas(of connection: Connection) throws -> [String] {
    if let schemas { return schemas }
    let current = try ["main"] + connection.attachedDatabases.map(\.name)
    schemas = current
    return current
  }

  /// Whether a connection has a database of this name: its own, its temporary one, or an attached
  /// one.
  mutating func isAttached(_ schema: String, to connection: Connection) throws -> Bool {
    try (attachedSchemas(of: connection) + ["temp"]).contains { SQLName.isSame($0, schema) }
  }

  /// Forgets the schema, and which databases are attached.
  mutating func forgetAttachments() {
    forget()
    schemas = nil
  }

  mutating func forget() {
    listings = [:]
    layouts = [:]
    isUTF8 = nil
  }

  /// The layout of a table; `nil` where its values can't be told apart.
  mutating func layout(of table: TableName, in connection: Connection) throws -> TableLayout? {
    if let known = layouts[table] { return known }
    let isWithoutRowID = try listing(of: table.schema, in: connection).isWithoutRowID[table]
    let layout = try isWithoutRowID.flatMap { isWithoutRowID in
      TableLayout(
        try connection.columns(of: table.name, in: table.schema), isWithoutRowID: isWithoutRowID,
        isUTF8: try isUTF8(in: connection))
    }
    layouts[table] = .some(layout)
    return layout
  }

  /// The virtual table whose data a table holds, if it is such a one.
  mutating func owner(of table: TableName, in connection: Connection) throws -> TableName? {
    try listing(of: table.schema, in: connection).owners[table]
  }

  /// Whether a table is neither virtual nor holds the data of one that is.
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
      // A shadow's name is its owner's, an underscore, and a name of the module's.
      listing.owners[shadow] =
        virtual
        .filter { shadow.name.lowercased().hasPrefix($0.name.lowercased() + "_") }
        .max { $0.name.utf8.count < $1.name.utf8.count }
    }
    listings[schema] = listing
    return listing
  }
}

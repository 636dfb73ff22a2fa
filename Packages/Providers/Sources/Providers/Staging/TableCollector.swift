public import SQLiteCore

/// Collects the tables of a file into a staging database. Columns and types are determined as rows
/// are added.
///
/// A column's type depends on all its values, not on their spelling. Integers make `INTEGER`,
/// integers and other numbers `REAL`, `true` and `false` `BOOLEAN`, stored as 1 and 0, dates and
/// times `DATE TEXT` and `DATETIME TEXT`, strings `TEXT`. Strings of different kinds make a text
/// column. Codes such as `007`, and phone numbers such as `+491701234567`, are texts: one of them
/// decides for its column. If a number is neither a 64-bit integer nor a `Double`, the column's type
/// is `DECIMAL TEXT COLLATE decimal`: see `registerDecimals()`.
///
/// Typed values of different types make a column without a type, which preserves each value; but if
/// they include objects, arrays or Booleans, each value is a JSON text, and the column's type is
/// `JSON TEXT`.
///
/// A number or Boolean that the column's ``ColumnForm`` does not reproduce is stored with its
/// spelling, so that a file is written unchanged.
///
/// A column named `id` with unique integers or unique strings is the primary key.
///
/// Rows can be children of another table's rows. They refer to the number of the parent row, which
/// is unique while that row exists, and are deleted with it. The numbers are a column of the parent
/// table, and its primary key. Its `id` is then `UNIQUE`.
///
/// Rows are inserted immediately, without types, which are declared at the end. If a value shows
/// that earlier values should have been stored differently, the remaining rows are only analyzed,
/// and the file is read again.
public final class TableCollector {
  /// The staging database, in a transaction. A reader that can determine a file's tables before
  /// their rows creates them here.
  public let connection: Connection
  /// The types of columns that are not inferred, by table and column. Set them before the first
  /// row.
  public var declaredTypes: [String: [String: ColumnType]] = [:]
  /// The primary key columns, by table. The key of any other table is detected.
  public var declaredKeys: [String: String] = [:]

  /// A Boolean value that indicates whether rows are only analyzed, because the file will be read
  /// again.
  var isInferringTypes: Bool { typeInference.isOn }
  let typeInference = TypeInference()
  private var builders: [Builder] = []
  /// The tables by requested name, compared byte by byte.
  private var indexes: [[UInt8]: Int] = [:]
  private let known: [InferredTable]
  private var hasOtherTables = false
  /// The store of spellings; `nil` if they are not needed, because the source is read-only.
  let spellings: SpellingStore?

  /// The inferred properties of a table in an earlier pass.
  struct InferredTable {
    let columns: [(name: String, kinds: ColumnKinds)]
    let key: Builder.KeyKind
    let hasChildren: Bool
  }

  /// Records whether rows are only analyzed. Builders hold the object directly, because they
  /// access it for each value.
  final class TypeInference {
    private(set) var isOn = false
    private var rowCount = 0
    private var start = 0

    func begin() {
      if !isOn { start = rowCount }
      isOn = true
    }

    func rowEnded() throws {
      rowCount += 1
      if isOn, start < minimumInferenceRowCount, rowCount > 2 * minimumInferenceRowCount {
        throw RestartPass()
      }
    }
  }

  /// Aborts this pass, so that the file is read again with the corrected column types.
  struct RestartPass: Error {}

  /// The structure that the format inferred in an earlier pass, passed to ``restartPass(with:)``.
  private(set) var inferredStructure: (any Sendable)?

  /// The minimum number of rows to analyze before a pass is aborted.
  private static let minimumInferenceRowCount = 4_096

  init(
    _ connection: Connection, known: [InferredTable] = [],
    inferredStructure: (any Sendable)? = nil, keepsSpellings: Bool = false
  ) {
    self.connection = connection
    spellings = keepsSpellings ? SpellingStore(connection) : nil
    self.known = known
    self.inferredStructure = inferredStructure
  }

  /// Requests another pass, because the file's tables have a different structure. The inferred
  /// column types are discarded.
  ///
  /// - Returns: The error to throw.
  func restartPass(with inferredStructure: any Sendable) -> RestartPass {
    self.inferredStructure = inferredStructure
    hasOtherTables = true
    return RestartPass()
  }

  /// Returns the table with a name, which is created if it is new.
  ///
  /// If SQLite considers several names equal, all but the first get a numeric suffix. Names that
  /// SQLite reserves get a prefix.
  ///
  /// - Parameters:
  ///   - name: The requested name.
  ///   - parent: The parent table, whose ``TableCollector/Builder/rowNumber`` the rows refer to.
  ///     Rows are deleted with their parent row.
  ///   - column: The name of the column that refers to the parent row. It is the first column.
  ///   - number: The name of the parent's row number column. It is the parent's last column, and
  ///     its primary key.
  public func table(
    _ name: String, childOf parent: Builder? = nil, by column: String = "parent",
    to number: String = "row"
  ) -> Builder {
    let key = Array(name.utf8)
    if let index = indexes[key] { return builders[index] }
    parent?.addChild(numberedBy: number)
    let builder = Builder(
      uniqueName(name), in: self, declared: declared(name),
      known: builders.count < known.count ? known[builders.count] : nil)
    if let parent { builder.link(to: parent, by: column) }
    indexes[key] = builders.count
    builders.append(builder)
    return builder
  }

  /// The tables so far, in order.
  public var tables: [Builder] { builders }

  private func uniqueName(_ name: String) -> String {
    var taken = Set(builders.map { FoldedName($0.name) })
    return taken.insertUnique(Self.validName(name))
  }

  /// Returns whether a column with this name can be the primary key.
  static func isKeyName(_ name: String) -> Bool { ["id", "@id"].contains(SQLName.folded(name)) }

  /// Returns a name that SQLite permits for a table.
  static func validName(_ name: String) -> String {
    let isReserved = SQLName.folded(name).hasPrefix("sqlite_")
    return name.isEmpty ? "table" : isReserved ? "_\(name)" : name
  }

  private func declared(_ table: String) -> [FoldedName: ColumnType] {
    let columns = declaredTypes.first { SQLName.isSame($0.key, table) }
    return Dictionary(
      (columns?.value ?? [:]).map { (FoldedName($0), $1) }, uniquingKeysWith: { $1 })
  }

  func declaredKey(of table: String) -> String? {
    declaredKeys.first { SQLName.isSame($0.key, table) }?.value
  }

  /// Returns a name, with a numeric suffix if a table or an index has it.
  func unusedName(_ name: String) throws -> String {
    var unused = name
    var number = 2
    while try connection.value(
      Int.self, "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", unused) != nil
    {
      unused = "\(name)_\(number)"
      number += 1
    }
    return unused
  }

  /// Inserts the pending rows and declares the column types.
  ///
  /// - Returns: The inferred properties of the tables, if the file must be read again; otherwise
  ///   `nil`.
  func finish() throws -> [InferredTable]? {
    for builder in builders { try builder.insertRows() }
    spellings?.finish()
    guard !isInferringTypes else { return inferenceResult }
    var changes: [(name: String, sql: String)] = []
    for builder in builders {
      if let sql = try builder.finish() { changes.append((builder.name, sql)) }
    }
    guard !changes.isEmpty else { return nil }
    // The types do not change how the values are stored. ALTER TABLE can't declare them.
    try connection.setOption(.defensive, on: false)
    try connection.setOption(.writableSchema, on: true)
    defer {
      try? connection.setOption(.writableSchema, on: false)
      try? connection.setOption(.defensive, on: true)
    }
    for (name, sql) in changes {
      try connection.run(
        "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", sql, name)
    }
    try connection.execute("PRAGMA writable_schema = RESET")
    // For finding the child rows of a deleted row.
    for builder in builders { try builder.indexParents() }
    return nil
  }

  var inferenceResult: [InferredTable] { hasOtherTables ? [] : builders.map(\.inferenceResult) }
}

@available(*, unavailable) extension TableCollector: Sendable {}

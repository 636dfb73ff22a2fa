public import SQLiteCore

/// Takes the tables of a file, whose columns and types show as their rows come, into a private database.
///
/// The type of a column is that of all its values. Integers alone make `INTEGER`, integers and other numbers `REAL`,
/// `true` and `false` alone `BOOLEAN`, stored as 1 and 0, days and times `DATE TEXT` and `DATETIME TEXT`, texts `TEXT`. Texts that
/// look like different things are all texts, and so are numbers and Booleans that are written in different ways, `1.10`
/// and `1.9`: a file is written as it was. Values that have types, and not one, make a column without a type,
/// in which each is as it is; but where objects, arrays, numbers beyond 64 bits or Booleans are among them, each
/// is a text in JSON, and the column `JSON TEXT`.
///
/// A column named `id` in which each row has another integer, or another text, is the primary key.
///
/// Rows may belong to those of another table. They refer to the number of that row, which no other row has as long as it
/// is there, and are deleted with it: the numbers are a column of that table, and its primary key. Its `id` is then
/// `UNIQUE`.
///
/// Rows are inserted as they come, without types, which are declared at the end. Where a value shows that those
/// before it should have been stored otherwise, the rest is only looked at, and all is read once more.
public final class TableCollector {
  /// The private database, in a transaction. Who knows the tables of a file before their rows makes them here.
  public let connection: Connection
  /// The types of columns, by table and column, that are not to be found out. Set them before the first row.
  public var declaredTypes: [String: [String: ColumnType]] = [:]
  /// The columns that are primary keys, by table. Without one, it is found out.
  public var declaredKeys: [String: String] = [:]

  /// Whether rows are only looked at, since all is to be read again.
  var isSurveying: Bool { survey.isOn }
  let survey = Survey()
  private var builders: [Builder] = []
  /// The tables by the names that they were asked for, byte by byte.
  private var places: [[UInt8]: Int] = [:]
  private let known: [KnownTable]
  private var hasOtherTables = false

  /// What is known of a table that was read before.
  struct KnownTable {
    let columns: [(name: String, kinds: ColumnKinds)]
    let key: Builder.KeyPlan
    let hasChildren: Bool
  }

  /// Whether rows are only looked at. Builders hold it themselves, as they look at it with each value.
  final class Survey {
    private(set) var isOn = false
    private var rowCount = 0
    private var start = 0

    func begin() {
      if !isOn { start = rowCount }
      isOn = true
    }

    func rowEnded() throws {
      rowCount += 1
      if isOn, start < surveyedRows, rowCount > 2 * surveyedRows { throw ReadsAgain() }
    }
  }

  /// Ends a reading early, since little was read in vain, or all of it otherwise than it should have been.
  struct ReadsAgain: Error {}

  /// What the format has learnt of the file in a reading before, and handed to ``readsAgain(knowing:)``.
  private(set) var lesson: (any Sendable)?

  /// How many rows are looked at, at least, before a reading ends early.
  private static let surveyedRows = 4_096

  init(_ connection: Connection, known: [KnownTable] = [], lesson: (any Sendable)? = nil) {
    self.connection = connection
    self.known = known
    self.lesson = lesson
  }

  /// Has the file be read once more, since its tables are others than they seemed to be. What is known of their
  /// columns is forgotten.
  ///
  /// - Returns: What to throw.
  func readsAgain(knowing lesson: any Sendable) -> ReadsAgain {
    self.lesson = lesson
    hasOtherTables = true
    return ReadsAgain()
  }

  /// The table of a name, which is made where it is new.
  ///
  /// Names that SQLite takes for one get a number behind them, but for the first; so does what SQLite keeps for
  /// itself.
  ///
  /// - Parameters:
  ///   - name: What the table is called.
  ///   - parent: The table whose rows its own belong to: they refer to ``TableCollector/Builder/rowNumber``, and are deleted
  ///     with the row that they belong to.
  ///   - column: The column that says to which row a row belongs. It is added as the first one.
  ///   - number: What the numbers of the parent's rows are called there. They are its last column, and its primary
  ///     key.
  public func table(
    _ name: String, childOf parent: Builder? = nil, by column: String = "parent",
    to number: String = "row"
  ) -> Builder {
    let key = Array(name.utf8)
    if let place = places[key] { return builders[place] }
    parent?.noteChild(numberedBy: number)
    let builder = Builder(
      uniqueName(name), in: self, declared: declared(name),
      known: builders.count < known.count ? known[builders.count] : nil)
    if let parent { builder.belong(to: parent, by: column) }
    places[key] = builders.count
    builders.append(builder)
    return builder
  }

  /// The tables so far, in their order.
  public var tables: [Builder] { builders }

  private func uniqueName(_ name: String) -> String {
    let isReserved = SQLName.folded(name).hasPrefix("sqlite_")
    let base = name.isEmpty ? "table" : isReserved ? "_\(name)" : name
    let taken = Set(builders.map { FoldedName($0.name) })
    if !taken.contains(FoldedName(base)) { return base }
    var number = 2
    while taken.contains(FoldedName("\(base)_\(number)")) { number += 1 }
    return "\(base)_\(number)"
  }

  private func declared(_ table: String) -> [FoldedName: ColumnType] {
    let columns = declaredTypes.first { SQLName.isSame($0.key, table) }
    return Dictionary(
      (columns?.value ?? [:]).map { (FoldedName($0), $1) }, uniquingKeysWith: { $1 })
  }

  func declaredKey(of table: String) -> String? {
    declaredKeys.first { SQLName.isSame($0.key, table) }?.value
  }

  /// A name that neither a table nor an index has yet: this one, with a number behind it where it is taken.
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

  /// Declares the types of what was read.
  ///
  /// - Returns: What is known of the tables, where they are to be read again; `nil` where all is done.
  func finish() throws -> [KnownTable]? {
    for builder in builders { try builder.insertRows() }
    guard !isSurveying else { return knowledge }
    var changes: [(name: String, sql: String)] = []
    for builder in builders {
      if let sql = try builder.finish() { changes.append((builder.name, sql)) }
    }
    guard !changes.isEmpty else { return nil }
    // No value is stored otherwise under the types than without them, which ALTER TABLE has no words for.
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
    // So that the rows which are deleted with another are found.
    for builder in builders { try builder.indexParents() }
    return nil
  }

  var knowledge: [KnownTable] { hasOtherTables ? [] : builders.map(\.knowledge) }
}

@available(*, unavailable) extension TableCollector: Sendable {}

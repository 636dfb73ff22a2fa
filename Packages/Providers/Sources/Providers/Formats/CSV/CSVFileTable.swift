/// A CSV file as a virtual table, whose rows are read from the file by each query.
///
/// The table has the columns, types, values and rowids that ``CSVProvider`` would load into a
/// database. Only the columns that a query reads have a type and values: ``analyzed(reading:defersChecks:)``
/// reads the file once to determine the types of these columns, and to check the form of all
/// records. The memory does not depend on the size of the file.
///
/// A query that groups rows can do both while it reads them, so that the file is read only once: see
/// ``analyzed(reading:defersChecks:)``.
///
/// ```swift
/// if let file = try CSVFileTable(path: "people.csv"),
///   let table = try file.analyzed(reading: ["town", "age"])
/// {
///   let connection = try Connection.inMemory(configuration: Configuration().withProviderFunctions)
///   try table.register(on: connection)
///   try table.create(in: connection)
///   print(try connection.rows("SELECT town, max(age) FROM people GROUP BY town"))
/// }
/// ```
///
/// A file can't be read in place if SQL could give another result than for loaded rows, or if it is
/// not valid. The functions then return `nil`: load the file with a ``CSVProvider``, which reports
/// errors. These files are loaded:
///
/// - texts in other encodings than UTF-8, files without a record, files that are read in part
/// - files with an invalid record, also if such records are to be collected
/// - files whose column `id` is read, unless it contains ascending integers: other keys are
///   `UNIQUE`, and have an index
/// - files with a column `id` whose rowid is read
/// - files with a specified primary key, or with a specified type other than `TEXT` for a column
///   that is read
///
/// A query that groups rows by the column `id` and, before it, by others has no plan, and can't be
/// compiled: the groups of a loaded table would have another order.
///
/// If the file changes, queries fail with ``ProviderError/Code/fileChanged``.
public struct CSVFileTable: Sendable {
  /// The table's name.
  public let name: String
  /// The names of all columns.
  public var columns: [String] { structure.columns }

  let path: String
  let stamp: FileStamp
  let structure: CSVStructure
  private let options: CSVProvider.Options
  /// The properties of the columns that are read; `nil` if they are unknown. The table is then
  /// empty.
  private(set) var analysis: Analysis?
  /// The number of bytes to read at a time, of the parts that are analyzed concurrently, and of the
  /// rows that are sorted in memory.
  var lengths = (window: 1 << 18, part: 1 << 22, run: 1 << 22)

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: A regular file.
  ///   - options: The known properties of the file.
  /// - Returns: The table, which is empty until it is analyzed; `nil` if the file must be loaded.
  /// - Throws: ``ProviderError`` for a file system error, and for an invalid first record.
  public init?(path: String, options: CSVProvider.Options = CSVProvider.Options()) throws {
    guard options.maximumRecordCount == nil, options.primaryKey == nil else { return nil }
    let file = try FileReader(path: path)
    let input = SourceSession.ByteInput(file, name: options.tableName)
    stamp = try file.stamp()
    var reader = try CSVTableReader(input, options)
    guard let structure = try reader.readStructure(), structure.rows <= stamp.size else {
      return nil
    }
    self.path = path
    self.structure = structure
    self.options = options
    name = TableCollector.validName(input.name)
  }

  /// The column that would be the primary key of a loaded table.
  var keyColumn: Int? { columns.firstIndex { TableCollector.isKeyName($0) } }

  /// Analyzes the columns that queries read.
  ///
  /// If checks are deferred, the types are those of the first rows. The first query that groups
  /// rows checks all rows while it reads them, before it returns a row; any other query reads the
  /// file twice then. If the rows contradict the first ones, or if a record is not valid, queries
  /// fail and ``isContradicted`` is `true`: call this function again without deferring checks.
  ///
  /// ```swift
  /// if let table = try file.analyzed(reading: ["town", "age"], defersChecks: true) {
  ///   try table.register(on: connection)
  ///   try table.create(in: connection)
  ///   let rows = try? connection.rows("SELECT town, max(age) FROM people GROUP BY town")
  ///   if table.isContradicted { print("the file must be read twice") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - names: The names of the columns. `ROWID` is the rowid. Other names are ignored.
  ///   - defersChecks: Whether only the first rows are analyzed, about 4 MB.
  /// - Returns: The table with its rows; `nil` if the file must be loaded.
  /// - Throws: ``ProviderError`` for a file system error, or with
  ///   ``ProviderError/Code/fileChanged``.
  public func analyzed(
    reading names: Set<String>, defersChecks: Bool = false
  ) throws -> CSVFileTable? {
    let key = keyColumn
    let folded = Set(names.map { FoldedName($0) })
    let readsRowID = folded.contains(FoldedName("ROWID"))
    if readsRowID, key != nil { return nil }
    let selected = columns.indices.filter { folded.contains(FoldedName(columns[$0])) }
    let declared = options.columnTypes.map { (FoldedName($0.key), $0.value) }
    guard declared.allSatisfy({ name, _ in columns.contains { FoldedName($0) == name } }) else {
      return nil
    }
    let isText = selected.map { column in
      declared.filter { $0.0 == FoldedName(columns[column]) }.map { $0.1 == .text }
    }
    guard isText.allSatisfy({ !$0.contains(false) }) else { return nil }
    let selection = CSVScan.Selection(
      columns: selected, nullText: options.nullText.map { Array($0.utf8) },
      textSlots: isText.map { !$0.isEmpty }, keySlot: key.flatMap { selected.firstIndex(of: $0) })
    let analyzer = CSVAnalysis(self, selection)
    guard var analysis = try defersChecks ? analyzer.runOnFirstPart() : analyzer.run() else {
      return nil
    }
    analysis.readsRowID = readsRowID
    var table = self
    table.analysis = analysis
    return table
  }

  /// A Boolean value that indicates whether a query failed because the rows contradict the first
  /// ones, or because a record is not valid: see ``analyzed(reading:defersChecks:)``.
  public var isContradicted: Bool { analysis?.check?.isContradicted ?? false }

  /// The properties of the columns that are read.
  struct Analysis: Sendable {
    let selection: CSVScan.Selection
    /// The kinds of the columns' values, and the types that follow from them.
    let kinds: [TableCollector.ColumnKinds]
    let types: [TableCollector.ColumnType]
    /// A Boolean value that indicates whether queries read the rowid.
    var readsRowID = false
    /// The number of rows; an estimate if there is a ``check``.
    let rowCount: Int
    /// The check of the rows, of which only the first ones were analyzed; `nil` if all were.
    let check: CSVCheck?

    /// The number of rows; `nil` as long as not all were read.
    var exactRowCount: Int? { check.map(\.rowCount) ?? rowCount }
  }

  /// Opens the file again.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if it was changed or
  ///   replaced.
  func reader() throws(ProviderError) -> FileReader {
    let reader = try FileReader(path: path)
    try check(reader)
    return reader
  }

  /// Throws if an open file has changed.
  func check(_ reader: FileReader) throws(ProviderError) {
    guard try reader.stamp().hasSameContent(as: stamp) else { throw .fileChanged(path) }
  }
}

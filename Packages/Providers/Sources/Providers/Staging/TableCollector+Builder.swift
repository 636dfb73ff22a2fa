internal import SQLiteCore

extension TableCollector {
  /// Fills a table of a ``TableCollector``. Columns and their types are determined as rows are
  /// added.
  ///
  /// ```swift
  /// let people = tables.table("people")
  /// let name = people.column("name"), age = people.column("age")
  /// people.set(name, text: "Ada".utf8.span)
  /// people.set(age, integer: 36)
  /// try people.endRow()
  /// ```
  ///
  /// The types depend on all values: see ``TableCollector``.
  public final class Builder {
    /// The table's name.
    public let name: String
    unowned let collector: TableCollector
    let typeInference: TableCollector.TypeInference
    /// The current row, the pending rows, and the columns.
    var rowBuffer = RowBuffer()
    /// The columns by requested name, compared byte by byte.
    private var indexes: [[UInt8]: Int] = [:]
    /// The requested columns.
    private var requestedColumns: Set<Int> = []
    /// The columns by their final names.
    private var columnIndexes: [FoldedName: Int] = [:]
    /// The candidate for the primary key.
    var key: KeyKind
    /// A Boolean value that indicates whether rows of other tables refer to row numbers.
    private(set) var hasChildren = false
    /// The name of the row number column, if rows of other tables refer to it.
    private(set) var rowNumberColumnName: String?
    /// The parent table, and the column that refers to its rows.
    var parent: (table: Builder, column: Int)?
    private let declared: [FoldedName: ColumnType]
    let known: TableCollector.InferredTable?

    var rowCount: Int64 = 0
    var lastKey: Int64?
    /// The prepared statement that inserts rows, and the number of its rows.
    var insert: (rowCount: Int, statement: Statement)?
    /// The statement that created the table; `nil` if the table does not exist yet.
    var createdSQL: String?
    var createdCount = 0

    /// The kind of a table's key.
    enum KeyKind: Equatable {
      /// Unknown until the first row.
      case undecided
      case none
      /// An ascending integer, which becomes the rowid.
      case rowID(column: Int)
      case unique(column: Int)

      var column: Int? {
        switch self {
        case .rowID(let column), .unique(let column): column
        case .undecided, .none: nil
        }
      }
    }

    init(
      _ name: String, in collector: TableCollector, declared: [FoldedName: ColumnType],
      known: TableCollector.InferredTable?
    ) {
      self.name = name
      self.collector = collector
      typeInference = collector.typeInference
      self.declared = declared
      self.known = known
      key = .undecided
      hasChildren = known?.hasChildren ?? false
      rowBuffer.keepsSpellings = collector.spellings != nil
      for column in known?.columns ?? [] { addColumn(column.name, column.kinds) }
    }

    // MARK: Columns

    /// Returns the number of a column, which is added if it is new.
    ///
    /// If SQLite considers several names equal, all but the first get a numeric suffix.
    public func column(_ name: String) -> Int {
      let key = Array(name.utf8)
      if let known = indexes[key] { return known }
      var unique = name.isEmpty ? "column\(indexes.count + 1)" : name
      if isTaken(unique) {
        var number = 2
        while isTaken("\(unique)_\(number)") { number += 1 }
        unique += "_\(number)"
      }
      let column = index(of: unique) ?? addColumn(unique, [])
      indexes[key] = column
      requestedColumns.insert(column)
      return column
    }

    /// Returns whether a column with another requested name has this name.
    private func isTaken(_ name: String) -> Bool {
      index(of: name).map { requestedColumns.contains($0) } ?? false
    }

    func index(of name: String) -> Int? {
      columnIndexes[FoldedName(name)]
    }

    @discardableResult
    func addColumn(_ name: String, _ kinds: ColumnKinds) -> Int {
      rowBuffer.add(RowBuffer.Column(name, kinds, declared: declared[FoldedName(name)]))
      let index = rowBuffer.columns.count - 1
      columnIndexes[FoldedName(name)] = index
      return index
    }

    /// The column names, in order.
    public var columnNames: [String] { rowBuffer.columns.map(\.name) }

    /// Returns the type of a column according to all values so far; `nil` for no type.
    public func type(of column: Int) -> ColumnType? {
      let own = parent?.column == column ? ColumnType.integer : rowBuffer.columns[column].kinds.type
      return rowBuffer.columns[column].declared ?? own
    }

    /// Returns the notation of strings in a column that is not a text column.
    public func form(of column: Int) -> ColumnForm { rowBuffer.columns[column].form }

    /// The key column, even if the row number is the primary key; `nil` if there is none.
    var keyColumn: String? { key.column.map { rowBuffer.columns[$0].name } }

    func addChild(numberedBy name: String) {
      hasChildren = true
      rowNumberColumnName = name
      if case .rowID = key { discardRowIDKey() }
    }

    // MARK: Values

    /// Exchanges the row buffer, for callers that set many values in a loop and exchange it again
    /// afterwards.
    func exchange(_ rowBuffer: inout RowBuffer) { swap(&self.rowBuffer, &rowBuffer) }

    /// Sets a column to NULL, which is the default.
    public func setNull(_ column: Int) { rowBuffer.setNull(column) }

    public func set(_ column: Int, integer value: Int64) {
      if rowBuffer.set(column, integer: value) { return }
      widen(column, [ColumnKinds(integer: value), .typed])
      _ = rowBuffer.set(column, integer: value)
    }

    public func set(_ column: Int, real value: Double) { set(column, real: value, digits: Span()) }

    /// Sets a column to a real number.
    ///
    /// - Parameter digits: The number's spelling in JSON's grammar, which is stored in a text column;
    ///   empty if it is `Double.description`.
    func set(_ column: Int, real value: Double, digits: Span<UInt8>) {
      if rowBuffer.set(column, real: value, digits: digits) { return }
      widen(column, [.real, .typed])
      _ = rowBuffer.set(column, real: value, digits: digits)
    }

    public func set(_ column: Int, boolean value: Bool) {
      if rowBuffer.set(column, boolean: value) { return }
      widen(column, [.boolean, .typed])
      _ = rowBuffer.set(column, boolean: value)
    }

    /// Sets a column to a text value in UTF-8.
    public func set(_ column: Int, text value: Span<UInt8>) {
      if rowBuffer.set(column, text: value) { return }
      widen(column, [.textValue, .typed])
      _ = rowBuffer.set(column, text: value)
    }

    /// Sets a column to a UTF-8 string that can represent a value of another type, as in CSV and
    /// XML.
    public func set(_ column: Int, field value: Span<UInt8>) {
      if rowBuffer.set(column, field: value) { return }
      widen(column, ColumnKinds(TextKind(value)))
      _ = rowBuffer.set(column, field: value)
    }

    /// Sets a column to a number that no SQLite type can represent, given as digits.
    public func set(_ column: Int, number digits: Span<UInt8>) {
      if rowBuffer.set(column, number: digits) { return }
      widen(column, [.longNumber, .typed])
      _ = rowBuffer.set(column, number: digits)
    }

    /// Sets a column to an object or array, given as JSON.
    public func set(_ column: Int, container json: Span<UInt8>) {
      if rowBuffer.set(column, container: json) { return }
      widen(column, [.container, .typed])
      _ = rowBuffer.set(column, container: json)
    }

    /// Throws an error if a value of the current row does not match its column's declared type.
    func checkTypes() throws(ProviderError) {
      guard let typeMismatch = rowBuffer.typeMismatch else { return }
      throw ProviderError(
        .unrepresentable, "the value is not of type \(typeMismatch.type.rawValue)",
        table: name, column: rowBuffer.columns[typeMismatch.column].name)
    }

    /// Adds kinds to a column. If earlier values would have been stored differently, requests
    /// another pass.
    private func widen(_ column: Int, _ kinds: ColumnKinds) {
      guard let (old, new) = rowBuffer.widen(column, kinds) else { return }
      if !new.holdsValues(of: old) { typeInference.begin() }
      guard key.column == column else { return }
      switch new {
      case .number where !rowBuffer.columns[column].kinds.contains(.real): break
      case .text, .decimal: if case .rowID = key { discardRowIDKey() }
      default: discardKey()
      }
    }
  }
}

@available(*, unavailable) extension TableCollector.Builder: Sendable {}

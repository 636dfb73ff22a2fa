internal import Primitives
internal import SQLiteCore

/// The current row of a ``TableCollector/Builder``, the inferred properties of its columns, and the
/// rows to be inserted with the next statement: inserting several rows with one statement is
/// faster.
///
/// Each `set` method returns whether the column already has values of this kind. If not, no value
/// is set: call ``widen(_:_:)``, then set the value again.
struct RowBuffer: ~Copyable {
  struct Column {
    let name: String
    var kinds: TableCollector.ColumnKinds
    var storage: ColumnStorage
    /// The declared type.
    let declared: TableCollector.ColumnType?
    var form = TableCollector.ColumnForm()

    init(_ name: String, _ kinds: TableCollector.ColumnKinds, declared: TableCollector.ColumnType?)
    {
      self.name = name
      self.kinds = kinds
      self.declared = declared
      storage = declared.map(ColumnStorage.init) ?? ColumnStorage(kinds)
    }
  }

  struct Cell {
    enum Kind: UInt8 { case null, integer, real, text }
    var kind = Kind.null
    /// The integer, the bits of the real number, or the offset of the text.
    var bits: Int64 = 0
    var count = 0
  }

  private(set) var columns: [Column] = []
  /// The cells of the pending rows, one row after another, followed by the current row's.
  private var cells: [Cell] = []
  /// The index of the current row in `cells`.
  private var start = 0
  /// The strings of all these rows.
  private var text: [UInt8] = []
  /// The number of pending rows.
  private(set) var pendingRowCount = 0
  /// The first value that does not match a declared type.
  private(set) var typeMismatch: (column: Int, type: TableCollector.ColumnType)?

  mutating func add(_ column: Column) {
    for row in (0...pendingRowCount).reversed() {
      cells.insert(Cell(), at: (row + 1) * columns.count)
    }
    columns.append(column)
    start = pendingRowCount * columns.count
  }

  /// Returns the kind of a value in the current row.
  func kind(of column: Int) -> Cell.Kind { cells[start + column].kind }

  /// Returns the integer in a column.
  func integer(of column: Int) -> Int64 { cells[start + column].bits }

  /// Ends the row and adds it to the pending rows.
  mutating func endRow() {
    pendingRowCount += 1
    start = cells.count
    for _ in 0..<columns.count { cells.append(Cell()) }
  }

  /// A Boolean value that indicates whether the pending rows should be inserted.
  var isFull: Bool { pendingRowCount >= rowsPerInsert || text.count >= Self.maximumTextLength }

  /// The number of rows that makes the cost of a statement small compared to the cost of its
  /// values.
  private var rowsPerInsert: Int { Swift.max(1, Swift.min(16, 512 / Swift.max(1, columns.count))) }

  private static let maximumTextLength = 65_536

  /// Removes all rows.
  mutating func removeRows() {
    cells.removeSubrange(columns.count...)
    for index in 0..<cells.count { cells[index].kind = .null }
    text.removeAll(keepingCapacity: true)
    start = 0
    pendingRowCount = 0
  }

  /// Adds kinds to a column.
  ///
  /// - Returns: The old and the new storage of the column's values; `nil` if the type is declared.
  mutating func widen(
    _ column: Int, _ kinds: TableCollector.ColumnKinds
  ) -> (old: ColumnStorage, new: ColumnStorage)? {
    columns[column].kinds.formUnion(kinds)
    guard columns[column].declared == nil else { return nil }
    let old = columns[column].storage
    columns[column].storage = ColumnStorage(columns[column].kinds)
    return (old, columns[column].storage)
  }

  // MARK: Values

  mutating func setNull(_ column: Int) { cells[start + column].kind = .null }

  mutating func set(_ column: Int, integer value: Int64) -> Bool {
    guard has(column, [TableCollector.ColumnKinds(integer: value), .typed]) else { return false }
    switch columns[column].storage {
    case .number, .any, .undecided, .integer: put(column, integer: value)
    case .json, .text: put(column, text: value.description)
    case .real where Int64(exactly: Double(value)) == value: put(column, real: Double(value))
    case .boolean where value == 0 || value == 1: put(column, integer: value)
    case .boolean, .real, .date, .dateTime: recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, real value: Double) -> Bool {
    guard has(column, [.real, .typed]) else { return false }
    switch columns[column].storage {
    case .number, .any, .real, .undecided: put(column, real: value)
    case .json, .text: put(column, text: value.description)
    case .boolean, .date, .dateTime, .integer: recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, boolean value: Bool) -> Bool {
    guard has(column, [.boolean, .typed]) else { return false }
    switch columns[column].storage {
    case .boolean: put(column, integer: value ? 1 : 0)
    case .json, .text: put(column, text: value ? "true" : "false")
    case .number, .any, .real, .date, .dateTime, .integer, .undecided: recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, text value: Span<UInt8>) -> Bool {
    guard has(column, [.textValue, .typed]) else { return false }
    switch columns[column].storage {
    case .text, .any: put(column, text: value)
    case .json: putQuoted(column, value)
    case .number, .boolean, .real, .date, .dateTime, .integer, .undecided:
      put(column, declared: value)
    }
    return true
  }

  mutating func set(_ column: Int, field value: Span<UInt8>) -> Bool {
    let (kinds, storage) = (columns[column].kinds, columns[column].storage)
    let isDeclared = columns[column].declared != nil
    if storage == .text, isDeclared || kinds.contains(.text) {
      put(column, text: value)
      return true
    }
    if isDeclared {
      put(column, declared: value)
      return true
    }
    let kind = TableCollector.TextKind(value)
    guard kinds.isSuperset(of: TableCollector.ColumnKinds(kind)) else { return false }
    switch (storage, kind) {
    case (.number, .integer(let integer)):
      columns[column].form.recordWholeNumber()
      put(column, integer: integer)
    case (.number, .real): put(column, realDigits: value)
    case (.boolean, .boolean(let boolean)):
      columns[column].form.record(boolean: value)
      put(column, integer: boolean ? 1 : 0)
    default:
      put(column, text: value)
      return true
    }
    return columns[column].form.isUniform
  }

  mutating func set(_ column: Int, number digits: Span<UInt8>) -> Bool {
    guard has(column, [.longNumber, .typed]) else { return false }
    set(column, json: digits)
    return true
  }

  mutating func set(_ column: Int, container json: Span<UInt8>) -> Bool {
    guard has(column, [.container, .typed]) else { return false }
    set(column, json: json)
    return true
  }

  private mutating func set(_ column: Int, json: Span<UInt8>) {
    switch columns[column].storage {
    case .json, .text: put(column, text: json)
    default: recordTypeMismatch(column)
    }
  }

  @inline(__always)
  private func has(_ column: Int, _ kinds: TableCollector.ColumnKinds) -> Bool {
    columns[column].kinds.isSuperset(of: kinds)
  }

  /// Parses a string for a column with a declared type.
  private mutating func put(_ column: Int, declared value: Span<UInt8>) {
    switch (columns[column].storage, TableCollector.TextKind(value)) {
    case (.text, _), (.date, .date), (.dateTime, .date), (.dateTime, .dateTime):
      put(column, text: value)
    case (.integer, .integer(let integer)): put(column, integer: integer)
    case (.boolean, .integer(let integer)) where integer == 0 || integer == 1:
      put(column, integer: integer)
    case (.real, .integer(let integer)) where Int64(exactly: Double(integer)) == integer:
      put(column, real: Double(integer))
    case (.real, .real): put(column, realDigits: value)
    case (.boolean, .boolean(let boolean)):
      columns[column].form.record(boolean: value)
      put(column, integer: boolean ? 1 : 0)
    default: recordTypeMismatch(column)
    }
  }

  private mutating func recordTypeMismatch(_ column: Int) {
    if typeMismatch == nil, let type = columns[column].declared { typeMismatch = (column, type) }
  }

  // MARK: Cells

  @inline(__always)
  private mutating func put(_ column: Int, integer: Int64) {
    cells[start &+ column] = Cell(kind: .integer, bits: integer)
  }

  @inline(__always)
  private mutating func put(_ column: Int, real: Double) {
    cells[start &+ column] = Cell(kind: .real, bits: Int64(bitPattern: real.bitPattern))
  }

  @inline(__always)
  private mutating func put(_ column: Int, text value: Span<UInt8>) {
    cells[start &+ column] = Cell(kind: .text, bits: Int64(text.count), count: value.count)
    text.append(value)
  }

  private mutating func put(_ column: Int, text value: String) {
    let first = text.count
    text.append(contentsOf: value.utf8)
    cells[start &+ column] = Cell(kind: .text, bits: Int64(first), count: text.count - first)
  }

  private mutating func put(_ column: Int, realDigits digits: Span<UInt8>) {
    guard let value = ExactNumber(digits, 0..<digits.count)?.double else {
      return recordTypeMismatch(column)
    }
    columns[column].form.record(real: digits)
    put(column, real: value)
  }

  private mutating func putQuoted(_ column: Int, _ value: Span<UInt8>) {
    let first = text.count
    JSONText.append(quoted: value, to: &text)
    cells[start &+ column] = Cell(kind: .text, bits: Int64(first), count: text.count - first)
  }
}

extension RowBuffer: RowEncodable {
  /// Binds the pending rows.
  func bind(to statement: Statement) throws(SQLiteError) {
    for index in 0..<start {
      let parameter = ParameterIndex(index + 1)
      switch cells[index].kind {
      case .null: try statement.bindNull(at: parameter)
      case .integer: try statement.bindInteger(cells[index].bits, at: parameter)
      case .real:
        let bits = UInt64(bitPattern: cells[index].bits)
        try statement.bindReal(Double(bitPattern: bits), at: parameter)
      case .text:
        let first = Int(cells[index].bits)
        try statement.bindText(
          text.elementSpan.extracting(first..<first + cells[index].count), at: parameter)
      }
    }
  }
}

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
  /// A Boolean value that indicates whether spellings that the columns' forms do not reproduce are
  /// stored.
  var keepsSpellings = false
  /// The spellings in the pending rows and the current row.
  private(set) var spellings: [Spelling] = []
  /// The index of the current row's first spelling.
  private var firstSpelling = 0

  /// The spelling of a number or Boolean.
  struct Spelling {
    let column: Int
    /// The range in the strings of the rows.
    let range: Range<Int>
    /// The rowid.
    var row: Int64 = 0
  }

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
  mutating func endRow(rowID: Int64) {
    for index in firstSpelling..<spellings.count { spellings[index].row = rowID }
    firstSpelling = spellings.count
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
    spellings.removeAll(keepingCapacity: true)
    firstSpelling = 0
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
    case .number, .any, .undecided, .integer:
      put(column, integer: value)
      _ = columns[column].form.recordWholeNumber()
    case .json, .decimal: put(column, text: value.description)
    case .text:
      put(column, text: value.description)
      spell(column, value.description)
    case .real where Int64(exactly: Double(value)) == value:
      put(column, real: Double(value))
      _ = columns[column].form.recordWholeNumber()
    case .boolean where value == 0 || value == 1:
      put(column, integer: value)
      spell(column, value.description)
    case .boolean, .real, .date, .dateTime: return recordTypeMismatch(column)
    }
    return true
  }

  /// - Parameter digits: The number's spelling; empty if it is `Double.description`.
  mutating func set(_ column: Int, real value: Double, digits: Span<UInt8> = Span()) -> Bool {
    guard has(column, [.real, .typed]) else { return false }
    switch columns[column].storage {
    case .number, .any, .real, .undecided:
      put(column, real: value)
      if digits.count > 0 { columns[column].form.record(value, json: digits) }
    case .json, .decimal, .text:
      if digits.count > 0 {
        put(column, text: digits)
      } else {
        put(column, text: value.description)
      }
      if columns[column].storage == .text { spell(column, digits) }
    case .integer:
      guard let integer = Int64(exactly: value) else { return recordTypeMismatch(column) }
      put(column, integer: integer)
    case .boolean, .date, .dateTime: return recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, boolean value: Bool) -> Bool {
    guard has(column, [.boolean, .typed]) else { return false }
    let text = value ? "true" : "false"
    switch columns[column].storage {
    case .boolean: put(column, integer: value ? 1 : 0)
    case .json: put(column, text: text)
    case .text:
      put(column, text: text)
      spell(column, text)
    case .number, .any, .real, .date, .dateTime, .integer, .decimal, .undecided:
      return recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, text value: Span<UInt8>) -> Bool {
    guard has(column, [.textValue, .typed]) else { return false }
    switch columns[column].storage {
    case .text, .any: put(column, text: value)
    case .json: putQuoted(column, value)
    case .date, .dateTime: return put(column, declared: value)
    case .number, .boolean, .real, .integer, .decimal, .undecided:
      let count = spellings.count
      guard put(column, declared: value) else { return false }
      spellings.removeSubrange(count...)
      // The value is written as a string again.
      var quoted: [UInt8] = []
      JSONText.append(quoted: value, to: &quoted)
      spell(column, quoted.elementSpan)
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
    if isDeclared { return put(column, declared: value) }
    let kind = TableCollector.TextKind(value)
    guard kinds.isSuperset(of: TableCollector.ColumnKinds(kind)) else { return false }
    switch (storage, kind) {
    case (.number, .integer(let integer)): put(column, integer: integer, digits: value)
    case (.number, .real): return put(column, realDigits: value)
    case (.boolean, .boolean(let boolean)): put(column, boolean: boolean, text: value)
    default: put(column, text: value)
    }
    return true
  }

  mutating func set(_ column: Int, number digits: Span<UInt8>) -> Bool {
    guard has(column, [.longNumber, .typed]) else { return false }
    switch columns[column].storage {
    case .decimal, .json: put(column, text: digits)
    case .text:
      put(column, text: digits)
      spell(column, digits)
    default: return recordTypeMismatch(column)
    }
    return true
  }

  mutating func set(_ column: Int, container json: Span<UInt8>) -> Bool {
    guard has(column, [.container, .typed]) else { return false }
    switch columns[column].storage {
    case .json, .text: put(column, text: json)
    default: return recordTypeMismatch(column)
    }
    return true
  }

  @inline(__always)
  private func has(_ column: Int, _ kinds: TableCollector.ColumnKinds) -> Bool {
    columns[column].kinds.isSuperset(of: kinds)
  }

  /// Parses a string for a column with a declared type.
  private mutating func put(_ column: Int, declared value: Span<UInt8>) -> Bool {
    switch columns[column].storage {
    case .date, .dateTime:
      guard isTime(value, in: column) else { return recordTypeMismatch(column) }
      put(column, text: value)
    case .json:
      guard isJSON(value) else { return recordTypeMismatch(column) }
      put(column, text: value)
    case .decimal:
      guard NumberText(value) != nil else { return recordTypeMismatch(column) }
      put(column, text: value)
    case .real: return put(column, realDigits: value)
    case .integer:
      guard let number = NumberText(value), let integer = number.integer(value) else {
        return recordTypeMismatch(column)
      }
      if number.isInteger {
        put(column, integer: integer, digits: value)
      } else {
        put(column, integer: integer)
        spell(column, value)
      }
    case .boolean:
      switch TableCollector.TextKind(value) {
      case .boolean(let boolean): put(column, boolean: boolean, text: value)
      case .integer(let integer) where integer == 0 || integer == 1:
        put(column, integer: integer)
        spell(column, value)
      default: return recordTypeMismatch(column)
      }
    case .text, .number, .any, .undecided: put(column, text: value)
    }
    return true
  }

  private func isTime(_ text: Span<UInt8>, in column: Int) -> Bool {
    switch TableCollector.TextKind(text) {
    case .date: true
    case .dateTime: columns[column].storage == .dateTime
    default: false
    }
  }

  private func isJSON(_ text: Span<UInt8>) -> Bool {
    var reader = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported))
    do {
      while try reader.next(in: text) != .end {}
      return true
    } catch {
      return false
    }
  }

  /// - Returns: `false`: the value is not set.
  private mutating func recordTypeMismatch(_ column: Int) -> Bool {
    if typeMismatch == nil, let type = columns[column].declared { typeMismatch = (column, type) }
    return false
  }

  // MARK: Spellings

  /// Stores the spelling of the cell that has just been set.
  @inline(never)
  private mutating func spell(_ column: Int, _ value: Span<UInt8>) {
    guard keepsSpellings, value.count > 0 else { return }
    spellings.append(Spelling(column: column, range: text.count..<text.count + value.count))
    text.append(value)
  }

  @inline(never)
  private mutating func spell(_ column: Int, _ value: String) {
    value.withUTF8Span { spell(column, $0) }
  }

  /// Returns the text of a spelling.
  func withText<Failure: Error>(
    of spelling: Spelling, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try body(text.elementSpan.extracting(spelling.range))
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

  @inline(__always)
  private mutating func put(_ column: Int, integer: Int64, digits: Span<UInt8>) {
    put(column, integer: integer)
    let isInForm = columns[column].form.recordWholeNumber()
    let first = digits[0]
    if !isInForm || first == 0x2B || first == 0x30 && digits.count > 1
      || first == 0x2D && digits[1] == 0x30
    {
      spell(column, digits)
    }
  }

  private mutating func put(_ column: Int, realDigits digits: Span<UInt8>) -> Bool {
    let start = digits.count > 0 && digits[0] == 0x2B ? 1 : 0
    if columns[column].declared != nil, NumberText(digits) == nil {
      return recordTypeMismatch(column)
    }
    guard var value = ExactNumber(digits, start..<digits.count)?.double else {
      return recordTypeMismatch(column)
    }
    // A column of the type REAL does not preserve the sign of zero.
    let isNegativeZero = value == 0 && value.sign == .minus
    if isNegativeZero { value = 0 }
    put(column, real: value)
    if !columns[column].form.record(real: digits) || isNegativeZero { spell(column, digits) }
    return true
  }

  private mutating func put(_ column: Int, boolean: Bool, text value: Span<UInt8>) {
    put(column, integer: boolean ? 1 : 0)
    if !columns[column].form.record(boolean: value) { spell(column, value) }
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

internal import Primitives
internal import SPON
internal import SQLiteCore

/// Rows of objects. Each value is a cell, without a tree for its row or a string for its key.
struct SPONRowBuffer: ~Copyable {
  /// A value of a row.
  struct Cell {
    /// The number of the key.
    let key: Int
    var kind: Kind
    /// The number's bits, the offset of the text, or the index of the value.
    var bits: UInt64 = 0
    /// The length of the text in bytes.
    var count = 0

    enum Kind: UInt8 {
      case null, boolean, integer, float, double, text, opaque
      /// Any other value, including objects and arrays.
      case other
    }
  }

  private(set) var keys: RowKeys
  private var cells: [Cell] = []
  /// The end of each row in `cells`.
  private var ends: [Int] = []
  /// The texts of all rows.
  private var text: [UInt8] = []
  private var others: [SPONValue] = []
  /// The last cell of each key, counted from the beginning of the file.
  private var lastCells: [Int] = []
  /// The number of cells that were removed.
  private var removedCount = 0
  /// The rows that ``bind(to:)`` binds, and the storage of their columns, by the numbers of the keys.
  private var batch: (rows: Range<Int>, forms: [SPONForm]) = (0..<0, [])

  /// - Parameter keys: The known keys.
  init(keys: [String] = []) {
    self.keys = RowKeys(keys)
    lastCells = Array(repeating: -1, count: keys.count)
  }

  /// The number of rows.
  var count: Int { ends.count }

  /// The number of bytes that the values occupy.
  var size: Int { text.count + cells.count * MemoryLayout<Cell>.size }

  /// Returns the cells of a row, at most one for each key.
  func cells(ofRow row: Int) -> ArraySlice<Cell> { cells[range(ofRow: row)] }

  private func range(ofRow row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

  mutating func removeRows() {
    removedCount += cells.count
    cells.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    others.removeAll()
  }

  // MARK: Reading

  /// Reads the row whose object the last event began.
  mutating func readRow(from source: inout SPONSource) throws {
    let first = removedCount + cells.count
    while let type = try source.advance(), type != .endObject {
      var key = 0
      source.reader.withKey { key = keys.numberAdding($0) }
      if key == lastCells.count { lastCells.append(-1) }
      let cell = try cell(key, type, from: &source)
      // The last of several values with the same key counts.
      if lastCells[key] >= first {
        cells[lastCells[key] - removedCount] = cell
      } else {
        lastCells[key] = removedCount + cells.count
        cells.append(cell)
      }
    }
    keys.endRow()
    ends.append(cells.count)
  }

  private mutating func cell(
    _ key: Int, _ type: SPONEventReader.EventType, from source: inout SPONSource
  ) throws -> Cell {
    switch type {
    case .null: return Cell(key: key, kind: .null)
    case .bool: return Cell(key: key, kind: .boolean, bits: source.reader.bool ? 1 : 0)
    case .integer:
      return Cell(key: key, kind: .integer, bits: UInt64(bitPattern: source.reader.integer))
    case .double: return Cell(key: key, kind: .double, bits: source.reader.double.bitPattern)
    case .float:
      return Cell(key: key, kind: .float, bits: UInt64(source.reader.float.bitPattern))
    case .string, .opaque:
      let start = text.count
      source.reader.withText { text.append($0) }
      return Cell(
        key: key, kind: type == .string ? .text : .opaque, bits: UInt64(start),
        count: text.count - start)
    default:
      others.append(try source.value())
      return Cell(key: key, kind: .other, bits: UInt64(others.count - 1))
    }
  }

  // MARK: Values

  func integer(of cell: Cell) -> Int64 { Int64(bitPattern: cell.bits) }

  func double(of cell: Cell) -> Double { Double(bitPattern: cell.bits) }

  func float(of cell: Cell) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: cell.bits)) }

  func value(of cell: Cell) -> SPONValue {
    switch cell.kind {
    case .null: .null
    case .boolean: .bool(cell.bits != 0)
    case .integer: .integer(integer(of: cell))
    case .float: .float(float(of: cell))
    case .double: .double(double(of: cell))
    case .text: .string(string(of: cell))
    case .opaque: .opaque(string(of: cell))
    case .other: others[Int(cell.bits)]
    }
  }

  private func string(of cell: Cell) -> String {
    let start = Int(cell.bits)
    return String(decoding: text[start..<start + cell.count], as: UTF8.self)
  }
}

extension SPONRowBuffer: RowEncodable {
  /// Binds rows to an insert statement.
  mutating func bind(_ rows: Range<Int>, as forms: [SPONForm], to statement: Statement) throws {
    batch = (rows, forms)
    try statement.bindAll(of: self)
  }

  func bind(to statement: Statement) throws {
    let forms = batch.forms
    var index = 0
    /// The cell of each key in the current row; -1 if there is none.
    var places = Array(repeating: -1, count: forms.count)
    for row in batch.rows {
      for place in range(ofRow: row) { places[cells[place].key] = place }
      for column in forms.indices {
        index += 1
        if places[column] < 0 {
          try statement.bindNull(at: ParameterIndex(index))
        } else {
          try bind(cells[places[column]], as: forms[column], to: statement, ParameterIndex(index))
          places[column] = -1
        }
      }
    }
  }

  private func bind(
    _ cell: Cell, as form: SPONForm, to statement: Statement, _ index: ParameterIndex
  ) throws {
    switch (cell.kind, form) {
    case (.null, _): try statement.bindNull(at: index)
    case (_, .any): try statement.bind(value(of: cell).text(), at: index)
    case (.boolean, _): try statement.bindInteger(cell.bits == 0 ? 0 : 1, at: index)
    case (.integer, .integer), (.integer, .mixed):
      try statement.bindInteger(integer(of: cell), at: index)
    case (.double, .double), (.double, .mixed):
      try statement.bindReal(double(of: cell), at: index)
    case (.text, _), (.opaque, _):
      let start = Int(cell.bits)
      try statement.bindText(
        text.elementSpan.extracting(start..<start + cell.count), at: index)
    default:
      try statement.bind(SPONColumnType.none.stored(form.stored(value(of: cell))), at: index)
    }
  }
}

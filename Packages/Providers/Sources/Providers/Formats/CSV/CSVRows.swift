internal import Primitives
internal import SQLiteCore

/// The values of some rows of a CSV file.
struct CSVRows {
  struct Cell: BitwiseCopyable {
    /// The integer, the bits of the real number, or the offset of the text.
    var bits: Int64
    /// The length of the text, or one of the negative numbers below.
    var kind: Int

    static var null: Cell { Cell(bits: 0, kind: -1) }
    static let (integer, real) = (-2, -3)

    var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
  }

  let types: [TableCollector.ColumnType]
  let width: Int
  var cells: [Cell] = []
  /// The texts, one after another.
  var text: [UInt8] = []
  /// The number of rows.
  var count = 0
  /// The numbers of the rows in the file, if they are stored.
  var numbers: [Int64] = []

  /// - Parameter types: The types of the columns.
  init(_ types: [TableCollector.ColumnType]) {
    self.types = types
    width = types.count
  }

  mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Removes the rows that do not satisfy all conditions. The texts are kept.
  mutating func remove(unless conditions: [CSVCondition]) {
    var kept = 0
    for row in 0..<count {
      let isKept = conditions.allSatisfy { $0.canHold(cell(row, $0.slot), text) }
      guard isKept else { continue }
      if kept < row {
        for slot in 0..<width { cells[kept &* width &+ slot] = cells[row &* width &+ slot] }
        if !numbers.isEmpty { numbers[kept] = numbers[row] }
      }
      kept &+= 1
    }
    cells.removeSubrange((kept * width)...)
    if !numbers.isEmpty { numbers.removeSubrange(kept...) }
    count = kept
  }

  /// Appends a row of NULLs, and returns the index of its first cell.
  mutating func appendNullRow() -> Int {
    let base = cells.count
    for _ in 0..<width { cells.append(.null) }
    count += 1
    return base
  }

  /// Replaces the rows by the records that were read.
  ///
  /// - Parameter firstNumber: The number of the first row, if the numbers are stored.
  /// - Returns: Whether the values have the types of their columns.
  mutating func set(_ scan: borrowing CSVScan, firstNumber: Int64?) -> Bool {
    removeAll()
    count = scan.count
    if let firstNumber {
      for index in 0..<count { numbers.append(firstNumber &+ Int64(index)) }
    }
    let (width, types) = (width, types)
    var isValid = true
    var (cells, text): ([Cell], [UInt8]) = ([], [])
    swap(&cells, &self.cells)
    swap(&text, &self.text)
    cells.append(contentsOf: repeatElement(.null, count: count * width))
    scan.forEachValue { record, slot, value in
      let index = record &* width &+ slot
      switch types[slot] {
      case .text, .date, .dateTime, .decimal, .json:
        cells[index] = Cell(bits: Int64(text.count), kind: value.count)
        text.append(value)
      case .integer:
        guard case .integer(let integer) = TableCollector.TextKind(value) else {
          isValid = false
          return
        }
        cells[index] = Cell(bits: integer, kind: Cell.integer)
      case .real:
        guard let real = Self.real(value) else {
          isValid = false
          return
        }
        cells[index] = Cell(bits: Int64(bitPattern: real.bitPattern), kind: Cell.real)
      case .boolean:
        guard case .boolean(let boolean) = TableCollector.TextKind(value) else {
          isValid = false
          return
        }
        cells[index] = Cell(bits: boolean ? 1 : 0, kind: Cell.integer)
      }
    }
    (self.cells, self.text) = (cells, text)
    return isValid
  }

  /// Returns the number in a column of the type `REAL`; `nil` if the text is not a number.
  @inline(__always)
  private static func real(_ text: Span<UInt8>) -> Double? {
    let first = text.count > 0 && text[0] == 0x2D ? 1 : 0
    var at = first
    var digits: UInt64 = 0
    while at < text.count, text[at] &- 0x30 < 10 {
      digits = digits &* 10 &+ UInt64(text[at] &- 0x30)
      at &+= 1
    }
    let point = at
    guard point > first, at < text.count, text[at] == 0x2E, text.count &- first <= 16,
      text[first] != 0x30 || point == first &+ 1
    else { return unusualReal(text) }
    at &+= 1
    while at < text.count, text[at] &- 0x30 < 10 {
      digits = digits &* 10 &+ UInt64(text[at] &- 0x30)
      at &+= 1
    }
    let fraction = at &- point &- 1
    guard at == text.count, fraction > 0 else { return unusualReal(text) }
    // Both operands are exact, so that the quotient is rounded only once. A column of the type REAL
    // does not preserve the sign of zero.
    let magnitude = Double(digits) / powersOfTen[fraction]
    return first == 1 && digits != 0 ? -magnitude : magnitude
  }

  /// 10^0 to 10^14.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
  ]

  @inline(never)
  private static func unusualReal(_ text: Span<UInt8>) -> Double? {
    switch TableCollector.TextKind(text) {
    // A longer integer would make the column decimal.
    case .integer(let integer): return Double(exactly: integer)
    case .real:
      let start = text[0] == 0x2B ? 1 : 0
      guard let value = ExactNumber(text, start..<text.count)?.double else { return nil }
      return value == 0 ? 0 : value
    default: return nil
    }
  }

  // MARK: Values

  @inline(__always)
  func cell(_ row: Int, _ slot: Int) -> Cell { cells[row &* width &+ slot] }

  func value(_ row: Int, _ slot: Int) -> SQLiteValue {
    let cell = cell(row, slot)
    switch cell.kind {
    case Cell.integer: return .integer(cell.bits)
    case Cell.real: return .real(cell.real)
    case 0...: return .text(String(decoding: text[range(of: cell)], as: UTF8.self))
    default: return .null
    }
  }

  /// Passes a value to SQLite.
  @inline(__always)
  func pass(_ row: Int, _ slot: Int, to result: borrowing VirtualTable.ColumnResult) {
    let cell = cell(row, slot)
    switch cell.kind {
    case Cell.integer: result.set(cell.bits)
    case Cell.real: result.set(cell.real)
    case 0...: result.set(text: text.elementSpan.extracting(range(of: cell)))
    default: break
    }
  }

  func range(of cell: Cell) -> Range<Int> {
    Int(cell.bits)..<Int(cell.bits) &+ cell.kind
  }
}

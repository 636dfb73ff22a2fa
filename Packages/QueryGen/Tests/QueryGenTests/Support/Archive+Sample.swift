import QueryGen

/// A number of days.
struct Day: SQLiteConvertible, Hashable, Comparable, Sendable {
  var number: Int

  init(_ number: Int) { self.number = number }

  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    number = try row.read(at: index)
  }

  var sqliteValue: SQLiteValue { .integer(Int64(number)) }

  static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension ArchiveFunctions {
  static let sample = ArchiveFunctions(
    earliest: { days in days.min() },
    inOrder: { first, second in first.storageClass == second.storageClass },
    longest: Longest.self,
    median: Median.self,
    regexp: { pattern, text in text.contains(pattern) },
    slug: { title, separator in title.lowercased().replacing(" ", with: separator) },
    localized: { left, right in
      let (a, b) = (left.folded, right.folded)
      return a < b ? -1 : a == b ? 0 : 1
    },
    numbers: Numbers())
}

extension String {
  /// The text without the diacritics of German vowels, in lowercase.
  fileprivate var folded: String {
    lowercased().replacing("ä", with: "a").replacing("ü", with: "u")
  }
}

struct Median: MedianFunction {
  private var values: [Double] = []

  mutating func step(_ value: Double?) {
    if let value { values.append(value) }
  }

  func result() -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }
}

struct Longest: LongestFunction {
  private var words: [String] = []

  mutating func step(_ word: String) { words.append(word) }
  mutating func inverse(_ word: String) { words.removeFirst() }
  func value() -> String? { words.max { $0.count < $1.count } }
}

/// The table `numbers(value, start HIDDEN, stop HIDDEN)`.
struct Numbers: VirtualTable.Module {
  final class Table: VirtualTable.Table {
    let columns = [
      VirtualTable.Column("value", affinity: .integer),
      VirtualTable.Column("start", affinity: .integer, isHidden: true),
      VirtualTable.Column("stop", affinity: .integer, isHidden: true),
    ]

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
      var plan = VirtualTable.Plan()
      for column in 1...2 {
        let constraint = info.constraints.first {
          $0.column == ColumnIndex(column) && $0.operator == .equal
        }
        guard let constraint, constraint.isUsable else { return nil }
        plan.use(constraint, omit: true)
      }
      return plan
    }

    func open() -> Cursor { Cursor() }
  }

  struct Cursor: VirtualTable.Cursor {
    private var (start, stop, value): (Int64, Int64, Int64) = (0, 0, 0)

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) {
      if case .integer(let first) = arguments[0] { start = first }
      if case .integer(let last) = arguments[1] { stop = last }
      value = start
    }

    mutating func next() { value += 1 }
    var isAtEnd: Bool { value > stop }

    func column(_ column: ColumnIndex) -> SQLiteValue {
      .integer(column == 0 ? value : column == 1 ? start : stop)
    }

    func rowID() -> RowID { RowID(rawValue: value) }
  }

  func connect(_ table: TableName, arguments: [String]) -> Table { Table() }
}

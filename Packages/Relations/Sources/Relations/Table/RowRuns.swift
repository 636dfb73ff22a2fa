public import SQLiteCore
internal import Primitives

/// Rows by a key that those of one owner have: they follow one another.
@usableFromInline
struct RowRuns<Row: Table>: Sendable {
  @usableFromInline var keys: [SQLiteValue] = []
  /// The rows of each key, arrays.
  @usableFromInline var lists: [(any Sendable)?] = []
  /// Those of the last key.
  @usableFromInline var rows: [Row] = []
  /// The last key, where it is an integer.
  @usableFromInline var number: Int64?
  /// What the keys are, where rows of others may be read, too.
  @usableFromInline let range: KeyRange?
  /// Which of those that are asked for is the next.
  @usableFromInline var next = 0
  /// Whether the row's key is none of them.
  @usableFromInline var isSkipping = false

  @inlinable
  init(_ range: KeyRange? = nil) { self.range = range }

  /// Begins the rows of another key, where a row has one.
  ///
  /// - Returns: Whether the row is asked for.
  @inlinable
  mutating func turn(
    to row: borrowing SQLiteCore.Row, _ column: ColumnIndex
  ) throws(SQLiteError) -> Bool {
    if let number {
      // One that is none is no error: keys may be of several types.
      if let next = try? row.optionalInteger(at: column), next == number { return !isSkipping }
    } else if !isSkipping, let last = keys.last, try row.value(at: column) == last {
      return true
    }
    return begin(try row.value(at: column))
  }

  @inlinable
  mutating func begin(_ key: SQLiteValue) -> Bool {
    end()
    if case .integer(let value) = key { number = value } else { number = nil }
    isSkipping = !isAsked(key)
    if !isSkipping { keys.append(key) }
    return !isSkipping
  }

  /// Whether the rows of a key are asked for.
  @usableFromInline
  mutating func isAsked(_ key: SQLiteValue) -> Bool {
    guard let range else { return true }
    let number: Int64
    switch key {
    case .integer(let integer): number = integer
    case .real(let real):
      guard let exact = Int64(exactly: real) else { return false }
      number = exact
    // What it is, and whether it is one at all, the relation tells.
    default: return true
    }
    guard let asked = range.asked else { return true }
    while next < asked.count, asked[next] < number { next += 1 }
    return next < asked.count && asked[next] == number
  }

  /// Ends the rows of a key.
  @inlinable
  mutating func end() {
    guard keys.count > lists.count else { return }
    let count = rows.count
    // A list of its own has no room for many others.
    lists.append(rows.capacity > count + count / 2 + 2 ? rows.map { $0 } : rows)
    rows = []
    // Those of the next key are as many, perhaps.
    rows.reserveCapacity(count)
  }
}

/// Such rows of whatever type, as they were read: the lists are taken out of it, and not copied.
final class ReadRuns: Sendable {
  let keys: [SQLiteValue]
  private let lists: Mutex<[(any Sendable)?]>

  init<Row: Table>(_ runs: consuming RowRuns<Row>) {
    keys = runs.keys
    lists = Mutex(runs.lists)
  }

  /// The rows of each key, arrays, which are here no longer.
  func takeLists() -> [(any Sendable)?] {
    lists.withLock { lists in
      var taken: [(any Sendable)?] = []
      swap(&taken, &lists)
      return taken
    }
  }
}

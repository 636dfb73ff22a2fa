/// Numbers of rows, from 1: a bit for each up to the highest.
struct RowSet: Sendable {
  private var words: [UInt64] = []

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ row: Int) {
    let place = row >> 6
    while words.count <= place { words.append(0) }
    words[place] |= 1 << UInt64(row & 63)
  }

  func contains(_ row: Int) -> Bool {
    guard row >= 0, row >> 6 < words.count else { return false }
    return words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}

/// Which row of a file has which row id: both grow together.
struct RowNumbers: Sendable {
  private var runs: [(row: Int, id: Int64)] = []
  private(set) var count = 0

  /// Adds the next row of the file.
  mutating func append(_ id: Int64) {
    count += 1
    if let last = runs.last, id &- last.id == Int64(count - last.row) { return }
    runs.append((count, id))
  }

  /// The row of a row id, from 1; `nil` where the file had none.
  func row(of id: Int64) -> Int? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].id <= id { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    let end = low < runs.count ? runs[low].row : count + 1
    guard let distance = Int(exactly: id.subtractingReportingOverflow(run.id).partialValue),
      distance >= 0, distance < end - run.row
    else { return nil }
    return run.row + distance
  }
}

internal import Primitives

/// Sorts the rows of a CSV file by some of their columns, so that the rows of a group follow one
/// another in the order of the file.
///
/// Rows are collected in runs of limited size. The groups of a full run are sorted and written to a
/// temporary file; at the end, the runs are merged. A file whose rows fit into one run needs no
/// temporary file. Few groups are sorted even if there are many rows.
///
/// Rows and keys are stored as words. Keys are ordered word by word as SQLite orders the values.
struct CSVGroups {
  private let keySlots: [Int]
  private let valueSlots: [Int]
  private let runLength: Int
  private let pieceLength: Int
  /// A Boolean value that indicates whether the rows have their numbers.
  private var hasNumbers = false

  // The current run.
  /// The keys of the groups, one after another, and the offsets after them.
  private var keys: [UInt64] = []
  private var keyEnds: [UInt32] = []
  private var hashes: [UInt64] = []
  /// The indexes of the groups plus one, by hash.
  private var table = Array(repeating: UInt32(0), count: 1 << 10)
  /// The rows, one after another, the offsets after them, and their groups.
  private var rows: [UInt64] = []
  private var rowEnds: [UInt32] = []
  private var rowGroups: [UInt32] = []
  private var key: [UInt64] = []

  private var file: TemporaryFile?
  private var runs: [Run] = []
  /// The run whose group is read, and the number of its rows that remain.
  private var current: (run: Int, rowCount: Int)?

  /// - Parameters:
  ///   - keySlots: The columns by which the rows are sorted, the most significant first.
  ///   - slotCount: The number of columns.
  ///   - runLength: The number of bytes of a run.
  init(
    by keySlots: [Int], slotCount: Int, runLength: Int
  ) {
    self.keySlots = keySlots
    valueSlots = (0..<slotCount).filter { !keySlots.contains($0) }
    self.runLength = runLength
    pieceLength = Swift.max(1, Swift.min(1 << 13, runLength / 8))
  }

  // MARK: Collecting rows

  /// Adds rows, in the order of the file.
  mutating func add(_ added: borrowing CSVRows) throws(ProviderError) {
    hasNumbers = !added.numbers.isEmpty
    for row in 0..<added.count {
      key.removeAll(keepingCapacity: true)
      for slot in keySlots { added.appendKey(row, slot, to: &key) }
      rowGroups.append(findGroup())
      added.appendRow(
        row, valueSlots, number: hasNumbers ? added.numbers[row] : nil, to: &rows)
      rowEnds.append(UInt32(truncatingIfNeeded: rows.count))
      if 8 * (rows.count + rowEnds.count + keys.count + 2 * hashes.count) >= runLength {
        try endRun(isLast: false)
      }
    }
  }

  /// Returns the index of the group with the current key, which is added if it is new.
  private mutating func findGroup() -> UInt32 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for word in key {
      hash ^= word
      hash = (hash ^ hash &>> 32) &* 0xBF58_476D_1CE4_E5B9
      hash ^= hash &>> 29
    }
    var place = Int(truncatingIfNeeded: hash) & (table.count &- 1)
    while table[place] != 0 {
      let group = Int(table[place]) &- 1
      if hashes[group] == hash, hasCurrentKey(group) { return UInt32(group) }
      place = (place &+ 1) & (table.count &- 1)
    }
    hashes.append(hash)
    keys.append(contentsOf: key)
    keyEnds.append(UInt32(truncatingIfNeeded: keys.count))
    table[place] = UInt32(hashes.count)
    if 2 * hashes.count > table.count { growTable() }
    return UInt32(hashes.count - 1)
  }

  private func keyRange(_ group: Int) -> Range<Int> {
    (group == 0 ? 0 : Int(keyEnds[group &- 1]))..<Int(keyEnds[group])
  }

  private func hasCurrentKey(_ group: Int) -> Bool {
    let range = keyRange(group)
    guard range.count == key.count else { return false }
    for index in 0..<key.count where keys[range.lowerBound &+ index] != key[index] { return false }
    return true
  }

  private mutating func growTable() {
    table = Array(repeating: 0, count: 2 * table.count)
    for (group, hash) in hashes.enumerated() {
      var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(group + 1)
    }
  }

  // MARK: Runs

  /// Ends the last run, and begins to read the groups.
  mutating func finish() throws(ProviderError) {
    try endRun(isLast: true)
    table = []
    for index in runs.indices { try runs[index].beginGroup(file) }
  }

  /// Sorts the current run, and writes it to the file unless it is the only one.
  private mutating func endRun(isLast: Bool) throws(ProviderError) {
    guard !rowEnds.isEmpty else { return }
    let inMemory = isLast && runs.isEmpty
    if !inMemory, self.file == nil { self.file = try TemporaryFile() }
    let file = inMemory ? nil : self.file
    let start = file?.count ?? 0
    var output: [UInt64] = []
    var length = 0
    output.reserveCapacity(inMemory ? rows.count + keys.count + 2 * hashes.count : 2 * pieceLength)
    let order = hashes.indices.sorted { isOrdered($0, $1) }
    let (places, ends) = sortedRows(order)
    var first = 0
    for (rank, group) in order.enumerated() {
      let range = keyRange(group)
      output.append(UInt64(range.count))
      output.append(UInt64(ends[rank] - first))
      for index in range { output.append(keys[index]) }
      for place in first..<ends[rank] {
        let row = Int(places[place])
        for index in (row == 0 ? 0 : Int(rowEnds[row &- 1]))..<Int(rowEnds[row]) {
          output.append(rows[index])
        }
        if let file, output.count >= pieceLength {
          try file.append(output)
          length += output.count
          output.removeAll(keepingCapacity: true)
        }
      }
      first = ends[rank]
    }
    if let file {
      try file.append(output)
      runs.append(Run(start: start, count: length + output.count, pieceLength: pieceLength))
    } else {
      runs.append(Run(output))
    }
    clearRun(keepingCapacity: !isLast)
  }

  private mutating func clearRun(keepingCapacity: Bool) {
    for index in table.indices { table[index] = 0 }
    keys.removeAll(keepingCapacity: keepingCapacity)
    keyEnds.removeAll(keepingCapacity: keepingCapacity)
    hashes.removeAll(keepingCapacity: keepingCapacity)
    rows.removeAll(keepingCapacity: keepingCapacity)
    rowEnds.removeAll(keepingCapacity: keepingCapacity)
    rowGroups.removeAll(keepingCapacity: keepingCapacity)
  }

  private func isOrdered(_ a: Int, _ b: Int) -> Bool {
    let (a, b) = (keyRange(a), keyRange(b))
    for index in 0..<Swift.min(a.count, b.count) {
      let (x, y) = (keys[a.lowerBound &+ index], keys[b.lowerBound &+ index])
      if x != y { return x < y }
    }
    return a.count < b.count
  }

  /// Returns the indexes of the rows in the order of their groups, and for each group the number of
  /// the rows up to its last one.
  private func sortedRows(_ order: [Int]) -> (places: [UInt32], ends: [Int]) {
    var counts = Array(repeating: 0, count: hashes.count)
    for group in rowGroups { counts[Int(group)] += 1 }
    var ends: [Int] = []
    ends.reserveCapacity(order.count)
    var next = counts
    var total = 0
    for group in order {
      next[group] = total
      total += counts[group]
      ends.append(total)
    }
    var places = Array(repeating: UInt32(0), count: rowGroups.count)
    for (row, group) in rowGroups.enumerated() {
      places[next[Int(group)]] = UInt32(row)
      next[Int(group)] &+= 1
    }
    return (places, ends)
  }

  // MARK: Reading groups

  /// Replaces rows by the next ones of the sorted rows; by none at the end.
  mutating func next(into output: inout CSVRows) throws(ProviderError) {
    let capacity = CSVScan.capacity(keySlots.count + valueSlots.count)
    output.removeAll()
    while output.count < capacity {
      guard let (run, rowCount) = current, rowCount > 0 else {
        guard try beginGroup() else { return }
        continue
      }
      let count = Swift.min(rowCount, capacity - output.count)
      try runs[run].readRows(
        count, file, keySlots, valueSlots, hasNumbers: hasNumbers, into: &output)
      current = (run, rowCount - count)
    }
  }

  /// Selects the run whose group is the first one; of equal groups, the one of the earlier run.
  private mutating func beginGroup() throws(ProviderError) -> Bool {
    if let current { try runs[current.run].beginGroup(file) }
    current = nil
    for index in runs.indices where runs[index].rowCount > 0 {
      if let best = current?.run, !runs[index].isBefore(runs[best]) { continue }
      current = (index, runs[index].rowCount)
    }
    return current != nil
  }

  /// Sorted groups, in memory or in the file.
  private struct Run {
    /// The words that have been read, and the position in them.
    private var words: [UInt64] = []
    private var position = 0
    /// The offset in the file of the next words, and the number of these words.
    private var next: Int
    private var remaining: Int
    private let pieceLength: Int
    /// The key of the current group.
    private var key: [UInt64] = []
    /// The number of rows of the current group; 0 at the end.
    private(set) var rowCount = 0

    init(_ words: [UInt64]) {
      self.words = words
      (next, remaining, pieceLength) = (0, 0, 0)
    }

    init(start: Int, count: Int, pieceLength: Int) {
      (next, remaining, self.pieceLength) = (start, count, pieceLength)
    }

    func isBefore(_ other: Run) -> Bool { key.lexicographicallyPrecedes(other.key) }

    /// Ensures that a number of words is available, if the run has that many.
    @inline(__always)
    private mutating func require(_ count: Int, _ file: TemporaryFile?) throws(ProviderError) {
      if position &+ count > words.count { try read(count, file) }
    }

    private mutating func read(_ count: Int, _ file: TemporaryFile?) throws(ProviderError) {
      guard let file else { return }
      words.removeSubrange(..<position)
      position = 0
      let more = Swift.min(remaining, Swift.max(count - words.count, pieceLength))
      try file.read(more, at: next, into: &words)
      next += more
      remaining -= more
    }

    mutating func beginGroup(_ file: TemporaryFile?) throws(ProviderError) {
      rowCount = 0
      try require(2, file)
      guard position < words.count else { return }
      let count = Int(words[position])
      rowCount = Int(words[position + 1])
      position += 2
      try require(count, file)
      key.removeAll(keepingCapacity: true)
      key.append(contentsOf: words[position..<position + count])
      position += count
    }

    mutating func readRows(
      _ count: Int, _ file: TemporaryFile?, _ keySlots: [Int], _ valueSlots: [Int],
      hasNumbers: Bool, into output: inout CSVRows
    ) throws(ProviderError) {
      let first = output.count
      for _ in 0..<count {
        try require(1, file)
        let length = CSVRows.wordCount(words[position])
        try require(length, file)
        output.append(
          words.elementSpan.extracting(position..<position &+ length), valueSlots,
          hasNumber: hasNumbers)
        position &+= length
      }
      output.setKey(key, keySlots, ofRowsFrom: first)
    }
  }
}

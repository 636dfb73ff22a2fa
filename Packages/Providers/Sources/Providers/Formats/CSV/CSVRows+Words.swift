internal import Primitives

// Rows and keys as words, in which they are sorted and stored in a file.
extension CSVRows {
  // A row begins with a word that contains the row's number of words in its high half, and the kinds
  // of the first 16 values in its low half, 2 bits each. The kinds of further values are in the next
  // words. They are followed by the number of the row, if it is stored, and the values: a word for a
  // number; for a text the length, and 8 bytes for each word.

  /// Returns the number of words of a row that begins with a word.
  @inline(__always)
  static func wordCount(_ head: UInt64) -> Int { Int(head &>> 32) }

  private static func kindPlace(_ index: Int) -> (word: Int, shift: UInt64) {
    index < 16
      ? (0, UInt64(2 &* index))
      : (1 &+ (index &- 16) / 32, UInt64(2 &* ((index &- 16) % 32)))
  }

  /// Appends a row.
  ///
  /// - Parameter slots: The columns of the values.
  func appendRow(_ row: Int, _ slots: [Int], number: Int64?, to words: inout [UInt64]) {
    let start = words.count
    words.append(0)
    if slots.count > 16 {
      words.append(contentsOf: repeatElement(0, count: (slots.count + 15) / 32))
    }
    if let number { words.append(UInt64(bitPattern: number)) }
    for index in 0..<slots.count {
      let cell = cell(row, slots[index])
      var kind: UInt64 = 0
      switch cell.kind {
      case Cell.integer, Cell.real:
        kind = cell.kind == Cell.integer ? 1 : 2
        words.append(UInt64(bitPattern: cell.bits))
      case 0...:
        kind = 3
        words.append(UInt64(cell.kind))
        appendText(range(of: cell), to: &words)
      default: continue
      }
      let place = Self.kindPlace(index)
      words[start &+ place.word] |= kind &<< place.shift
    }
    words[start] |= UInt64(words.count &- start) &<< 32
  }

  /// Appends the bytes of a text, the first one in the highest byte of a word.
  private func appendText(_ range: Range<Int>, to words: inout [UInt64]) {
    var at = range.lowerBound
    while at < range.upperBound {
      var word: UInt64 = 0
      let end = Swift.min(at &+ 8, range.upperBound)
      for index in at..<at &+ 8 { word = word &<< 8 | (index < end ? UInt64(text[index]) : 0) }
      words.append(word)
      at &+= 8
    }
  }

  /// Appends a value as a part of a key. Keys are ordered as SQLite orders the values of a column.
  func appendKey(_ row: Int, _ slot: Int, to words: inout [UInt64]) {
    let cell = cell(row, slot)
    guard cell.kind != Cell.null.kind else { return words.append(0) }
    words.append(1)
    switch cell.kind {
    case Cell.integer: words.append(UInt64(bitPattern: cell.bits) ^ 1 << 63)
    case Cell.real:
      let bits = UInt64(bitPattern: cell.bits)
      words.append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    default:
      // Texts contain no zero bytes: the first one ends the text.
      appendText(range(of: cell), to: &words)
      if cell.kind % 8 == 0 { words.append(0) }
    }
  }

  /// Appends a row that ``appendRow(_:_:number:to:)`` has appended to words.
  mutating func append(_ words: Span<UInt64>, _ slots: [Int], hasNumber: Bool) {
    let base = appendNullRow()
    var at = 1 &+ (slots.count > 16 ? (slots.count &+ 15) / 32 : 0)
    if hasNumber {
      numbers.append(Int64(bitPattern: words[at]))
      at &+= 1
    }
    for index in 0..<slots.count {
      let place = Self.kindPlace(index)
      let kind = words[place.word] &>> place.shift & 3
      guard kind > 0 else { continue }
      let word = words[at]
      at &+= 1
      if kind < 3 {
        cells[base &+ slots[index]] = Cell(
          bits: Int64(bitPattern: word), kind: kind == 1 ? Cell.integer : Cell.real)
      } else {
        let count = Int(word)
        cells[base &+ slots[index]] = Cell(bits: Int64(text.count), kind: count)
        var remaining = count
        while remaining > 0 {
          appendBytes(words[at], Swift.min(remaining, 8))
          remaining &-= 8
          at &+= 1
        }
      }
    }
  }

  /// Sets the columns of a key to the values that ``appendKey(_:_:to:)`` has appended to words.
  ///
  /// - Parameter first: The first one of the rows, which all have the same key.
  mutating func setKey(_ key: [UInt64], _ slots: [Int], ofRowsFrom first: Int) {
    var at = 0
    for slot in slots {
      let isNull = key[at] == 0
      at &+= 1
      if isNull { continue }
      let cell: Cell
      switch types[slot] {
      case .integer, .boolean:
        cell = Cell(bits: Int64(bitPattern: key[at] ^ 1 << 63), kind: Cell.integer)
        at &+= 1
      case .real:
        let word = key[at]
        let bits = word >> 63 == 1 ? word ^ 1 << 63 : ~word
        cell = Cell(bits: Int64(bitPattern: bits), kind: Cell.real)
        at &+= 1
      case .text, .date, .dateTime, .decimal, .json:
        let start = text.count
        while key[at] & 0xFF != 0 {
          appendBytes(key[at], 8)
          at &+= 1
        }
        // The last word ends with at least one zero byte.
        appendBytes(key[at], 8 &- key[at].trailingZeroBitCount / 8)
        at &+= 1
        cell = Cell(bits: Int64(start), kind: text.count &- start)
      }
      for row in first..<count { cells[row &* width &+ slot] = cell }
    }
  }

  private mutating func appendBytes(_ word: UInt64, _ count: Int) {
    var word = word
    for _ in 0..<Swift.max(count, 0) {
      text.append(UInt8(truncatingIfNeeded: word &>> 56))
      word &<<= 8
    }
  }
}

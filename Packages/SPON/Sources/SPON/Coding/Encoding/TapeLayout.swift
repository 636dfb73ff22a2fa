internal import Primitives

/// Rewrites a text that was just generated on one line in another order or layout. Scalars are
/// copied unchanged.
struct TapeLayout {
  private let tape: Tape
  private var output: Output
  private let isPretty: Bool
  /// The rank of each key, by number, among the sorted keys; `nil` if the order is kept.
  private let ranks: [Int]?
  /// The keys as written, by number.
  private let keys: [[UInt8]]
  private var depth = 0

  /// - Parameter output: The output whose version requirements are kept.
  static func bytes(
    of tape: Tape, requiring output: Output, formatting: SPONValue.Formatting
  ) -> [UInt8] {
    var layout = TapeLayout(tape, requiring: output, formatting)
    layout.write(0, isPair: false)
    return layout.output.takeDocument(isPretty: layout.isPretty)
  }

  private init(_ tape: Tape, requiring required: Output, _ formatting: SPONValue.Formatting) {
    self.tape = tape
    isPretty = formatting.contains(.prettyPrinted)
    keys = tape.keys.map { key in
      var text = Output(version: required.version)
      text.key(key)
      return text.takeBytes()
    }
    if formatting.contains(.sortedKeys) {
      let order = tape.keys.indices.sorted { tape.keys[$0].precedes(tape.keys[$1]) }
      var ranks = [Int](repeating: 0, count: order.count)
      for (rank, key) in order.enumerated() { ranks[key] = rank }
      self.ranks = ranks
    } else {
      ranks = nil
    }
    output = Output(version: required.version)
    output.join(required)
  }

  /// Writes a value: after a key if `isPair`, otherwise as an element.
  private mutating func write(_ index: Int, isPair: Bool) {
    let entry = tape.entries[index]
    guard entry.isContainer else { return copy(entry, isPair: isPair) }
    if isPair { output.append(Byte.equals) }
    copy(entry.content)
    depth += 1
    let isEmpty = entry.kind == .object ? pairs(of: index, entry) : elements(of: index, entry)
    depth -= 1
    if isPretty, !isEmpty { newLine() }
    output.append(entry.kind == .object ? Byte.greater : Byte.closeBracket)
  }

  private mutating func pairs(of index: Int, _ entry: Tape.Entry) -> Bool {
    var children: [Int] = []
    children.reserveCapacity(entry.count)
    var at = index + 1
    while at < entry.end {
      if !tape.entries[at].isSuperseded { children.append(at) }
      at = tape.end(of: at)
    }
    if let ranks {
      let entries = tape.entries
      children.sort { ranks[Int(entries[$0].key)] < ranks[Int(entries[$1].key)] }
    }
    for (count, child) in children.enumerated() {
      if isPretty { newLine() } else if count > 0 { output.append(Byte.space) }
      output.append(keys[Int(tape.entries[child].key)])
      write(child, isPair: true)
    }
    return children.isEmpty
  }

  private mutating func elements(of index: Int, _ entry: Tape.Entry) -> Bool {
    var at = index + 1
    while at < entry.end {
      if at > index + 1 { output.append(Byte.comma) }
      if isPretty { newLine() } else if at > index + 1 { output.append(Byte.space) }
      write(at, isPair: false)
      at = tape.end(of: at)
    }
    return entry.count == 0
  }

  /// Copies a scalar with its designator and backticks.
  private mutating func copy(_ entry: Tape.Entry, isPair: Bool) {
    let content = entry.content
    if isPair { return copy(content.lowerBound - 3..<content.upperBound + 1) }
    let isQuoted = content.lowerBound > 0 && tape.bytes[content.lowerBound - 1] == Byte.backtick
    guard isQuoted else { return copy(content.lowerBound..<content.upperBound + 1) }
    let hasMark = entry.kind == .opaque
    copy(content.lowerBound - 1..<content.upperBound + (hasMark ? 2 : 1))
  }

  private mutating func copy(_ range: Range<Int>) {
    let bytes = tape.bytes
    output.append(bytes.elementSpan.extracting(range))
  }

  private mutating func newLine() {
    output.append(Byte.lineFeed)
    for _ in 0..<depth { output.append("  ") }
  }
}

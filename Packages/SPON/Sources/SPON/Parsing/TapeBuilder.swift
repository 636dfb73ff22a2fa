internal import Primitives

/// Scans a text onto a tape.
struct TapeBuilder {
  private let bytes: [UInt8]
  private var scanner: Scanner
  private var entries: [Tape.Entry] = []
  private var keys = KeyTable()
  private var open: [Frame] = []
  /// The position of the scanner before the last token.
  private var tokenStart = 0

  /// An open container.
  private struct Frame {
    var entry: Int32
    var count: UInt32 = 0
    /// The number of saved key occurrences when the container was opened.
    var shadowedCount: Int
  }

  /// Scans a text.
  ///
  /// - Parameter level: The version of the document from which an element was extracted; `nil` if
  ///   the text is a whole document.
  static func tape(
    of bytes: [UInt8], rules: SPONValue.Rules, limits: SPONValue.Limits, level: UInt8? = nil
  ) throws(SPONError) -> Tape {
    var builder = TapeBuilder(bytes, rules, limits, level)
    do {
      try builder.run(limits: limits)
    } catch {
      let position = SPONError.Position(of: error.offset, in: bytes.elementSpan)
      throw SPONError(
        error.code, error.message, at: position, codingPath: builder.path(to: error))
    }
    return Tape(
      bytes: bytes, entries: builder.entries, keys: builder.keys,
      level: builder.scanner.level)
  }

  private init(
    _ bytes: [UInt8], _ rules: SPONValue.Rules, _ limits: SPONValue.Limits, _ level: UInt8?
  ) {
    self.bytes = bytes
    scanner =
      if let level { Scanner(rules: rules, limits: limits, level: level) } else {
        Scanner(rules: rules, limits: limits)
      }
  }

  private mutating func run(limits: SPONValue.Limits) throws(ScanFailure) {
    guard bytes.count <= limits.bytes else {
      throw ScanFailure(.tooLong, "the document is longer than \(limits.bytes) bytes", at: 0)
    }
    // In most documents, a value has about sixteen bytes.
    entries.reserveCapacity(bytes.count / 16 + 1)
    let maxEntries = Swift.min(limits.count, Int(Int32.max))
    let bytes = bytes
    let text = bytes.elementSpan
    while true {
      tokenStart = scanner.position
      let token = try scanner.nextToken(in: text, isLast: true)
      switch token.kind {
      case .endOfDocument, .incomplete: return
      case .end: close()
      default:
        guard entries.count < maxEntries else {
          throw ScanFailure(
            .tooMany, "the document has more than \(limits.count) values", at: token.start)
        }
        try append(token, text)
      }
    }
  }

  private mutating func append(_ token: Token, _ text: Span<UInt8>) throws(ScanFailure) {
    let index = Int32(truncatingIfNeeded: entries.count)
    var entry = Tape.Entry(
      kind: token.kind, mayHaveEscapes: token.mayHaveEscapes, key: -1,
      start: UInt32(truncatingIfNeeded: token.start),
      length: UInt32(truncatingIfNeeded: token.length), parent: -1, bits: token.bits)
    if let last = open.indices.last {
      entry.parent = open[last].entry
      open[last].count &+= 1
      if token.keyStart >= 0 {
        let key = keys.number(
          of: token.key, in: text, mayHaveEscapes: token.keyMayHaveEscapes, level: scanner.level)
        entry.key = key
        try recordKey(key, at: index, in: entry.parent, token)
      }
    }
    entries.append(entry)
    if entry.isContainer {
      open.append(Frame(entry: index, shadowedCount: keys.shadowed.count))
    }
  }

  /// Records the key of a pair. An earlier pair with the same key is superseded.
  private mutating func recordKey(
    _ key: Int32, at index: Int32, in object: Int32, _ token: Token
  ) throws(ScanFailure) {
    let earlier = keys.record(key, at: index, in: object) { container in
      // An open container has no end yet.
      entries[Int(container)].bits == 0
    }
    guard let earlier else { return }
    guard !scanner.rules.rejectsDuplicateKeys else {
      throw ScanFailure(
        .duplicateKey, "the object has the key \"\(keys.texts[Int(key)])\" twice",
        at: token.keyStart)
    }
    entries[Int(earlier)].isSuperseded = true
  }

  private mutating func close() {
    guard let frame = open.popLast() else { return }
    entries[Int(frame.entry)].bits = UInt64(frame.count) << 32 | UInt64(entries.count)
    keys.restore(to: frame.shadowedCount)
  }

  /// Returns the path to the position of the failure.
  private func path(to failure: ScanFailure) -> [SPONPath.Key] {
    var path: [SPONPath.Key] = []
    for (depth, frame) in open.enumerated() {
      let entry = entries[Int(frame.entry)]
      if entry.key >= 0 {
        path.append(.key(keys.texts[Int(entry.key)]))
      } else if depth > 0 {
        path.append(.index(Int(open[depth - 1].count) - 1))
      }
    }
    guard let last = open.last else { return path }
    if entries[Int(last.entry)].kind == .array {
      path.append(.index(Int(last.count)))
    } else if let key = scanner.key(of: failure, from: tokenStart, in: bytes.elementSpan) {
      path.append(.key(key))
    }
    return path
  }
}

internal import Primitives

/// The tokens of a text that arrives in chunks, with their positions.
///
/// The stream stores only the bytes from the first incomplete token on, or from the offset passed
/// to ``hold(from:)``, and the keys of the open containers.
struct TokenStream {
  let rules: SPONValue.Rules
  let limits: SPONValue.Limits
  /// The stored bytes. The offsets of tokens refer to this buffer, and are valid until the next
  /// chunk is appended.
  private(set) var buffer: [UInt8] = []
  private var scanner: Scanner
  /// The position of the scanner before the last token.
  private var tokenStart = 0
  private(set) var open: [Container] = []
  /// The container that the last token ended.
  private(set) var closed: Container?
  /// The offset from which bytes are stored although they were read.
  private(set) var holdStart: Int?
  /// The position in the text of the offset ``lastOffset``. Positions before it are no longer
  /// available.
  private var lastPosition = SPONError.Position(byteOffset: 0, line: 1, column: 1)
  private var lastOffset = 0
  private var isLast = false
  private var needsInput = true
  private(set) var isAtEnd = false
  private(set) var failure: SPONError?

  struct Container {
    var isObject: Bool
    var key: SPONPath.Key?
    /// The number of values that have begun.
    var count = 0
    /// The keys in UTF-8, if duplicate keys are rejected.
    var keys: Set<[UInt8]> = []
  }

  init(rules: SPONValue.Rules, limits: SPONValue.Limits) {
    self.rules = rules
    self.limits = limits
    scanner = Scanner(rules: rules, limits: limits)
  }

  /// The version of SPON.
  var level: UInt8 { scanner.level }
  /// The offset after the last token.
  var end: Int { scanner.position }

  // MARK: Input

  mutating func append(_ chunk: some Sequence<UInt8>) {
    guard failure == nil else { return }
    compact()
    let count = buffer.count
    buffer.append(contentsOf: chunk)
    guard buffer.count > count else { return }
    if isLast {
      _ = fail(.trailingText, "bytes were appended after the end of the text", at: count, in: [])
    }
    needsInput = false
  }

  mutating func finish() {
    isLast = true
    needsInput = false
  }

  /// Removes bytes that were read, once at least half of the buffer was read, so that moving the
  /// remaining bytes takes amortized constant time per byte.
  private mutating func compact() {
    let start = holdStart ?? scanner.position
    guard start > 0, start >= buffer.count - start else { return }
    _ = mark(start)
    buffer.removeSubrange(..<start)
    scanner.discard(start)
    tokenStart -= start
    lastOffset -= start
    if holdStart != nil { holdStart = 0 }
  }

  // MARK: Output

  /// Returns the next token; `nil` if more bytes are required, and at the end.
  mutating func next() throws(SPONError) -> Token? {
    if let failure { throw failure }
    guard !needsInput, !isAtEnd else { return nil }
    closed = nil
    tokenStart = scanner.position
    do throws(ScanFailure) {
      let token = try scan()
      switch token.kind {
      case .endOfDocument:
        isAtEnd = true
        return nil
      case .incomplete:
        needsInput = true
        guard isLast else { return nil }
        throw ScanFailure(.unexpectedEnd, "the text ends within a value", at: buffer.count)
      case .end: closed = open.popLast()
      default: try count(token)
      }
      return token
    } catch {
      throw fail(error.code, error.message, at: error.offset, in: path(to: error))
    }
  }

  /// Reads a token from the buffer. Another reference to the buffer's bytes would be counted for each
  /// token.
  @inline(__always)
  private mutating func scan() throws(ScanFailure) -> Token {
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    defer { swap(&bytes, &buffer) }
    return try scanner.nextToken(in: bytes.elementSpan, isLast: isLast)
  }

  /// Counts a value, and opens it if it is a container.
  private mutating func count(_ token: Token) throws(ScanFailure) {
    if let last = open.indices.last {
      open[last].count &+= 1
      if token.keyStart >= 0, rules.rejectsDuplicateKeys {
        let key =
          token.keyMayHaveEscapes
          ? Escapes.unescaped(buffer.elementSpan, token.key, level: level)
          : Array(buffer[token.key])
        guard open[last].keys.insert(key).inserted else {
          let text = String(decoding: key, as: UTF8.self)
          throw ScanFailure(
            .duplicateKey, "the object has the key \"\(text)\" twice", at: token.keyStart)
        }
        guard open[last].keys.count <= limits.count else {
          throw ScanFailure(
            .tooMany, "the object has more than \(limits.count) keys", at: token.keyStart)
        }
      }
    }
    guard token.kind == .object || token.kind == .array else { return }
    open.append(Container(isObject: token.kind == .object, key: key(of: token)))
  }

  // MARK: Contents of the last token

  /// Returns the key or index of a value; `nil` for the root.
  func key(of token: Token) -> SPONPath.Key? {
    if token.keyStart >= 0 { return .key(token.keyText(in: buffer, level: level)) }
    return open.last.map { .index($0.count - 1) }
  }

  /// Returns whether the key of a value is `key`, which is in UTF-8.
  func isKey(of token: Token, _ key: [UInt8]) -> Bool {
    guard token.keyStart >= 0 else { return false }
    guard token.keyMayHaveEscapes else { return buffer[token.key].elementsEqual(key) }
    return Escapes.unescaped(buffer.elementSpan, token.key, level: level) == key
  }

  // MARK: Positions

  /// Keeps the bytes from `start` on, until `release()` is called.
  mutating func hold(from start: Int) { holdStart = start }
  /// Stops keeping bytes that were read.
  mutating func release() { holdStart = nil }

  /// Returns the position of an offset in the text. Positions before it are no longer available
  /// afterwards.
  mutating func mark(_ offset: Int) -> SPONError.Position {
    if offset > lastOffset {
      let bytes = buffer
      lastPosition.advance(
        over: bytes.elementSpan.extracting(lastOffset..<offset), count: offset - lastOffset)
      lastOffset = offset
    }
    return lastPosition
  }

  /// Returns the position of an offset in the text.
  func position(of offset: Int) -> SPONError.Position {
    guard offset > lastOffset, offset <= buffer.count else { return lastPosition }
    var position = lastPosition
    position.advance(
      over: buffer.elementSpan.extracting(lastOffset..<offset), count: offset - lastOffset)
    return position
  }

  /// The path to the innermost open container.
  var path: [SPONPath.Key] { open.compactMap(\.key) }

  /// Creates an error that every later call of `next()` throws.
  mutating func fail(
    _ code: SPONError.Code, _ message: String, at offset: Int, in path: [SPONPath.Key]
  ) -> SPONError {
    let error = SPONError(code, message, at: position(of: offset), codingPath: path)
    failure = error
    holdStart = nil
    return error
  }

  /// Returns the path to the position of a failure.
  private func path(to failure: ScanFailure) -> [SPONPath.Key] {
    guard let last = open.last else { return [] }
    if !last.isObject { return path + [.index(last.count)] }
    return path
      + (scanner.key(of: failure, from: tokenStart, in: buffer.elementSpan).map { [.key($0)] } ?? [])
  }
}

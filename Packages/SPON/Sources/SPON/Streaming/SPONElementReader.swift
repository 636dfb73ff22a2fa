/// Reads values of a document that comes in chunks, one whole value at a time.
///
/// Which values, a pattern says: the elements of the array that the document is, unless told
/// otherwise, or those of arrays deep in it. Everything else is checked and passed. Memory does not
/// grow with the document, but with its largest such value, which ``SPONValue/Limits/bytes`` bounds.
///
/// ```swift
/// var reader = SPONElementReader(at: [.key("tables"), .elements, .key("rows"), .elements])
/// reader.append(chunk)
/// while let row = try reader.next() {
///   print(row.path, try row.value())
/// }
/// ```
///
/// Where a pattern leads through a key that an object does not have, or has with null, nothing is
/// found, and that is not an error. Of a key that an object has twice, both values are looked into,
/// unless the rules refuse it.
public struct SPONElementReader: Sendable {
  private(set) var tokens: TokenStream
  private let pattern: [Step]
  /// How many of the open containers, from the root on, are on the way to what is looked for.
  private var onTheWay = 0
  /// The path to the container that elements are given of.
  private var parents: [SPONPath.Key] = []
  /// The element that is not complete yet.
  private var element: Begun?

  private struct Step: Sendable {
    let step: SPONPath.Pattern.Step
    /// A key in UTF-8.
    let key: [UInt8]
  }

  private struct Begun: Sendable {
    var depth: Int
    var position: SPONError.Position
    var key: SPONPath.Key?
  }

  /// A reader at the beginning of a document.
  ///
  /// - Parameters:
  ///   - pattern: Which values are given. Without steps, it is the whole document.
  ///   - rules: How strictly the text is read.
  ///   - limits: How large a value may be, and what it holds; the document is not bounded.
  public init(
    at pattern: SPONPath.Pattern = .elements, rules: SPONValue.Rules = .standard,
    limits: SPONValue.Limits = .init()
  ) {
    tokens = TokenStream(rules: rules, limits: limits)
    self.pattern = pattern.steps.map { step in
      if case .key(let key) = step { return Step(step: step, key: Array(key.utf8)) }
      return Step(step: step, key: [])
    }
  }

  /// Appends the next bytes of the document. They may end anywhere, also within a character.
  ///
  /// Bytes behind ``finish()`` are refused by ``next()``. After an error, they are ignored.
  ///
  /// - Complexity: O(*n*) in the length of `chunk`, taken over many chunks.
  public mutating func append(_ chunk: some Sequence<UInt8>) { tokens.append(chunk) }

  /// Says that the document ends with the bytes that were appended.
  public mutating func finish() { tokens.finish() }

  /// Whether the whole document was read. It never is before ``finish()``.
  public var isAtEnd: Bool { tokens.isAtEnd }

  /// The next value; `nil` where more bytes are needed, and at the end.
  ///
  /// - Throws: ``SPONError``, with the place in the document and the path from its root, where it is
  ///   not SPON or passes a limit, and of code ``SPONError/Code/typeMismatch`` where the pattern leads
  ///   into an array or an object, and something else but null is there. Every later call throws it
  ///   again. That the bytes end in the midst of the document is not an error before ``finish()``.
  public mutating func next() throws(SPONError) -> SPONElementReader.Element? {
    while let token = try tokens.next() {
      if token.kind == .end {
        if let found = try end() { return found }
      } else if let found = try begin(token) {
        return found
      }
    }
    // What is there of an element that is not complete counts too.
    if !isAtEnd { try check(upTo: tokens.buffer.count) }
    return nil
  }

  /// Goes into a value that is on the way, or is what is looked for, and passes any other.
  private mutating func begin(_ token: Token) throws(SPONError) -> SPONElementReader.Element? {
    try check(upTo: tokens.end)
    let isContainer = token.kind == .object || token.kind == .array
    let depth = tokens.open.count - (isContainer ? 1 : 0)
    guard element == nil, onTheWay == depth, depth == 0 || fits(token, at: depth) else {
      return nil
    }
    guard depth < pattern.count else { return try found(token, isContainer, at: depth) }
    guard token.kind != .null else { return nil }
    let isInObject = pattern[depth].step.isInObject
    guard token.kind == (isInObject ? .object : .array) else {
      throw tokens.fail(
        .typeMismatch, "expected \(isInObject ? "an object" : "an array") on the way to elements",
        at: token.start, in: path(of: token, isContainer))
    }
    onTheWay += 1
    if onTheWay == pattern.count { parents = tokens.path }
    return nil
  }

  /// Whether a value is the one that a step leads to.
  private func fits(_ token: Token, at depth: Int) -> Bool {
    let step = pattern[depth - 1]
    switch step.step {
    case .elements, .values: return true
    case .index(let index): return tokens.open[depth - 1].count - 1 == index
    case .key: return tokens.isKey(of: token, step.key)
    }
  }

  private func path(of token: Token, _ isContainer: Bool) -> [SPONPath.Key] {
    isContainer ? tokens.path : tokens.path + (tokens.key(of: token).map { [$0] } ?? [])
  }

  private mutating func found(
    _ token: Token, _ isContainer: Bool, at depth: Int
  ) throws(SPONError) -> SPONElementReader.Element? {
    let position = tokens.mark(token.start)
    guard isContainer else {
      guard token.length <= tokens.limits.bytes else {
        throw tooLong(at: token.start, in: path(of: token, false))
      }
      let value = token.value(in: tokens.buffer, level: tokens.level)
      return SPONElementReader.Element(
        .scalar(value), at: position, in: parents, tokens.key(of: token), rules: tokens.rules,
        limits: tokens.limits)
    }
    element = Begun(depth: depth, position: position, key: tokens.open.last?.key)
    tokens.hold(from: token.start)
    return nil
  }

  /// Leaves a container, which may be the one that was looked for.
  private mutating func end() throws(SPONError) -> SPONElementReader.Element? {
    let depth = tokens.open.count
    guard let begun = element else {
      onTheWay = Swift.min(onTheWay, depth)
      return nil
    }
    try check(upTo: tokens.end)
    guard begun.depth == depth, let start = tokens.holdStart else { return nil }
    element = nil
    tokens.release()
    return SPONElementReader.Element(
      .container(
        Array(tokens.buffer[start..<tokens.end]), level: depth == 0 ? nil : tokens.level),
      at: begun.position, in: depth == 0 ? [] : parents, begun.key, rules: tokens.rules,
      limits: tokens.limits)
  }

  /// Refuses an element that is too long already.
  private mutating func check(upTo end: Int) throws(SPONError) {
    guard let element, let start = tokens.holdStart, end - start > tokens.limits.bytes else {
      return
    }
    throw tooLong(at: start, in: element.key.map { parents + [$0] } ?? [])
  }

  private mutating func tooLong(at start: Int, in path: [SPONPath.Key]) -> SPONError {
    tokens.fail(
      .tooLong, "the element is longer than \(tokens.limits.bytes) bytes", at: start, in: path)
  }
}

extension SPONElementReader {
  /// A value that was found in a stream, with where it stands there.
  ///
  /// ```swift
  /// while let element = try reader.next() {
  ///   print(element.position.line, try element.value())
  /// }
  /// ```
  public struct Element: Sendable {
    /// Where the value begins in the stream; that of a pair, behind its `=`.
    public let position: SPONError.Position
    /// The path to the container.
    private let parents: [SPONPath.Key]
    private let step: SPONPath.Key?
    private let content: Content
    private let rules: SPONValue.Rules
    private let limits: SPONValue.Limits

    enum Content: Sendable {
      case scalar(SPONValue)
      /// The text of a container, and the version of the document it is from; `nil` where it is the
      /// whole document, and says so itself.
      case container([UInt8], level: UInt8?)
    }

    init(
      _ content: Content, at position: SPONError.Position, in parents: [SPONPath.Key],
      _ step: SPONPath.Key?,
      rules: SPONValue.Rules, limits: SPONValue.Limits
    ) {
      self.content = content
      self.position = position
      self.parents = parents
      self.step = step
      self.rules = rules
      self.limits = limits
    }

    /// The keys and indexes that lead from the root to the value.
    public var path: [SPONPath.Key] { step.map { parents + [$0] } ?? parents }

    /// The text of the value: that of a container as it was written, that of a scalar as an element of
    /// version 2 has it.
    public var bytes: [UInt8] {
      switch content {
      case .container(let bytes, _): return bytes
      case .scalar(let value):
        // Version 2 has a form for every scalar.
        return (try? value.bytes(version: .two)) ?? []
      }
    }

    /// The version that ``bytes`` are read as; `nil` where they are a document, and say so themselves.
    var level: UInt8? {
      switch content {
      case .container(_, let level): level
      case .scalar: 2
      }
    }

    /// The value.
    ///
    /// - Throws: ``SPONError`` of code ``SPONError/Code/tooMany`` where it holds more values than
    ///   ``SPONValue/Limits/count`` allows. Everything else was found when the element was.
    /// - Complexity: O(*n*) in its length.
    public func value() throws(SPONError) -> SPONValue {
      switch content {
      case .scalar(let value): return value
      case .container(let bytes, let level):
        var tree = ElementTree(bytes, level: level, rules: rules, limits: limits)
        do throws(SPONError) { return try tree.value() } catch { throw located(error) }
      }
    }

    /// The text, scanned, to be decoded. Errors are those of the stream.
    func tape() throws(SPONError) -> Tape {
      var limits = limits
      if case .scalar = content {
        // Its text is another one than was read, and may be longer.
        limits.bytes = .max
        limits.length = .max
      }
      do throws(SPONError) {
        return try TapeBuilder.tape(of: bytes, rules: rules, limits: limits, level: level)
      } catch {
        throw located(error)
      }
    }

    /// An error that was found in ``bytes``, with its place and path in the stream.
    func located(_ error: SPONError) -> SPONError {
      var error = error
      error.codingPath = path + error.codingPath
      guard case .container = content, let found = error.position else {
        error.position = position
        return error
      }
      error.position = SPONError.Position(
        byteOffset: position.byteOffset + found.byteOffset, line: position.line + found.line - 1,
        column: found.line == 1 ? position.column + found.column - 1 : found.column)
      return error
    }
  }
}

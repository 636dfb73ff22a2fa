/// Reads values of a document that arrives in chunks, one whole value at a time.
///
/// A pattern selects the values: by default, the elements of an array that is the document's root,
/// or, for example, the elements of nested arrays. The rest of the document is validated and
/// skipped. Memory use depends on the largest selected value, which ``SPONValue/Limits/bytes``
/// bounds, rather than on the document.
///
/// ```swift
/// var reader = SPONElementReader(at: [.key("tables"), .elements, .key("rows"), .elements])
/// reader.append(chunk)
/// while let row = try reader.next() {
///   print(row.path, try row.value())
/// }
/// ```
///
/// If the pattern contains a key that an object does not have, or whose value is null, there are no
/// values to read, which is not an error. If an object contains a key twice, both values are
/// searched, unless the rules reject duplicate keys.
public struct SPONElementReader: Sendable {
  private(set) var tokens: TokenStream
  private let pattern: [Step]
  /// The number of open containers, from the root on, that match the pattern.
  private var matchedDepth = 0
  /// The path to the container of the selected values.
  private var parents: [SPONPath.Key] = []
  /// The selected container that is not complete yet.
  private var element: PendingElement?

  private struct Step: Sendable {
    let step: SPONPath.Pattern.Step
    /// The key in UTF-8.
    let key: [UInt8]
  }

  private struct PendingElement: Sendable {
    var depth: Int
    var position: SPONError.Position
    var key: SPONPath.Key?
  }

  /// Creates a reader at the beginning of a document.
  ///
  /// - Parameters:
  ///   - pattern: The values to read. Without steps, it selects the whole document.
  ///   - rules: The strictness with which the text is parsed.
  ///   - limits: The limits for each value. The size of the document is not limited.
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

  /// Appends the next bytes of the document. A chunk may end anywhere, even inside a character.
  ///
  /// Bytes that are appended after ``finish()`` cause an error in ``next()``. After an error, bytes
  /// are ignored.
  ///
  /// - Complexity: Amortized O(*n*) in the length of `chunk`.
  public mutating func append(_ chunk: some Sequence<UInt8>) { tokens.append(chunk) }

  /// Signals that all bytes of the document have been appended.
  public mutating func finish() { tokens.finish() }

  /// A Boolean value that indicates whether the whole document was read. Always `false` before
  /// ``finish()``.
  public var isAtEnd: Bool { tokens.isAtEnd }

  /// Returns the next value; `nil` if more bytes are required, and at the end.
  ///
  /// - Throws: ``SPONError``, with the position in the document and the path from its root, if the
  ///   document is not SPON or exceeds a limit; with code ``SPONError/Code/typeMismatch``, if the
  ///   pattern leads into an array or an object, but the value is neither that nor null. Every
  ///   later call throws the same error. An incomplete document is not an error before
  ///   ``finish()``.
  public mutating func next() throws(SPONError) -> SPONElementReader.Element? {
    while let token = try tokens.next() {
      if token.kind == .end {
        if let element = try end() { return element }
      } else if let element = try begin(token) {
        return element
      }
    }
    // An incomplete element must not exceed the limit either.
    if !isAtEnd { try check(upTo: tokens.buffer.count) }
    return nil
  }

  /// Enters a container that the pattern leads through, or processes a selected value. Skips any
  /// other.
  private mutating func begin(_ token: Token) throws(SPONError) -> SPONElementReader.Element? {
    try check(upTo: tokens.end)
    let isContainer = token.kind == .object || token.kind == .array
    let depth = tokens.open.count - (isContainer ? 1 : 0)
    guard element == nil, matchedDepth == depth, depth == 0 || fits(token, at: depth) else {
      return nil
    }
    guard depth < pattern.count else { return try match(token, isContainer, at: depth) }
    guard token.kind != .null else { return nil }
    let isInObject = pattern[depth].step.isInObject
    guard token.kind == (isInObject ? .object : .array) else {
      throw tokens.fail(
        .typeMismatch, "expected \(isInObject ? "an object" : "an array") on the way to elements",
        at: token.start, in: path(of: token, isContainer))
    }
    matchedDepth += 1
    if matchedDepth == pattern.count { parents = tokens.path }
    return nil
  }

  /// Returns whether a value matches the step of the pattern that leads to it.
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

  private mutating func match(
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
    element = PendingElement(depth: depth, position: position, key: tokens.open.last?.key)
    tokens.hold(from: token.start)
    return nil
  }

  /// Leaves a container, which may be a selected one.
  private mutating func end() throws(SPONError) -> SPONElementReader.Element? {
    let depth = tokens.open.count
    guard let begun = element else {
      matchedDepth = Swift.min(matchedDepth, depth)
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

  /// Throws if an element has already exceeded the limit.
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
  /// A value that was read from a stream, with its position and path.
  ///
  /// ```swift
  /// while let element = try reader.next() {
  ///   print(element.position.line, try element.value())
  /// }
  /// ```
  public struct Element: Sendable {
    /// The position of the value in the stream; for a pair, after its `=`.
    public let position: SPONError.Position
    /// The path to the container.
    private let parents: [SPONPath.Key]
    private let step: SPONPath.Key?
    private let content: Content
    private let rules: SPONValue.Rules
    private let limits: SPONValue.Limits

    enum Content: Sendable {
      case scalar(SPONValue)
      /// A container's text, and the version of its document; `nil` if the container is the whole
      /// document, whose text specifies the version.
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

    /// The path from the root to the value.
    public var path: [SPONPath.Key] { step.map { parents + [$0] } ?? parents }

    /// The text of the value: for a container, as it was written; for a scalar, as an element in
    /// version 2.
    public var bytes: [UInt8] {
      switch content {
      case .container(let bytes, _): return bytes
      case .scalar(let value):
        // Version 2 can represent every scalar.
        return (try? value.bytes(version: .two)) ?? []
      }
    }

    /// The version of ``bytes``; `nil` if they are a whole document, which specifies its version.
    var level: UInt8? {
      switch content {
      case .container(_, let level): level
      case .scalar: 2
      }
    }

    /// Returns the value.
    ///
    /// - Throws: ``SPONError`` with code ``SPONError/Code/tooMany`` if the value contains more
    ///   values than ``SPONValue/Limits/count`` allows. All other errors are thrown before, by the
    ///   reader.
    /// - Complexity: O(*n*) in its length.
    public func value() throws(SPONError) -> SPONValue {
      switch content {
      case .scalar(let value): return value
      case .container(let bytes, let level):
        var tree = ElementTree(bytes, level: level, rules: rules, limits: limits)
        do throws(SPONError) { return try tree.value() } catch { throw located(error) }
      }
    }

    /// Scans the text for decoding. Errors have positions in the stream.
    func tape() throws(SPONError) -> Tape {
      var limits = limits
      if case .scalar = content {
        // The text differs from the one that was read, and may be longer.
        limits.bytes = .max
        limits.length = .max
      }
      do throws(SPONError) {
        return try TapeBuilder.tape(of: bytes, rules: rules, limits: limits, level: level)
      } catch {
        throw located(error)
      }
    }

    /// Converts the position and path of an error in ``bytes`` to those in the stream.
    func located(_ error: SPONError) -> SPONError {
      var error = error
      error.codingPath = path + error.codingPath
      guard case .container = content, let inner = error.position else {
        error.position = position
        return error
      }
      error.position = SPONError.Position(
        byteOffset: position.byteOffset + inner.byteOffset, line: position.line + inner.line - 1,
        column: inner.line == 1 ? position.column + inner.column - 1 : inner.column)
      return error
    }
  }
}

internal import Primitives

/// SQL composed of literals, values and fragments.
@usableFromInline
struct SQLComposition: Sendable {
  /// A bound value, with the offset of its `?`.
  struct Value: Sendable {
    var offset: Int
    let value: any SQLiteBindable & Sendable
  }

  private(set) var text = ""
  private(set) var values: [Value] = []
  /// The first reason why the SQL can't run, without the text.
  private(set) var error: SQLiteError?
  /// A Boolean value that indicates whether the text has parameters without an interpolated value.
  private(set) var hasOwnParameters = false
  /// The offset at which scanning resumes when text is appended, which may extend the last token.
  private var scanStart = 0
  /// A Boolean value that indicates whether the text ends outside of quotes and comments.
  private var isInCode = true
  /// A Boolean value that indicates whether the last piece is a complete token, which the next
  /// piece must not extend.
  private var endsWithToken = false

  init() {}

  /// Creates a composition of a text with known values.
  init(text: String, values: [Value], error: SQLiteError?) {
    (self.text, self.values, self.error, endsWithToken) = (text, values, error, true)
    _ = scan()
  }

  mutating func append(text added: String) {
    guard !added.isEmpty else { return }
    if endsWithToken { separate(from: added.utf8.first) }
    endsWithToken = false
    text += added
    if scan() { hasOwnParameters = true }
  }

  mutating func append(value: some SQLiteBindable & Sendable) {
    append(token: "?")
    values.append(Value(offset: text.utf8.count - 1, value: value))
  }

  mutating func append(list: SQLiteArray<some SQLiteBindable & Sendable>) {
    append(token: "array_each(?)")
    values.append(Value(offset: text.utf8.count - 2, value: list))
  }

  /// Appends a token whose text is safe: a quoted name, for example.
  mutating func append(token: String) {
    beginToken(with: token.utf8.first)
    text += token
    scanStart = text.utf8.count
    endsWithToken = true
  }

  mutating func append(_ part: SQL) {
    let part = part.composition
    guard !part.text.isEmpty else { return }
    beginToken(with: part.text.utf8.first)
    let start = text.utf8.count
    if error == nil { error = part.error?.shifted(by: start) }
    text += part.text
    values += part.values.map { Value(offset: $0.offset + start, value: $0.value) }
    if part.hasOwnParameters { hasOwnParameters = true }
    (scanStart, isInCode) = (start + part.scanStart, part.isInCode)
    endsWithToken = true
  }

  private mutating func beginToken(with byte: UInt8?) {
    if !isInCode, error == nil {
      error = SQLiteError(
        code: .misplacedInterpolation,
        message:
          "a value or name is interpolated inside quotes or a comment, where nothing can be bound",
        offset: SQLiteError.ByteOffset(rawValue: text.utf8.count))
    }
    separate(from: byte)
  }

  /// Appends a space if the next piece would form one token with the last: `?` and `5`, or two
  /// quotes.
  private mutating func separate(from next: UInt8?) {
    guard isInCode, let last = text.utf8.last, let next else { return }
    if !last.standsAlone && !next.standsAlone { text += " " }
  }

  /// Scans the last token and the appended text.
  ///
  /// - Returns: Whether the scanned text contains a parameter.
  private mutating func scan() -> Bool {
    // The first error is the one that is reported.
    guard error == nil else { return false }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // A copy of the text, because scanning changes other properties.
      let text = text
      return scan(text.utf8Span.span, from: scanStart)
    }
    let bytes = Array(text.utf8.dropFirst(scanStart))
    return scan(bytes.elementSpan, from: 0)
  }

  /// Scans the tokens from an offset on, where `scanStart` is.
  private mutating func scan(_ bytes: Span<UInt8>, from first: Int) -> Bool {
    var hasParameter = false
    var start = first
    var lastStart = first
    var isSlash = false
    defer { scanStart += lastStart - first }
    while let token = SQLToken(in: bytes, at: start) {
      // With more text after it, a slash and a star begin a comment.
      if isSlash, token.range.upperBound == bytes.count, bytes[start] == UInt8(ascii: "*") {
        isInCode = false
        return hasParameter
      }
      if token.kind == .parameter { hasParameter = true }
      isSlash = token.kind == .symbol && bytes[start] == UInt8(ascii: "/")
      isInCode = !token.isOpen
      lastStart = start
      start = token.range.upperBound
    }
    return hasParameter
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte never forms a token with its neighbors.
  fileprivate var standsAlone: Bool {
    switch self {
    case 9...13, UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","),
      UInt8(ascii: ";"):
      true
    default: false
    }
  }
}

/// The NUL-terminated bytes of SQL, so that SQLite makes no copy for each statement in it.
struct SQLText {
  let sql: String
  let bytes: ContiguousArray<CChar>

  /// - Throws: ``SQLiteError`` if the text contains NUL: SQLite would silently ignore the rest.
  init(_ sql: String) throws(SQLiteError) {
    self.sql = sql
    bytes = sql.utf8CString
    if let nul = bytes.firstIndex(of: 0), nul < bytes.count - 1 {
      throw SQLiteError(
        code: .error, message: "the SQL contains a NUL character", sql: sql,
        offset: SQLiteError.ByteOffset(rawValue: nul))
    }
  }

  /// The number of bytes without the terminating NUL.
  var count: Int { bytes.count - 1 }

  /// Returns whether the text from `start` on consists of whitespace and semicolons.
  func isSpace(from start: Int) -> Bool {
    bytes[start..<count].allSatisfy { $0 == 32 || (9...13).contains($0) || $0 == 59 }
  }

  /// Returns the offset of the first non-whitespace byte from `start` on.
  func skippingSpace(from start: Int) -> Int {
    bytes[start..<count].firstIndex { $0 != 32 && !(9...13).contains($0) } ?? start
  }
}

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
  /// The first reason why the SQL can't run.
  private(set) var fault: SQLFault?
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
  init(text: String, values: [Value], fault: SQLFault?) {
    (self.text, self.values, self.fault, endsWithToken) = (text, values, fault, true)
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
    if let fault = part.fault { note(fault.shifted(by: start)) }
    text += part.text
    values += part.values.map { Value(offset: $0.offset + start, value: $0.value) }
    if part.hasOwnParameters { hasOwnParameters = true }
    (scanStart, isInCode) = (start + part.scanStart, part.isInCode)
    endsWithToken = true
  }

  private mutating func beginToken(with byte: UInt8?) {
    if !isInCode { note(SQLFault(.misplacedInterpolation, offset: text.utf8.count)) }
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
    // The first fault is the one that is reported.
    guard fault == nil else { return false }
    let scan: Scan
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      scan = Scan(text.utf8Span.span, from: scanStart, isInCode: isInCode)
    } else {
      let bytes = Array(text.utf8.dropFirst(scanStart))
      scan = Scan(bytes.elementSpan, from: 0, isInCode: isInCode)
    }
    isInCode = scan.isInCode
    scanStart += scan.skippedCount
    return scan.hasParameter
  }

  private mutating func note(_ found: SQLFault) { if fault == nil { fault = found } }
}

/// The result of scanning the tokens from an offset on.
private struct Scan {
  private(set) var hasParameter = false
  private(set) var isInCode: Bool
  /// The number of bytes before the last token.
  private(set) var skippedCount = 0

  init(_ bytes: Span<UInt8>, from first: Int, isInCode: Bool) {
    self.isInCode = isInCode
    var start = first
    var isSlash = false
    while let token = SQLToken(in: bytes, at: start) {
      // With more text after it, a slash and a star begin a comment.
      if isSlash, token.range.upperBound == bytes.count, bytes[start] == UInt8(ascii: "*") {
        self.isInCode = false
        return
      }
      if token.kind == .parameter { hasParameter = true }
      isSlash = token.kind == .symbol && bytes[start] == UInt8(ascii: "/")
      self.isInCode = !token.isOpen
      skippedCount = start - first
      start = token.range.upperBound
    }
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

/// A reason why SQL can't be run.
struct SQLFault: Sendable {
  enum Kind: Sendable {
    case misplacedInterpolation
    case parameterCount(expected: Int, given: Int)
    case unknownParameter(String)
    case missingValue(parameter: String)
  }

  let kind: Kind
  let offset: Int?

  init(_ kind: Kind, offset: Int?) {
    self.kind = kind
    self.offset = offset
  }

  func shifted(by bytes: Int) -> SQLFault { SQLFault(kind, offset: offset.map { $0 + bytes }) }

  func error(in text: String) -> SQLiteError {
    let (code, message): (SQLiteError.Code, String) =
      switch kind {
      case .misplacedInterpolation:
        (
          .misplacedInterpolation,
          "a value or name is interpolated inside quotes or a comment, where nothing can be bound"
        )
      case .parameterCount(let expected, let given):
        (.parameterCount, SQLiteError.parameterCountMessage(expected: expected, given: given))
      case .unknownParameter(let name):
        (.unknownParameter, "the statement has no parameter \(name)")
      case .missingValue(let name):
        (.parameterCount, "the parameter \(name) has no value")
      }
    return SQLiteError(
      code: code, message: message, sql: text,
      offset: offset.map { SQLiteError.ByteOffset(rawValue: $0) })
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

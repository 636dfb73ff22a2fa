@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

/// An error that occurs when a text is read or a value is written. Use ``code`` to handle errors,
/// and ``description`` to display them.
///
/// ```swift
/// do {
///   let address = try SPONDecoder().decode(Address.self, from: text)
///   print(address)
/// } catch let error as SPONError {
///   print(error.position?.line ?? 0, error.message)  // 3 expected "=" after the key
/// }
/// ```
public struct SPONError: Error, Hashable, Sendable {
  /// The kind of error.
  public let code: Code
  /// A description of the error.
  public let message: String
  /// The position in the text; `nil` if there is no text, as for a value that can't be written.
  public internal(set) var position: Position?
  /// The path from the root to the value that caused the error.
  public internal(set) var codingPath: [SPONPath.Key]

  public init(
    _ code: Code, _ message: String, at position: Position? = nil, codingPath: [SPONPath.Key] = []
  ) {
    self.code = code
    self.message = message
    self.position = position
    self.codingPath = codingPath
  }
}

extension SPONError {
  /// A position in a text.
  public struct Position: Hashable, Sendable {
    /// The offset in bytes of UTF-8.
    public var byteOffset: Int
    /// The line, counting from 1. A line ends after a line feed.
    public var line: Int
    /// The column, counting Unicode scalars from 1.
    public var column: Int

    public init(byteOffset: Int, line: Int, column: Int) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }

    /// Creates the position at a byte offset in a text.
    ///
    /// - Complexity: O(*n*) in `offset`.
    init(of offset: Int, in text: Span<UInt8>) {
      self.init(byteOffset: 0, line: 1, column: 1)
      advance(over: text, count: offset)
    }

    /// Advances over the first bytes of a text that begins at this position.
    mutating func advance(over text: Span<UInt8>, count: Int) {
      let end = Swift.min(Swift.max(count, 0), text.count)
      let breaks = text.count(of: 0x0A, first: end)
      var start = 0
      if breaks > 0 {
        start = end
        while text[start - 1] != 0x0A { start -= 1 }
        line &+= breaks
        column = 1
      }
      column &+= text.scalarCount(in: start..<end)
      // A stream may be longer than a 32-bit `Int` can represent.
      let (sum, isTooFar) = byteOffset.addingReportingOverflow(count)
      byteOffset = isTooFar ? .max : sum
    }
  }
}

extension SPONError.Position: CustomStringConvertible {
  public var description: String { "line \(line), column \(column) (byte \(byteOffset))" }
}

extension SPONError: CustomStringConvertible {
  public var description: String {
    var text = message
    if let position { text += ", at \(position)" }
    if !codingPath.isEmpty { text += ", in \(SPONPath.Key.describe(codingPath))" }
    return text
  }
}

extension SPONError {
  /// A kind of error. Later versions may add codes, so handle unknown ones.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    // MARK: Invalid text

    /// The text contains only white space.
    public static let emptyDocument = Code(rawValue: "emptyDocument")
    /// The text does not match the grammar at this position.
    public static let unexpectedText = Code(rawValue: "unexpectedText")
    /// The text ends inside an object, an array or a quoted value.
    public static let unexpectedEnd = Code(rawValue: "unexpectedEnd")
    /// The document is followed by other text.
    public static let trailingText = Code(rawValue: "trailingText")
    /// A scalar has no type designator, or an unknown one.
    public static let unknownDesignator = Code(rawValue: "unknownDesignator")
    /// The document's version is not supported.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// The text is not valid UTF-8.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")
    /// The number in `&u…;` is not a Unicode scalar.
    public static let invalidEscape = Code(rawValue: "invalidEscape")
    /// A `%` is neither `true` nor `false`.
    public static let invalidBool = Code(rawValue: "invalidBool")
    /// A `!`, `^`, `&` or `#` has invalid syntax.
    public static let invalidNumber = Code(rawValue: "invalidNumber")
    /// A number is out of range for its type.
    public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
    /// A `*` is not Base64.
    public static let invalidBase64 = Code(rawValue: "invalidBase64")
    /// A `+` is not a valid date and time.
    public static let invalidDate = Code(rawValue: "invalidDate")
    /// A `~` has content.
    public static let invalidNull = Code(rawValue: "invalidNull")
    /// An object contains a key twice, and the rules do not allow that.
    public static let duplicateKey = Code(rawValue: "duplicateKey")
    /// A text to convert is not valid JSON.
    public static let invalidJSON = Code(rawValue: "invalidJSON")

    // MARK: Exceeded limits

    /// Containers are nested more deeply than ``SPONValue/Limits/depth``.
    public static let tooDeep = Code(rawValue: "tooDeep")
    /// A document or a value is longer than the limits allow.
    public static let tooLong = Code(rawValue: "tooLong")
    /// There are more values than ``SPONValue/Limits/count``.
    public static let tooMany = Code(rawValue: "tooMany")

    // MARK: Mismatch of text and type

    /// An object has no value for a key that a type requires.
    public static let keyNotFound = Code(rawValue: "keyNotFound")
    /// There is no value, or null, but a type requires one.
    public static let valueNotFound = Code(rawValue: "valueNotFound")
    /// A value has another type than the requested one, or can't be converted to it without loss.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// A value has the right type, but the type's `init(from:)` rejected it.
    public static let dataCorrupted = Code(rawValue: "dataCorrupted")
    /// A difference removes or changes a value that is not present.
    public static let conflictingDifference = Code(rawValue: "conflictingDifference")

    // MARK: Values that can't be written

    /// A value can't be represented in SPON, or in the requested version.
    public static let notRepresentable = Code(rawValue: "notRepresentable")
    /// A container was used after another one replaced it, or in two ways at the same time.
    public static let invalidContainer = Code(rawValue: "invalidContainer")
    /// A stream writer was used to write a value or key at an invalid position.
    public static let misplacedValue = Code(rawValue: "misplacedValue")
  }
}

extension SPONError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .emptyDocument, .unexpectedText, .unexpectedEnd, .trailingText, .unknownDesignator,
      .invalidUTF8, .invalidEscape, .invalidBool, .invalidNumber, .numberOutOfRange, .invalidBase64,
      .invalidDate, .invalidNull, .duplicateKey, .invalidJSON, .dataCorrupted:
      .invalidInput
    case .unsupportedVersion: .unsupported
    case .tooDeep, .tooLong, .tooMany: .limitExceeded
    case .keyNotFound, .valueNotFound: .notFound
    case .typeMismatch, .conflictingDifference, .notRepresentable: .typeMismatch
    case .invalidContainer, .misplacedValue: .invalidRequest
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(
      position: position.map {
        DataErrorPlace.Position(byteOffset: $0.byteOffset, line: $0.line, column: $0.column)
      },
      path: codingPath.isEmpty ? nil : SPONPath.Key.describe(codingPath))
  }
}

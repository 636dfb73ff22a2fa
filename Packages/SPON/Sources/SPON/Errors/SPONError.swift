@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

/// Why a text could not be read, or a value not be written: branch on ``code``, show
/// ``description`` to a person.
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
  /// What is wrong.
  public let code: Code
  /// What is wrong and what was expected, in words.
  public let message: String
  /// Where in the text; `nil` where there is no text, as for a value that cannot be written.
  public internal(set) var position: Position?
  /// The keys and indexes that lead from the root to the value concerned.
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
  /// A place in a text.
  public struct Position: Hashable, Sendable {
    /// Bytes of UTF-8 before the place.
    public var byteOffset: Int
    /// The line, from 1. A line ends after a line feed.
    public var line: Int
    /// The place in its line, from 1, counted in Unicode scalars.
    public var column: Int

    public init(byteOffset: Int, line: Int, column: Int) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }

    /// The place after so many bytes of a text.
    ///
    /// - Complexity: O(*n*) in `offset`.
    init(of offset: Int, in text: Span<UInt8>) {
      self.init(byteOffset: 0, line: 1, column: 1)
      advance(over: text, count: offset)
    }

    /// Moves over the first bytes of a text that begins here.
    mutating func advance(over text: Span<UInt8>, count: Int) {
      for index in 0..<Swift.min(Swift.max(count, 0), text.count) {
        let byte = text[index]
        if byte == 0x0A {
          line &+= 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column &+= 1
        }
      }
      // A stream may be longer than an `Int` of 32 bits can say.
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
  /// What is wrong. Later versions may add codes: match those that you handle.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    // MARK: The text is not SPON

    /// The text holds nothing but white space.
    public static let emptyDocument = Code(rawValue: "emptyDocument")
    /// Something else stands where the grammar wants a mark, a key, a value or an end.
    public static let unexpectedText = Code(rawValue: "unexpectedText")
    /// The text ends within an object, an array or a quoted value.
    public static let unexpectedEnd = Code(rawValue: "unexpectedEnd")
    /// Something stands after the end of the document.
    public static let trailingText = Code(rawValue: "trailingText")
    /// A scalar has no type designator, or one that this version does not know.
    public static let unknownDesignator = Code(rawValue: "unknownDesignator")
    /// The document's version is newer than what is known here.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// Bytes are not UTF-8.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")
    /// `&u…;` names no Unicode scalar.
    public static let invalidEscape = Code(rawValue: "invalidEscape")
    /// A `%` is neither `true` nor `false`.
    public static let invalidBool = Code(rawValue: "invalidBool")
    /// A `!`, `^`, `&` or `#` is not written as such a number is.
    public static let invalidNumber = Code(rawValue: "invalidNumber")
    /// A number is too large for its type.
    public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
    /// A `*` is not Base64.
    public static let invalidBase64 = Code(rawValue: "invalidBase64")
    /// A `+` is not a date and time.
    public static let invalidDate = Code(rawValue: "invalidDate")
    /// A `~` has a content.
    public static let invalidNull = Code(rawValue: "invalidNull")
    /// An object has a key twice, where the rules refuse that.
    public static let duplicateKey = Code(rawValue: "duplicateKey")
    /// A text in JSON that was to be converted is not JSON.
    public static let invalidJSON = Code(rawValue: "invalidJSON")

    // MARK: A limit is passed

    /// Containers are nested deeper than ``SPONValue/Limits/depth``.
    public static let tooDeep = Code(rawValue: "tooDeep")
    /// A document or one value is longer than the limits allow.
    public static let tooLong = Code(rawValue: "tooLong")
    /// There are more values than ``SPONValue/Limits/count``.
    public static let tooMany = Code(rawValue: "tooMany")

    // MARK: Text and type do not fit

    /// An object has no value for a key that a type asks for.
    public static let keyNotFound = Code(rawValue: "keyNotFound")
    /// There is no value, or null, where a type asks for one.
    public static let valueNotFound = Code(rawValue: "valueNotFound")
    /// A value is of another type than the one asked for, or can't be given as such without loss.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// A value is of the right type, but is refused by who asked for it.
    public static let dataCorrupted = Code(rawValue: "dataCorrupted")
    /// A difference is applied to a value that does not hold what the difference takes away or changes.
    public static let doesNotFit = Code(rawValue: "doesNotFit")

    // MARK: A value cannot be written

    /// A value has no form in SPON, or not in the version asked for.
    public static let notRepresentable = Code(rawValue: "notRepresentable")
    /// A container was used after another one had taken its place, or in two ways at once.
    public static let invalidContainer = Code(rawValue: "invalidContainer")
    /// A writer of a stream was told to write what can't stand there.
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
    case .typeMismatch, .doesNotFit, .notRepresentable: .typeMismatch
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

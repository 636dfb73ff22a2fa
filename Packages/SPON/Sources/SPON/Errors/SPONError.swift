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

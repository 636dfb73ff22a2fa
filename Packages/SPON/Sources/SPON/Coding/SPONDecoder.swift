/// Reads values of types that are `Decodable` from SPON.
///
/// ```swift
/// struct Address: Codable {
///   var city: String
///   var zip: Int
/// }
/// let address = try SPONDecoder().decode(
///   Address.self, from: "@obj:Address<zip!=`150` city$=`Oslo`>")
/// ```
///
/// - An integer is read as any integer type that holds it. A number is read as another type than its own
///   where nothing is lost: `7!` as a `Double`, `0.5&` as a `Float`, `3.0&` as an `Int`.
/// - A content without a type, `?`, is read as what is asked for. The integers 0 and 1 are also read as a
///   `Bool`, as the original had it.
/// - A key that is not there, and null, are read as `nil` where a type allows it.
/// - The names of types in the text are not looked at.
///
/// Errors are of type ``SPONError``, with the place in the text, also where a type of the standard library
/// or of Foundation refuses a value; what else a type's own `init(from:)` throws comes out as it is.
/// Within `init(from:)` failures are the `DecodingError` that the standard library has for them, so that a
/// type may catch one and go on. The whole text is checked before anything is decoded.
///
/// - Complexity: O(*n*) in the text's length. There is no tree of values in between.
public struct SPONDecoder: Sendable {
  /// How keys that are read become those of a type.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// How a `Date` is read.
  public var dateDecodingStrategy = DateDecodingStrategy.instant
  /// How a `Data` is read.
  public var dataDecodingStrategy = DataDecodingStrategy.base64
  /// How strictly the text is read.
  public var rules = SPONValue.Rules.standard
  /// How much is read before a text is refused.
  public var limits = SPONValue.Limits()
  /// What the types that are decoded find in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Reads a value from a text.
  ///
  /// - Throws: ``SPONError`` where the text is not SPON or passes a limit, and where it does not suit
  ///   the type; what a type itself throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from text: some StringProtocol
  ) throws -> Value {
    try decode(type, from: Array(text.utf8))
  }

  /// Reads a value from a text in UTF-8.
  ///
  /// - Throws: As ``decode(_:from:)`` of a text does.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws -> Value {
    try decode(type, from: TapeBuilder.tape(of: bytes, rules: rules, limits: limits))
  }

  /// Reads a value from a tree of values.
  ///
  /// - Throws: As ``decode(_:from:)`` of a text does. The positions of errors are those in the value's
  ///   text on one line.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from value: SPONValue
  ) throws -> Value {
    try decode(type, from: value.bytes(version: .two))
  }

  /// Reads a value from a text that was scanned.
  func decode<Value: Decodable>(_ type: Value.Type, from tape: Tape) throws -> Value {
    let session = DecodingSession(tape, self)
    do {
      return try session.decode(type, at: 0)
    } catch let error as DecodingError {
      throw session.error(error)
    }
  }
}

extension SPONDecoder {
  /// Reads a value from an element of a stream.
  ///
  /// ```swift
  /// var reader = SPONElementReader()
  /// reader.append(chunk)
  /// while let element = try reader.next() {
  ///   people.append(try decoder.decode(Person.self, from: element))
  /// }
  /// ```
  ///
  /// The rules and limits are those of the element's reader.
  ///
  /// - Throws: As ``decode(_:from:)`` of a text does, with places and paths in the stream.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from element: SPONElementReader.Element
  ) throws -> Value {
    let tape = try element.tape()
    do {
      return try decode(type, from: tape)
    } catch let error as SPONError {
      throw element.located(error)
    }
  }
}

extension SPONElementReader.Elements {
  /// The elements as values of a type.
  ///
  /// ```swift
  /// for try await person in SPONElementReader.Elements(of: chunks).decoded(as: Person.self) {
  ///   print(person.name)
  /// }
  /// ```
  public func decoded<Value: Decodable & SendableMetatype>(
    as type: Value.Type = Value.self, with decoder: SPONDecoder = SPONDecoder()
  ) -> AsyncThrowingMapSequence<Self, Value> {
    map { try decoder.decode(type, from: $0) }
  }
}

extension SPONStreamWriter {
  /// Writes a value of a type that is `Encodable`: the root, behind a key, or as an element.
  ///
  /// The version, the layout and the limits are those of the writer.
  ///
  /// - Throws: ``SPONError``, as ``write(_:)`` and ``SPONEncoder/encode(_:)`` do, and what the type
  ///   itself throws. Nothing is written then.
  /// - Complexity: O(*n*) in the length of the text. What is laid out or sorted, a root, and a single
  ///   value are made a tree first.
  public mutating func write(
    encoding value: some Encodable, with encoder: SPONEncoder = SPONEncoder()
  ) throws {
    var encoder = encoder
    encoder.version = version
    encoder.outputFormatting = []
    encoder.limits.depth = depthLeft
    var text: Output?
    var tree = SPONValue.null
    do {
      if mayTakeText { text = try encoder.container(of: value) }
      if text == nil {
        // As a tree, a value is of no version yet.
        encoder.version = .automatic
        tree = try encoder.value(of: value)
      }
    } catch let error as SPONError {
      throw SPONError(error.code, error.message, codingPath: path + error.codingPath)
    }
    if let text { try write(container: text) } else { try write(tree) }
  }
}

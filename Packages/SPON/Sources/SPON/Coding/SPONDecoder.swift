/// Decodes `Decodable` types from SPON.
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
/// - An integer is decoded as any integer type that can represent it. A number is decoded as
///   another number type if no information is lost: `7!` as a `Double`, `0.5&` as a `Float`, `3.0&`
///   as an `Int`.
/// - Untyped content, `?`, is decoded as the requested type. The integers 0 and 1 are also decoded
///   as a `Bool`, for compatibility with the original implementation.
/// - A missing key and null are decoded as `nil` if the type is optional.
/// - Type names in the text are ignored.
///
/// Errors are of type ``SPONError`` with a position in the text, including those thrown by types of
/// the standard library and of Foundation. Other errors that a type's `init(from:)` throws are
/// passed on. Within `init(from:)`, failures are the corresponding `DecodingError` of the standard
/// library, so that a type can catch one and continue. The whole text is validated before anything
/// is decoded.
///
/// - Complexity: O(*n*) in the text's length. No intermediate tree of values is created.
public struct SPONDecoder: Sendable {
  /// The conversion of keys in the text to a type's keys.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// The format in which a `Date` is read.
  public var dateDecodingStrategy = DateDecodingStrategy.instant
  /// The format in which a `Data` is read.
  public var dataDecodingStrategy = DataDecodingStrategy.base64
  /// The strictness with which the text is parsed.
  public var rules = SPONValue.Rules.standard
  /// The limits beyond which a text is rejected.
  public var limits = SPONValue.Limits()
  /// The `userInfo` of the decoders that types receive.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Decodes a value from a text.
  ///
  /// - Throws: ``SPONError`` if the text is not SPON, exceeds a limit or does not match the type;
  ///   errors that the type itself throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from text: some StringProtocol
  ) throws -> Value {
    try decode(type, from: Array(text.utf8))
  }

  /// Decodes a value from UTF-8 text.
  ///
  /// - Throws: The same errors as ``decode(_:from:)`` for a string.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws -> Value {
    try decode(type, from: TapeBuilder.tape(of: bytes, rules: rules, limits: limits))
  }

  /// Decodes a value from a tree of values.
  ///
  /// - Throws: The same errors as ``decode(_:from:)`` for a string. Their positions refer to the
  ///   value's text on one line.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from value: SPONValue
  ) throws -> Value {
    try decode(type, from: value.bytes(version: .two))
  }

  /// Decodes a value from a scanned text.
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
  /// Decodes a value from an element of a stream.
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
  /// - Throws: The same errors as ``decode(_:from:)`` for a string, with positions and paths in the
  ///   stream.
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
  /// Decodes the elements as values of a type.
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
  /// Writes a value of an `Encodable` type as the root, after a key, or as an element.
  ///
  /// The version, the layout and the limits are the writer's.
  ///
  /// - Throws: ``SPONError``, as ``write(_:)`` and ``SPONEncoder/encode(_:)`` do, and errors that
  ///   the type itself throws. In that case, no text is written.
  /// - Complexity: O(*n*) in the length of the text. A root, a single value, and a value that is
  ///   sorted or pretty-printed are first encoded as a tree.
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
      if canAppendRawText { text = try encoder.container(of: value) }
      if text == nil {
        // A tree of values does not have a version yet.
        encoder.version = .automatic
        tree = try encoder.value(of: value)
      }
    } catch let error as SPONError {
      throw SPONError(error.code, error.message, codingPath: path + error.codingPath)
    }
    if let text { try write(container: text) } else { try write(tree) }
  }
}

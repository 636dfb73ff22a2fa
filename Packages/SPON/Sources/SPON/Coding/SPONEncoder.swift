/// Encodes `Encodable` types as SPON.
///
/// ```swift
/// struct Address: Codable {
///   var city: String
///   var zip: Int
/// }
/// let text = try SPONEncoder().encode(Address(city: "Oslo", zip: 150))
/// print(text)  // @obj:Address<city$=`Oslo` zip!=`150`>
/// ```
///
/// - Every integer type is written as `!`, `Float` as `^` and `Double` as `&`, including NaN and
///   infinities. An `Int128` or `UInt128` that does not fit in 64 bits is written as a decimal
///   number, `#`.
/// - A value that encodes nothing is an empty object. A `nil` that a type encodes is null; a
///   synthesized `encode(to:)` omits properties that are `nil`.
/// - Keys are written in the order in which a type encodes them. If a key is encoded twice, the
///   last value is kept.
/// - If a value throws, nothing of it is written, so that a type can continue without it.
/// - Type names are written, but decoding does not require them.
///
/// Errors are of type ``SPONError``, with the path to the value. Other errors that a type's
/// `encode(to:)` throws are passed on. The containers and encoders that a type receives are valid
/// until its `encode(to:)` returns.
///
/// - Complexity: O(*n*) in the text's length. Values are written as they are encoded, without an
///   intermediate tree, unless keys are sorted or the text is pretty-printed.
public struct SPONEncoder: Sendable {
  /// The conversion of a type's keys to the keys that are written.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// The format in which a `Date` is written.
  public var dateEncodingStrategy = DateEncodingStrategy.instant
  /// The format in which a `Data` is written.
  public var dataEncodingStrategy = DataEncodingStrategy.base64
  /// The layout of the text.
  public var outputFormatting: SPONValue.Formatting = []
  /// The version of SPON to write.
  public var version = SPONValue.Version.automatic
  /// A Boolean value that indicates whether type names are written.
  public var writesTypeNames = true
  /// The limits, of which only the nesting depth applies. The others apply only to decoding.
  public var limits = SPONValue.Limits()
  /// The `userInfo` of the encoders that types receive.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Encodes a value as text.
  ///
  /// - Throws: ``SPONError`` if the value can't be written: ``SPONError/Code/tooDeep``,
  ///   ``SPONError/Code/notRepresentable`` for `SPONValue.Version.one`,
  ///   ``SPONError/Code/invalidContainer``; errors that the type itself throws.
  public func encode(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(of: value), as: UTF8.self)
  }

  /// Encodes a value as UTF-8 text.
  ///
  /// - Throws: The same errors as ``encode(_:)``.
  public func bytes(of value: some Encodable) throws -> [UInt8] {
    let session = EncodingSession(self)
    var output = try written(value, session)
    try check(output)
    if session.hasDuplicateKeys || !outputFormatting.isEmpty {
      return try reformattedText(output)
    }
    return output.takeDocument()
  }

  /// Encodes a value as a tree of values.
  ///
  /// - Throws: The same errors as ``encode(_:)``.
  public func value(of value: some Encodable) throws -> SPONValue {
    var encoder = self
    encoder.outputFormatting = []
    return try SPONValue(parsing: encoder.bytes(of: value), limits: limits.forGeneratedText)
  }

  /// Returns the text of an object or an array without the version marker; `nil` for any other
  /// value.
  func container(of value: some Encodable) throws -> Output? {
    let session = EncodingSession(self)
    let output = try written(value, session)
    guard !session.hasDuplicateKeys, !output.isSingleValue else { return nil }
    try check(output)
    return output
  }

  private func written<Value: Encodable>(
    _ value: Value, _ session: EncodingSession
  ) throws -> Output {
    let node = EncodingNode(session, slot: .root)
    try ValueEncoder(node: node, depth: 0, type: Value.self).encode(value)
    var output = node.joined()
    output.join(session.headRequirements)
    if let failure = session.failure { throw failure }
    return output
  }

  /// Throws if the requested version can't represent the output.
  private func check(_ output: Output) throws(SPONError) {
    if let refusal = output.refusal {
      throw SPONError(.notRepresentable, "version 1 of SPON does not support \(refusal)")
    }
  }

  /// Writes a text again in the requested order and layout.
  private func reformattedText(_ output: Output) throws(SPONError) -> [UInt8] {
    let level: UInt8 = version == .one ? 1 : 2
    let tape = try TapeBuilder.tape(
      of: output.bytes, rules: .standard, limits: limits.forGeneratedText, level: level)
    return TapeLayout.bytes(of: tape, requiring: output, formatting: outputFormatting)
  }
}

extension SPONValue.Limits {
  /// The limits for parsing a text that was just generated: only its depth is bounded.
  var forGeneratedText: SPONValue.Limits {
    SPONValue.Limits(depth: depth, bytes: .max, length: .max, count: .max)
  }
}

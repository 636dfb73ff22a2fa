/// Writes values of types that are `Encodable` as SPON.
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
/// - Every integer type is `!`, `Float` is `^`, `Double` is `&`; NaN and infinities are written as such.
///   An `Int128` or `UInt128` that 64 bits don't hold is a decimal number, `#`.
/// - A value that encodes nothing is an empty object. A `nil` that a type encodes is null; a synthesized
///   `encode(to:)` leaves out the properties that are `nil`.
/// - Keys are written in the order in which a type encodes them. Of two values for one key, the last
///   one holds.
/// - Of a value that throws nothing is written, so that a type may go on without it.
/// - The names of types are written, and are not needed to read.
///
/// Errors are of type ``SPONError``, with the keys and indexes that lead to the value; what a type's own
/// `encode(to:)` throws comes out as it is. The containers and encoders that a type gets are good until
/// its `encode(to:)` returns.
///
/// - Complexity: O(*n*) in the text's length. A value is written as it is encoded: there is no tree in
///   between, unless keys are sorted or the text is laid out.
public struct SPONEncoder: Sendable {
  /// How a type's keys become those that are written.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// How a `Date` is written.
  public var dateEncodingStrategy = DateEncodingStrategy.instant
  /// How a `Data` is written.
  public var dataEncodingStrategy = DataEncodingStrategy.base64
  /// How the text is laid out.
  public var outputFormatting: SPONValue.Formatting = []
  /// The version of SPON that is written.
  public var version = SPONValue.Version.automatic
  /// Whether the names of types are written.
  public var writesTypeNames = true
  /// How deep containers may be nested; the other limits are for reading.
  public var limits = SPONValue.Limits()
  /// What the types that are encoded find in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Writes a value.
  ///
  /// - Throws: ``SPONError`` where the value can't be written: ``SPONError/Code/tooDeep``,
  ///   ``SPONError/Code/notRepresentable`` under `SPONValue.Version.one`,
  ///   ``SPONError/Code/invalidContainer``; and what a type itself throws.
  public func encode(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(of: value), as: UTF8.self)
  }

  /// Writes a value as UTF-8.
  ///
  /// - Throws: As ``encode(_:)`` does.
  public func bytes(of value: some Encodable) throws -> [UInt8] {
    let session = EncodingSession(self)
    var output = try written(value, session)
    try check(output)
    if session.hasDuplicateKeys || !outputFormatting.isEmpty {
      return try laidOut(output)
    }
    return output.takeDocument()
  }

  /// Writes a value as a tree.
  ///
  /// - Throws: As ``encode(_:)`` does.
  public func value(of value: some Encodable) throws -> SPONValue {
    var encoder = self
    encoder.outputFormatting = []
    return try SPONValue(parsing: encoder.bytes(of: value), limits: limits.forOwnText)
  }

  /// The text of a value that is an object or an array, without its version's marker; `nil` for any
  /// other.
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
    let piece = EncodedPiece(session, slot: .root)
    try ValueEncoder(piece: piece, depth: 0, type: Value.self).encode(value)
    var output = piece.joined()
    output.join(session.headRequirements)
    if let failure = session.failure { throw failure }
    return output
  }

  /// Refuses what the version that is asked for does not have.
  private func check(_ output: Output) throws(SPONError) {
    if let refusal = output.refusal {
      throw SPONError(.notRepresentable, "version 1 of SPON does not have \(refusal)")
    }
  }

  /// Writes a text again, in the order and the layout that was asked for.
  private func laidOut(_ output: Output) throws(SPONError) -> [UInt8] {
    let level: UInt8 = version == .one ? 1 : 2
    let tape = try TapeBuilder.tape(
      of: output.bytes, rules: .standard, limits: limits.forOwnText, level: level)
    return TapeLayout.bytes(of: tape, requiring: output, formatting: outputFormatting)
  }
}

extension SPONValue.Limits {
  /// For a text that was just written here: only its depth is bounded.
  var forOwnText: SPONValue.Limits {
    SPONValue.Limits(depth: depth, bytes: .max, length: .max, count: .max)
  }
}

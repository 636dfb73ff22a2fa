extension SPONValue {
  /// Parses JSON according to RFC 8259.
  ///
  /// A number without a fraction or an exponent is an integer if it fits in 64 bits. Any other
  /// number is a ``double(_:)`` if the shortest text of the `Double` represents the same number,
  /// and otherwise a ``decimal(_:)``, so no number is rounded. If an object has two members with
  /// the same name, the last one is kept.
  ///
  /// ```swift
  /// let value = try SPONValue(json: #"{"name":"Ada","score":19.5}"#, style: .plain)
  /// print(value)  // @obj<name$=`Ada` score&=`19.5`>
  /// ```
  ///
  /// - Parameters:
  ///   - text: A single value, optionally surrounded by white space.
  ///   - style: Whether the wrappers of ``SPONValue/JSONStyle/typed`` are converted to the values
  ///     that they represent.
  ///   - limits: The limits on depth, length and count, as for SPON documents.
  /// - Throws: ``SPONError`` with a position if the text is not JSON
  ///   (``SPONError/Code/invalidJSON``), if it exceeds a limit (``SPONError/Code/tooDeep``,
  ///   ``SPONError/Code/tooLong``, ``SPONError/Code/tooMany``), or if a number's first digit is
  ///   more than a billion places from the point (``SPONError/Code/numberOutOfRange``).
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    json text: some StringProtocol, style: JSONStyle = .typed, limits: Limits = .init()
  ) throws(SPONError) {
    try self.init(json: Array(text.utf8), style: style, limits: limits)
  }

  /// Parses JSON from UTF-8 bytes without a byte order mark.
  ///
  /// - Throws: ``SPONError``, as ``init(json:style:limits:)`` does for a string.
  public init(
    json bytes: [UInt8], style: JSONStyle = .typed, limits: Limits = .init()
  ) throws(SPONError) {
    self = try JSONReader.value(of: bytes, style: style, limits: limits)
  }

  /// Returns the value as JSON text.
  ///
  /// ```swift
  /// let value: SPONValue = .object(SPONObject(typeName: "Address", ["zip": .float(1.5)]))
  /// print(try value.json())        // {"@type":"Address","zip":{"@float":1.5}}
  /// print(try value.json(.plain))  // {"zip":1.5}
  /// ```
  ///
  /// - Parameters:
  ///   - style: ``SPONValue/JSONStyle/typed`` preserves every value.
  ///   - formatting: The layout; by default, one line with the keys in their own order.
  /// - Throws: ``SPONError`` with code ``SPONError/Code/tooDeep``, or
  ///   ``SPONError/Code/notRepresentable`` if `style` is ``SPONValue/JSONStyle/plain`` and a number
  ///   is not finite.
  public func json(
    _ style: JSONStyle = .typed, formatting: Formatting = []
  ) throws(SPONError) -> String {
    String(decoding: try jsonBytes(style, formatting: formatting), as: UTF8.self)
  }

  /// Returns the value as JSON text in UTF-8.
  ///
  /// - Throws: ``SPONError``, as ``json(_:formatting:)`` does.
  public func jsonBytes(
    _ style: JSONStyle = .typed, formatting: Formatting = []
  ) throws(SPONError) -> [UInt8] {
    try JSONWriter.bytes(of: self, style: style, formatting: formatting)
  }
}

/// The wrapper of a value that JSON does not support: the name of the only member of an object.
enum JSONWrapper: String {
  case float = "@float"
  case double = "@double"
  case decimal = "@decimal"
  case data = "@data"
  case instant = "@instant"
  case opaque = "@opaque"

  /// The name of the member that contains an object's type name.
  static let typeName = "@type"
}

extension SPONValue {
  /// The representation in JSON of values that JSON does not support. See Docs/JSON.md.
  public enum JSONStyle: Hashable, Sendable {
    /// Lossless: unsupported values are wrapped, as in `{"@float":1.5}`, the type name of an object
    /// is its member `"@type"`, and a key that begins with `@` gets a second one. Every value is
    /// read back unchanged.
    case typed
    /// The form that other programs write and expect: type names are omitted, data is Base64 text,
    /// instants are text according to RFC 3339, and every number is a number. No key is special
    /// when reading.
    case plain
  }
}

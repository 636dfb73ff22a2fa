extension SPONValue {
  /// Reads a text in JSON, as RFC 8259 has it.
  ///
  /// Numbers without a fraction or an exponent are integers, as far as 64 bits go. Every other one is a
  /// ``double(_:)`` where the shortest text of a `Double` says the same number, and else a
  /// ``decimal(_:)``: nothing is rounded. Of two members with one name, the last holds.
  ///
  /// ```swift
  /// let value = try SPONValue(json: #"{"name":"Ada","score":19.5}"#, style: .plain)
  /// print(value)  // @obj<name$=`Ada` score&=`19.5`>
  /// ```
  ///
  /// - Parameters:
  ///   - text: One value, with white space around it or not.
  ///   - style: Whether what ``SPONValue/JSONStyle/typed`` wraps is taken for what it stands for.
  ///   - limits: Bounds of depth, length and count, as for texts in SPON.
  /// - Throws: ``SPONError`` with the place where the text is not JSON (``SPONError/Code/invalidJSON``),
  ///   where it passes a limit (``SPONError/Code/tooDeep``, ``SPONError/Code/tooLong``,
  ///   ``SPONError/Code/tooMany``), or where a number is beyond ten to the power of a billion
  ///   (``SPONError/Code/numberOutOfRange``).
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    json text: some StringProtocol, style: JSONStyle = .typed, limits: Limits = .init()
  ) throws(SPONError) {
    try self.init(json: Array(text.utf8), style: style, limits: limits)
  }

  /// Reads a text in JSON from its bytes in UTF-8, without a byte order mark.
  ///
  /// - Throws: ``SPONError``, as ``init(json:style:limits:)`` of a text does.
  public init(
    json bytes: [UInt8], style: JSONStyle = .typed, limits: Limits = .init()
  ) throws(SPONError) {
    self = try JSONReader.value(of: bytes, style: style, limits: limits)
  }

  /// The value as a text in JSON.
  ///
  /// ```swift
  /// let value: SPONValue = .object(SPONObject(typeName: "Address", ["zip": .float(1.5)]))
  /// print(try value.json())        // {"@type":"Address","zip":{"@float":1.5}}
  /// print(try value.json(.plain))  // {"zip":1.5}
  /// ```
  ///
  /// - Parameters:
  ///   - style: ``SPONValue/JSONStyle/typed`` loses nothing.
  ///   - formatting: On one line in the order of keys, unless it says otherwise.
  /// - Throws: ``SPONError`` of code ``SPONError/Code/tooDeep``, or
  ///   ``SPONError/Code/notRepresentable`` where `style` is ``SPONValue/JSONStyle/plain`` and a number is not
  ///   finite.
  public func json(
    _ style: JSONStyle = .typed, formatting: Formatting = []
  ) throws(SPONError) -> String {
    String(decoding: try jsonBytes(style, formatting: formatting), as: UTF8.self)
  }

  /// The value as a text in JSON, in UTF-8.
  ///
  /// - Throws: ``SPONError``, as ``json(_:formatting:)`` does.
  public func jsonBytes(
    _ style: JSONStyle = .typed, formatting: Formatting = []
  ) throws(SPONError) -> [UInt8] {
    try JSONWriter.bytes(of: self, style: style, formatting: formatting)
  }
}

/// What stands for a value that JSON does not have: the only member of an object, by its name.
enum JSONWrapper: String {
  case float = "@float"
  case double = "@double"
  case decimal = "@decimal"
  case data = "@data"
  case instant = "@instant"
  case opaque = "@opaque"

  /// The member that holds the type name of an object.
  static let typeName = "@type"
}

extension SPONValue {
  /// How values that JSON does not have are written in JSON, and read from it. Docs/JSON.md has the whole.
  public enum JSONStyle: Hashable, Sendable {
    /// Without loss: what JSON does not have is wrapped, as in `{"@float":1.5}`, the type name of an object
    /// is its member `"@type"`, and a key that begins with `@` gets another one. Every value that is
    /// written so is read as the same value.
    case typed
    /// As other programs write and expect it: type names are left out, data is text in Base64, instants
    /// are text of RFC 3339, and every number is a number. In what is read, no key is special.
    case plain
  }
}

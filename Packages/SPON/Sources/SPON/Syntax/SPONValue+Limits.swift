extension SPONValue {
  /// The limits beyond which a text is not read, and a value is not written.
  ///
  /// ```swift
  /// var decoder = SPONDecoder()
  /// decoder.limits.depth = 32
  /// decoder.limits.bytes = 1_000_000
  /// ```
  public struct Limits: Hashable, Sendable {
    /// The maximum number of containers around a value, at most 512. Values are read, compared and
    /// written recursively, and a thread may have a stack of only 512 KB.
    public var depth: Int {
      didSet { depth = Swift.min(depth, Self.greatestDepth) }
    }
    /// The maximum length of a document in bytes, at most 4,294,967,295. In a stream, it bounds
    /// each value that is read as a whole, and not the document.
    public var bytes: Int {
      didSet { bytes = Swift.min(bytes, Self.greatestBytes) }
    }
    /// The maximum length of a text, data or a key, in bytes as written.
    public var length: Int
    /// The maximum number of values in a document, including nested ones. In a stream, it bounds
    /// each value that is read as a whole, and not the document.
    public var count: Int

    public init(
      depth: Int = 512, bytes: Int = 1 << 30, length: Int = 1 << 28, count: Int = 100_000_000
    ) {
      self.depth = Swift.min(depth, Self.greatestDepth)
      self.bytes = Swift.min(bytes, Self.greatestBytes)
      self.length = length
      self.count = count
    }

    static let greatestDepth = 512
    /// An offset in a text has 32 bits; on 32-bit platforms, the limit is the largest `Int`.
    private static let greatestBytes = Int(clamping: UInt32.max)
  }
}

extension SPONValue {
  /// The strictness with which a text is parsed. FORMAT.md specifies the rule for each property.
  public struct Rules: Hashable, Sendable {
    /// A Boolean value that indicates whether an object that contains a key twice is rejected.
    /// Otherwise, the last value is kept.
    public var rejectsDuplicateKeys: Bool
    /// A Boolean value that indicates whether a key without a designator, `name=`, is accepted for
    /// a string.
    public var allowsMissingDesignators: Bool
    /// A Boolean value that indicates whether an unquoted value is read as text up to the next key.
    /// The original implementation wrote strings that begin with `@obj` or `@array[` in this way.
    public var allowsUnquotedStrings: Bool

    public init(
      rejectsDuplicateKeys: Bool = false, allowsMissingDesignators: Bool = false,
      allowsUnquotedStrings: Bool = false
    ) {
      self.rejectsDuplicateKeys = rejectsDuplicateKeys
      self.allowsMissingDesignators = allowsMissingDesignators
      self.allowsUnquotedStrings = allowsUnquotedStrings
    }

    /// The rules of FORMAT.md, which accept everything that is unambiguous.
    public static let standard = Rules()
    /// The ``standard`` rules, without duplicate keys.
    public static let strict = Rules(rejectsDuplicateKeys: true)
    /// The ``standard`` rules, and recovery of text that the original implementation damaged, if
    /// possible.
    public static let lenient = Rules(allowsMissingDesignators: true, allowsUnquotedStrings: true)
  }
}

extension SPONValue {
  /// How much of a text is read, and of a value written, before it is refused.
  ///
  /// ```swift
  /// var decoder = SPONDecoder()
  /// decoder.limits.depth = 32
  /// decoder.limits.bytes = 1_000_000
  /// ```
  public struct Limits: Hashable, Sendable {
    /// The most containers around a value. At most 512, since who reads, compares or writes a value follows
    /// its nesting on the stack, of which a thread may have no more than 512 KB.
    public var depth: Int {
      didSet { depth = Swift.min(depth, Self.greatestDepth) }
    }
    /// The longest document, in bytes. At most 4,294,967,295 where a document is read at once; a stream
    /// is not bounded by it.
    public var bytes: Int {
      didSet { bytes = Swift.min(bytes, Self.greatestBytes) }
    }
    /// The longest text, data or key, in bytes as written.
    public var length: Int
    /// The most values in a document, those in containers counted. A stream is not bounded by it.
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
    /// A place in a text takes 32 bits; where an `Int` has no more, it is the greatest one.
    private static let greatestBytes = Int(clamping: UInt32.max)
  }
}

extension SPONValue {
  /// How strictly a text is read. FORMAT.md names the rule that each question belongs to.
  public struct Rules: Hashable, Sendable {
    /// Whether an object that has a key twice is refused. Otherwise the last value holds.
    public var refusesDuplicateKeys: Bool
    /// Whether a key without a designator is a text's: `name=`, and the text in backticks.
    public var readsUnmarkedTexts: Bool
    /// Whether an unquoted value is read as text up to where the next key begins, as the original wrote
    /// texts that begin with `@obj` or `@array[`.
    public var readsUnquotedTexts: Bool

    public init(
      refusesDuplicateKeys: Bool = false, readsUnmarkedTexts: Bool = false,
      readsUnquotedTexts: Bool = false
    ) {
      self.refusesDuplicateKeys = refusesDuplicateKeys
      self.readsUnmarkedTexts = readsUnmarkedTexts
      self.readsUnquotedTexts = readsUnquotedTexts
    }

    /// What FORMAT.md says: everything that can be read without a guess.
    public static let standard = Rules()
    /// As ``standard``, without duplicate keys.
    public static let strict = Rules(refusesDuplicateKeys: true)
    /// Also what the original damaged when it wrote, as far as it can be told.
    public static let lenient = Rules(readsUnmarkedTexts: true, readsUnquotedTexts: true)
  }
}

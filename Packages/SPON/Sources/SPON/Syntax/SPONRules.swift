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

extension SourceSession {
  /// What a reader of a text takes at most.
  @_spi(Formats) public struct FormatLimits: Hashable, Sendable {
    /// How deep containers are nested.
    public var depth: Int
    /// The bytes of one text or number: as many as SQLite takes.
    public var length: Int
    /// The fields of one record: as many as SQLite can be built for.
    public var fields: Int

    public init(depth: Int = 512, length: Int = 1_000_000_000, fields: Int = 32_767) {
      self.depth = depth
      self.length = length
      self.fields = fields
    }
  }
}

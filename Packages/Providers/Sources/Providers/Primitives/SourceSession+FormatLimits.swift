extension SourceSession {
  /// The limits of a format's reader.
  @_spi(Formats) public struct FormatLimits: Hashable, Sendable {
    /// The maximum nesting depth of containers.
    public var depth: Int
    /// The maximum number of bytes of a string or number: SQLite's limit.
    public var length: Int
    /// The maximum number of fields of a record: the largest column limit that SQLite can be built
    /// with.
    public var fields: Int

    public init(depth: Int = 512, length: Int = 1_000_000_000, fields: Int = 32_767) {
      self.depth = depth
      self.length = length
      self.fields = fields
    }
  }
}

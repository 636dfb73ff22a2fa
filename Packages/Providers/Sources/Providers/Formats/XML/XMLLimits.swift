extension XMLEventReader {
  /// How large a document may be that is read. What is larger is refused, ``ProviderError/Code/limitExceeded``.
  @_spi(Formats) public struct Limits: Sendable {
    /// The most elements that are open at once.
    public var depth: Int
    /// The most bytes, as UTF-8, of one text, of one attribute's value and of one comment.
    public var textLength: Int
    /// The most bytes of a name, of a prefix and of a namespace.
    public var nameLength: Int
    /// The most attributes of one element, and the most namespaces that are declared at once.
    public var attributeCount: Int
    /// The most names that differ.
    public var nameCount: Int

    public init(
      depth: Int = 256, textLength: Int = 100_000_000, nameLength: Int = 4_096,
      attributeCount: Int = 4_096, nameCount: Int = 65_536
    ) {
      self.depth = depth
      self.textLength = textLength
      self.nameLength = nameLength
      self.attributeCount = attributeCount
      self.nameCount = nameCount
    }

    /// The most bytes before the end of the first start tag's beginning: of a document type, above all.
    static let prologLength = 1 << 20
  }
}

extension XMLEventReader {
  /// What is read of a document, and how much.
  @_spi(Formats) public struct Options: Sendable {
    public var limits: Limits
    /// Whether texts that are white space alone are events wherever they stand. Otherwise such a text is
    /// one only where it is all that its element has.
    public var keepsWhitespace: Bool
    /// Whether comments are events, and divide texts.
    public var hasComments: Bool
    /// Whether processing instructions are events, and divide texts.
    public var hasProcessingInstructions: Bool

    public init(
      limits: Limits = Limits(), keepsWhitespace: Bool = false, hasComments: Bool = false,
      hasProcessingInstructions: Bool = false
    ) {
      self.limits = limits
      self.keepsWhitespace = keepsWhitespace
      self.hasComments = hasComments
      self.hasProcessingInstructions = hasProcessingInstructions
    }
  }
}

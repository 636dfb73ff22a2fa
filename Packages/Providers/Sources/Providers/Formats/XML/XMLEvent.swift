extension XMLEventReader {
  /// What a reader of XML has come to. The reader has the rest: attributes, text, place.
  @_spi(Formats) public enum Event: Hashable, Sendable {
    case startElement(Name)
    /// The end of an element, of an empty one too.
    case endElement(Name)
    /// All the text up to the next tag: of CDATA sections too, and with references replaced.
    case text
    case comment
    /// An instruction, by its target.
    case processingInstruction(Name)

    /// The same without the name.
    public enum Kind: UInt8, Sendable {
      case startElement, endElement, text, comment, processingInstruction
    }
  }
}

extension XMLEventWriter {
  /// A name that was found to be one, so that it is written as it is.
  @_spi(Formats) public struct Name: Hashable, Sendable {
    let bytes: [UInt8]
    /// How long the prefix is; 0 where there is none.
    let prefixLength: Int

    /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` where the text is no name.
    public init(_ text: String) throws(ProviderError) {
      guard XMLEventReader.Text.isName(text) else {
        throw ProviderError(
          .unrepresentable, "this can't be the name of an element or an attribute")
      }
      bytes = Array(text.utf8)
      prefixLength = bytes.firstIndex(of: 0x3A) ?? 0
      guard prefix != Array("xmlns".utf8), bytes != Array("xmlns".utf8) else {
        throw ProviderError(
          .unrepresentable, "the name xmlns declares namespaces, and can't have another use")
      }
    }

    var prefix: [UInt8] { Array(bytes[..<prefixLength]) }
  }
}

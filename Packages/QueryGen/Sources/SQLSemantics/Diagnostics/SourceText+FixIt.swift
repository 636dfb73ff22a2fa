internal import SQLSyntax

extension SourceText {
  /// A change of a misspelt name into another one, where the name ends a span as it is written.
  func fixIt(
    replacing name: String, atEndOf span: ByteSpan, with replacement: String
  ) -> Diagnostic.FixIt? {
    let written = Array(name.utf8)
    let range = span.range.clamped(to: 0..<byteCount)
    guard !written.isEmpty, bytes[range].suffix(written.count).elementsEqual(written) else {
      return nil
    }
    // A name that is no word by itself needs quotes.
    let tokens = Lexer.tokenize(SourceText(replacement)).tokens
    let isWord = tokens.count == 2 && tokens[0].kind == .identifier
    return Diagnostic.FixIt(
      replace: ByteSpan(range.upperBound - written.count..<range.upperBound),
      with: isWord ? replacement : replacement.quotedName)
  }
}

internal import Primitives

extension SQLTokens {
  /// Tokens in the one form that all their spellings have: no comments, one space, names unquoted
  /// where they can be, letters small.
  ///
  /// - Parameter isName: Whether quotes are always those of a name. What stands in the quotes of a
  ///   module's argument may be a text.
  func canonical(_ range: Range<Int>, isName: Bool = true) -> String {
    range.map { canonical($0, isName: isName) }.joined(separator: " ")
  }

  func canonical(_ index: Int, isName: Bool = true) -> String {
    switch tokens[index].kind {
    case .string, .blob, .symbol, .parameter, .illegal, .space, .comment: return text(index)
    case .word, .number: return text(index).asciiLowercased
    case .quotedName:
      let quoted = name(index)
      let name = quoted.asciiLowercased
      let isPlain =
        !name.isEmpty
        && name.utf8.allSatisfy {
          (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f
        } && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? false)
      if isPlain, !Engine.isKeyword(name) { return name }
      return SQLName.quoted(isName ? name : quoted)
    }
  }
}

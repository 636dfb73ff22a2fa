internal import Primitives

extension SQLTokens {
  /// Returns the canonical form of tokens: without comments, separated by one space, with names
  /// unquoted if possible and in lowercase.
  ///
  /// - Parameter isName: Whether quoted tokens are always names. In the arguments of a virtual
  ///   table module they can be strings.
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
      if isPlain, !SQLiteLibrary.isKeyword(name) { return name }
      return SQLName.quoted(isName ? name : quoted)
    }
  }
}

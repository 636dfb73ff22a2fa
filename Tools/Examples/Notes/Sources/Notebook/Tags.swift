/// The normalization of tag names.
enum Tags {
  /// Returns the unique names in lower case, in the given order.
  ///
  /// - Throws: ``NoteError/invalidTag(_:)``.
  static func names(_ texts: [String]) throws(NoteError) -> [String] {
    var names: [String] = []
    for text in texts {
      let name = (text.hasPrefix("#") ? text.dropFirst() : text[...]).lowercased()
      guard !name.isEmpty, name.allSatisfy(isAllowed) else { throw .invalidTag(text) }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private static func isAllowed(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-" || character == "_"
  }
}

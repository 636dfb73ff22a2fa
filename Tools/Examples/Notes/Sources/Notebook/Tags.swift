/// What people write for tags, as the database has them.
enum Tags {
  /// The names in small letters, each once, in their order.
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

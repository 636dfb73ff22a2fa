/// The words of a name, however it was written: `user_accounts`, `UserAccounts`, `"user accounts"`.
struct Words: Hashable {
  /// The words, each spelled as it was.
  private(set) var words: [String]

  /// Splits at every character that an identifier can't have, and at underscores.
  ///
  /// Inside a word the capitals stay as they are, since they were chosen: `userID` is one word. A name
  /// that has no small letter at all is SQL's shouting, and is lowered first: `USER_ID`.
  init(_ name: String) {
    let isShouted = !name.unicodeScalars.contains { $0.properties.isLowercase }
    words = []
    var word = ""
    for scalar in name.unicodeScalars {
      if scalar != "_", scalar.properties.isXIDContinue {
        word.unicodeScalars.append(scalar)
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    if isShouted { words = words.map { $0.lowercased() } }
  }

  private init(words: [String]) { self.words = words }

  /// `userAccount`; empty where the name had no letter and no digit.
  var lowerCamel: String {
    guard let first = words.first else { return "" }
    return identifier(
      Words.loweringStart(of: first) + words.dropFirst().map(Words.raisingStart(of:)).joined())
  }

  /// `UserAccount`; empty where the name had no letter and no digit.
  var upperCamel: String { identifier(words.map(Words.raisingStart(of:)).joined()) }

  /// The same with the last word in the singular.
  var singular: Words {
    guard let last = words.last else { return self }
    return Words(words: words.dropLast() + [Singular.of(last)])
  }

  /// An identifier can't begin with a digit, nor with a mark that belongs to a letter before it.
  private func identifier(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return "" }
    return first.properties.isXIDStart ? text : "_" + text
  }

  private static func raisingStart(of word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// `Name` → `name`, `ID` → `id`, `URLPath` → `urlPath`.
  private static func loweringStart(of word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.count <= 1 || capitals.count == word.count {
      return capitals.lowercased() + word.dropFirst(capitals.count)
    }
    // The last capital begins the next word, unless what follows is no letter: `ID3` → `id3`.
    let next = word[capitals.endIndex]
    let head = next.isLowercase ? capitals.dropLast() : capitals
    return head.lowercased() + word[head.endIndex...]
  }
}

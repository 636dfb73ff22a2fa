/// The words of a name in any style: `user_accounts`, `UserAccounts`, `"user accounts"`.
struct IdentifierWords: Hashable {
  /// The words as spelled.
  private(set) var words: [String]

  /// Splits a name at underscores, and at characters that are invalid in identifiers.
  ///
  /// The letter case inside a word is kept, so `userID` is one word. A name without lowercase
  /// letters, such as `USER_ID`, is lowercased first.
  init(_ name: String) {
    let isAllCaps = !name.unicodeScalars.contains {
      $0.isASCII ? "a"..."z" ~= $0 : $0.properties.isLowercase
    }
    words = []
    var word = ""
    for scalar in name.unicodeScalars {
      if scalar != "_", scalar.continuesIdentifier {
        word.unicodeScalars.append(scalar)
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    if isAllCaps { words = words.map { $0.lowercased() } }
  }

  private init(words: [String]) { self.words = words }

  /// `userAccount`; empty if the name has no letters or digits.
  var lowerCamel: String {
    guard let first = words.first else { return "" }
    return identifier(
      IdentifierWords.loweringStart(of: first)
        + words.dropFirst().map(IdentifierWords.raisingStart(of:)).joined())
  }

  /// `UserAccount`; empty if the name has no letters or digits.
  var upperCamel: String { identifier(words.map(IdentifierWords.raisingStart(of:)).joined()) }

  /// The words with the last one in the singular.
  var singular: IdentifierWords {
    guard let last = words.last else { return self }
    return IdentifierWords(words: words.dropLast() + [Singularizer.of(last)])
  }

  /// Returns a text as an identifier, which can't begin with a digit or a combining mark.
  private func identifier(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return "" }
    return first.startsIdentifier ? text : "_" + text
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
    // The last capital begins the next word, unless no lowercase letter follows: `ID3` → `id3`.
    let next = word[capitals.endIndex]
    let head = next.isLowercase ? capitals.dropLast() : capitals
    return head.lowercased() + word[head.endIndex...]
  }
}

extension IdentifierWords {
  /// The plural of an English noun, for the names of lists: `book` → `books`, `city` → `cities`, `box` →
  /// `boxes`. A plural is unchanged.
  var plural: String {
    let name = lowerCamel
    guard self == singular else { return name }
    let lower = name.lowercased()
    if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return name + "es" }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return String(name.dropLast()) + "ies"
    }
    return name + "s"
  }
}

/// The properties of characters in identifiers. Those of ASCII need not be looked up in a table.
extension Unicode.Scalar {
  var isASCIILetter: Bool { "a"..."z" ~= self || "A"..."Z" ~= self }

  /// Indicates whether an identifier can begin with the character.
  var startsIdentifier: Bool { isASCII ? isASCIILetter : properties.isXIDStart }

  /// Indicates whether an identifier can contain the character after the first one.
  var continuesIdentifier: Bool {
    isASCII ? isASCIILetter || "0"..."9" ~= self || self == "_" : properties.isXIDContinue
  }
}

/// The singular of English plurals that are common in table names.
///
/// A word that is not recognized is returned unchanged: a wrong singular reads worse than a plural.
enum Singularizer {
  /// Returns the singular of a word, with the same initial case.
  static func of(_ word: String) -> String {
    let lower = word.lowercased()
    guard lower.utf8.count == word.utf8.count, lower.utf8.count > 2 else { return word }
    if unchanging.contains(lower) { return word }
    if let whole = irregular[lower] { return matchingStart(of: word, whole) }
    for (plural, singular) in irregularEndings where lower.hasSuffix(plural) {
      return String(word.dropLast(plural.count)) + singular
    }
    for ending in unchangingEndings where lower.hasSuffix(ending) { return word }
    for (plural, singular) in endings where lower.hasSuffix(plural) {
      return String(word.dropLast(plural.count)) + singular
    }
    return lower.hasSuffix("s") ? String(word.dropLast()) : word
  }

  private static func matchingStart(of word: String, _ singular: String) -> String {
    guard word.first?.isUppercase == true else { return singular }
    return singular.prefix(1).uppercased() + singular.dropFirst()
  }

  /// Nouns that look like plurals but are not, or whose singular and plural are equal.
  private static let unchanging: Set<String> = [
    "alias", "atlas", "bias", "canvas", "chaos", "christmas", "gas", "goods", "headquarters",
    "lens",
    "means", "news", "series", "species", "texas", "this", "yes",
  ]

  private static let irregular: [String: String] = [
    "axes": "axis", "caches": "cache", "children": "child", "feet": "foot", "geese": "goose",
    "indices": "index", "leaves": "leaf", "lives": "life", "matrices": "matrix", "men": "man",
    "mice": "mouse", "movies": "movie", "people": "person", "pies": "pie", "shoes": "shoe",
    "teeth": "tooth", "ties": "tie", "vertices": "vertex", "women": "woman",
  ]

  private static let irregularEndings: [(String, String)] = [
    ("cookies", "cookie"), ("heroes", "hero"), ("halves", "half"), ("knives", "knife"),
    ("shelves", "shelf"), ("wives", "wife"), ("wolves", "wolf"), ("echoes", "echo"),
    ("potatoes", "potato"), ("tomatoes", "tomato"), ("vetoes", "veto"), ("selfies", "selfie"),
    ("aliases", "alias"), ("atlases", "atlas"), ("biases", "bias"), ("canvases", "canvas"),
    ("gases", "gas"), ("lenses", "lens"), ("analyses", "analysis"), ("bases", "base"),
    ("diagnoses", "diagnosis"), ("hypotheses", "hypothesis"), ("parentheses", "parenthesis"),
    ("buses", "bus"), ("bonuses", "bonus"), ("campuses", "campus"), ("censuses", "census"),
    ("statuses", "status"), ("viruses", "virus"), ("menus", "menu"), ("quizzes", "quiz"),
  ]

  private static let unchangingEndings = ["ss", "us", "is", "ics"]

  private static let endings: [(String, String)] = [
    ("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zzes", "zz"),
  ]
}

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

/// The plural of an English noun, as lists are named.
enum Plural {
  /// `book` → `books`, `city` → `cities`, `box` → `boxes`; a plural stays as it is.
  static func of(_ words: Words) -> String {
    let name = words.lowerCamel
    guard words == words.singular else { return name }
    let lower = name.lowercased()
    if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return name + "es" }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return String(name.dropLast()) + "ies"
    }
    return name + "s"
  }
}

/// English plurals of the kind that name tables.
///
/// Where it is not sure it leaves the word alone: a wrong singular reads worse than a plural.
enum Singular {
  /// The singular of a word, in the case that it was written in.
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

  /// Words that end as plurals do and are none, or that are one with their plural.
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

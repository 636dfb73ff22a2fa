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

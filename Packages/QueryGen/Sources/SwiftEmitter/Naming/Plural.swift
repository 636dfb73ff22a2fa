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

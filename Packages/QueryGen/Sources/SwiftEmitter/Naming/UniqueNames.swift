/// Hands out names, none of them twice.
///
/// Names that differ by case alone are two: Swift tells them apart.
struct UniqueNames {
  private var taken: Set<String>

  init(taken: Set<String> = []) { self.taken = taken }

  /// Takes the first of `candidates` that is free; where none is, the last with a number from 2.
  mutating func take(_ candidates: String...) -> String {
    for candidate in candidates where taken.insert(candidate).inserted { return candidate }
    let base = candidates.last ?? ""
    // Names get their number from 2; as many names are taken as there are, so one of these is free.
    for number in 2...(taken.count + 2) where taken.insert(base + String(number)).inserted {
      return base + String(number)
    }
    return base
  }
}

extension UniqueNames {
  /// The properties of one struct, made from SQL's names; unescaped.
  ///
  /// The second of two equal names gets the number 2. A name without a letter becomes `column3`, after
  /// its place. A name that the author chose is taken as it is.
  static func members(
    for names: [String], fallback: String, chosen: [String?] = []
  ) -> [String] {
    var unique = UniqueNames()
    return names.enumerated().map { place, name in
      if place < chosen.count, let name = chosen[place] { return unique.take(name) }
      var member = Words(name).lowerCamel
      if member.isEmpty || member.allSatisfy({ $0 == "_" || $0.isNumber }) {
        member = fallback + String(place + 1)
      }
      if SwiftKeywords.takenMembers.contains(member) { member += "_" }
      return unique.take(member)
    }
  }
}

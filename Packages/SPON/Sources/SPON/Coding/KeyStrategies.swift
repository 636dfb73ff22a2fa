extension SPONEncoder {
  /// How a type's keys become those that are written. The keys of a `[String: …]` are written as they
  /// are.
  public enum KeyEncodingStrategy: Sendable {
    /// A key is written as it is.
    case useDefaultKeys
    /// `userName` is written `user_name`.
    case convertToSnakeCase
    /// The key that the closure makes of the keys and indexes that lead to the value, its own last.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)

    /// Whether the key that is written depends on where it stands.
    var needsPath: Bool {
      if case .custom = self { true } else { false }
    }

    func key(for name: String) -> String {
      if case .convertToSnakeCase = self { SnakeCase.snakeCase(name) } else { name }
    }
  }

  /// The key that a custom strategy has for the last one of a path.
  func convertedKey(_ path: [SPONPath.Key]) -> String {
    guard case .custom(let convert) = keyEncodingStrategy else {
      return path.last?.stringValue ?? ""
    }
    return convert(path).stringValue
  }
}

extension SPONDecoder {
  /// How keys that are read become those of a type. The keys of a `[String: …]` are read as they are.
  public enum KeyDecodingStrategy: Sendable {
    /// A key is read as it is.
    case useDefaultKeys
    /// `user_name` is read as `userName`. Underscores at the beginning and the end stay.
    case convertFromSnakeCase
    /// The key that the closure makes of the keys and indexes that lead to the value, its own last.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }
}

/// Dictionaries whose keys are not those of a type, so that no strategy applies to them.
protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}

/// Names as Swift and as SQL or other languages write them.
enum SnakeCase {
  /// `myURLProperty` as `my_url_property`: a run of capitals is one word, but for its last letter where
  /// a small one follows. Where the words begin is what Foundation's coders have, so that names are the
  /// same in both.
  static func snakeCase(_ name: String) -> String {
    let letters = Array(name)
    var starts: Set<Int> = []
    var place = 1
    while place < letters.count,
      let capital = letters[place...].firstIndex(where: \.isUppercase)
    {
      starts.insert(capital)
      guard let small = letters[capital...].firstIndex(where: \.isLowercase) else { break }
      starts.insert(small - 1)
      place = small + 1
    }
    return letters.indices.map { (starts.contains($0) ? "_" : "") + letters[$0].lowercased() }
      .joined()
  }

  /// `my_url_property` as `myUrlProperty`.
  static func camelCase(_ name: String) -> String {
    let first = name.firstIndex { $0 != "_" }
    guard let first, let last = name.lastIndex(where: { $0 != "_" }) else { return name }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { capitalized($0) }
    return name[..<first] + words[0].lowercased() + rest.joined()
      + name[name.index(after: last)...]
  }

  /// A word with capitals where no letter stands before, also behind digits, as Foundation has it.
  private static func capitalized(_ word: Substring) -> String {
    var text = ""
    var isBehindLetter = false
    for letter in word {
      text += isBehindLetter ? letter.lowercased() : letter.uppercased()
      isBehindLetter = letter.isLetter
    }
    return text
  }
}

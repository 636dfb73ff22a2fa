extension SPONEncoder {
  /// The conversion of a type's keys to the keys that are written. It does not apply to the keys of
  /// a `[String: …]`.
  public enum KeyEncodingStrategy: Sendable {
    /// Writes keys unchanged.
    case useDefaultKeys
    /// Writes `userName` as `user_name`.
    case convertToSnakeCase
    /// Writes the key that the closure returns for the path to the value, whose last element is the
    /// value's own key.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)

    /// Indicates whether the written key depends on its path.
    var needsPath: Bool {
      if case .custom = self { true } else { false }
    }

    func key(for name: String) -> String {
      if case .convertToSnakeCase = self { name.snakeCased } else { name }
    }
  }

  /// Returns the key that a custom strategy produces for the last key of a path.
  func convertedKey(_ path: [SPONPath.Key]) -> String {
    guard case .custom(let convert) = keyEncodingStrategy else {
      return path.last?.stringValue ?? ""
    }
    return convert(path).stringValue
  }
}

extension SPONDecoder {
  /// The conversion of keys in the text to a type's keys. It does not apply to the keys of a
  /// `[String: …]`.
  public enum KeyDecodingStrategy: Sendable {
    /// Reads keys unchanged.
    case useDefaultKeys
    /// Reads `user_name` as `userName`. Leading and trailing underscores are kept.
    case convertFromSnakeCase
    /// Reads the key that the closure returns for the path to the value, whose last element is the
    /// value's own key.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
  }
}

/// Dictionaries with string keys, to which key strategies do not apply.
protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}

/// Conversions between camel case and snake case.
extension String {
  /// The name in snake case: `my_url_property` for `myURLProperty`. A run of capitals is one word, except for its
  /// last letter if a lowercase one follows. The word boundaries are the same as in Foundation's
  /// coders.
  var snakeCased: String {
    let letters = Array(self)
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

  /// The name in camel case: `myUrlProperty` for `my_url_property`.
  var camelCased: String {
    let first = firstIndex { $0 != "_" }
    guard let first, let last = lastIndex(where: { $0 != "_" }) else { return self }
    let words = self[first...last].split(separator: "_")
    guard words.count > 1 else { return self }
    let rest = words.dropFirst().map { Self.capitalized($0) }
    return self[..<first] + words[0].lowercased() + rest.joined() + self[index(after: last)...]
  }

  /// Capitalizes each letter that does not follow another one, including after digits, as
  /// Foundation does.
  private static func capitalized(_ word: Substring) -> String {
    var text = ""
    var followsLetter = false
    for letter in word {
      text += followsLetter ? letter.lowercased() : letter.uppercased()
      followsLetter = letter.isLetter
    }
    return text
  }
}

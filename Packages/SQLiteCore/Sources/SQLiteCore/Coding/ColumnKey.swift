/// A coding key for a name or an index, used if there is no key of the user's type.
struct ColumnKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static let superKey = ColumnKey(stringValue: "super")
}

extension [any CodingKey] {
  /// The textual form of a coding path: `items[0].price`.
  var pathDescription: String {
    var text = ""
    for key in self {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text
  }
}

extension String {
  /// The name in camel case: `userName` for `user_name`. Leading and trailing underscores are kept.
  var camelCased: String {
    guard let first = firstIndex(where: { $0 != "_" }), let last = lastIndex(where: { $0 != "_" })
    else { return self }
    let words = self[first...last].split(separator: "_")
    guard words.count > 1 else { return self }
    var result = String(self[..<first]) + words[0].lowercased()
    for word in words.dropFirst() {
      result += word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
    return result + self[index(after: last)...]
  }

  /// The name in snake case: `user_name` for `userName`, and `my_url_key` for `myURLKey`.
  var snakeCased: String {
    let letters = Array(self)
    var result = ""
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0, letters[index - 1] != "_" {
        let followsWord = !letters[index - 1].isUppercase
        let beginsWord = index + 1 < letters.count && letters[index + 1].isLowercase
        if followsWord || beginsWord { result += "_" }
      }
      result += letter.lowercased()
    }
    return result
  }
}

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

/// The textual form of a coding path: `items[0].price`.
struct KeyPathText: CustomStringConvertible {
  let path: [any CodingKey]

  var description: String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text
  }
}

/// Conversion between snake case and camel case.
enum SnakeCase {
  /// Converts `user_name` to `userName`. Leading and trailing underscores are kept.
  static func camelCased(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }),
      let last = name.lastIndex(where: { $0 != "_" })
    else { return name }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    var result = String(name[..<first]) + words[0].lowercased()
    for word in words.dropFirst() {
      result += word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
    return result + name[name.index(after: last)...]
  }

  /// Converts `userName` to `user_name`, and `myURLKey` to `my_url_key`.
  static func snakeCased(_ name: String) -> String {
    let letters = Array(name)
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

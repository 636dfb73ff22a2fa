/// A key that is made of a name or a number, where there is none of the user's own type.
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

/// A path of keys as people write it: `items[0].price`.
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

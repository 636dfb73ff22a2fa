extension SPONPath {
  /// A step in a path: the key of an object, or the index of an array.
  public enum Key: Hashable, Sendable, CodingKey {
    case key(String)
    case index(Int)

    public init(stringValue: String) { self = .key(stringValue) }
    public init(intValue: Int) { self = .index(intValue) }

    /// Converts a coding key of another type.
    init(_ key: any CodingKey) {
      if let key = key as? SPONPath.Key {
        self = key
      } else if let index = key.intValue, key.stringValue == "Index \(index)" {
        self = .index(index)  // The standard library and Foundation name array indexes this way.
      } else {
        self = .key(key.stringValue)
      }
    }

    public var stringValue: String {
      switch self {
      case .key(let key): key
      case .index(let index): "Index \(index)"
      }
    }

    public var intValue: Int? {
      switch self {
      case .key(let key): Int(key)
      case .index(let index): index
      }
    }

    /// Returns a path in the form used in messages: `people[2].name`.
    static func describe(_ path: [SPONPath.Key]) -> String {
      var text = ""
      for step in path {
        switch step {
        case .key(let key): text += text.isEmpty ? key : ".\(key)"
        case .index(let index): text += "[\(index)]"
        }
      }
      return text
    }
  }
}

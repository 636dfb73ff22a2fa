extension SPONPath {
  /// One step from a container to a value in it: the key of an object, or the index of an array.
  public enum Key: Hashable, Sendable, CodingKey {
    case key(String)
    case index(Int)

    public init(stringValue: String) { self = .key(stringValue) }
    public init(intValue: Int) { self = .index(intValue) }

    /// Another type's key.
    init(_ key: any CodingKey) {
      if let key = key as? SPONPath.Key {
        self = key
      } else if let index = key.intValue, key.stringValue == "Index \(index)" {
        self = .index(index)  // as the standard library and Foundation name the steps of arrays
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

    /// A path as it is written in messages: `people[2].name`.
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

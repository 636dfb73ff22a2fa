/// A path of keys and indexes that leads from a value to one inside it.
///
/// ```swift
/// let path: SPONPath = ["people", 2, "name"]
/// print(path)                              // people[2].name
/// print(value[path]?.string ?? "nobody")
/// ```
///
/// As text, keys are separated by periods, and indexes are in brackets. A key is written in
/// brackets and quotes if it is empty or contains white space, a control character or one of
/// `. [ ] " \`: `people[2]["first name"]`. The empty text is the path to the value itself.
public struct SPONPath: Hashable, Sendable {
  /// The steps, from the outermost to the innermost.
  public var steps: [SPONPath.Key]

  /// Creates a path from steps. Without steps, it is the path to the value itself.
  public init(_ steps: [SPONPath.Key] = []) { self.steps = steps }

  public var isEmpty: Bool { steps.isEmpty }
  public var count: Int { steps.count }

  /// Returns the path with an additional step.
  public func appending(_ step: SPONPath.Key) -> SPONPath { SPONPath(steps + [step]) }

  /// The path to the container; `nil` if there are no steps.
  public var parent: SPONPath? { steps.isEmpty ? nil : SPONPath(Array(steps.dropLast())) }

  /// Returns whether the path begins with all steps of another path.
  public func hasPrefix(_ other: SPONPath) -> Bool { steps.starts(with: other.steps) }
}

extension SPONPath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: SPONPath.Key...) { self.init(elements) }
}

extension SPONPath.Key: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates the key of an object.
  public init(stringLiteral value: String) { self = .key(value) }
  /// Creates the index of an array.
  public init(integerLiteral value: Int) { self = .index(value) }

  /// Keys are equal only if all their scalars are equal, as in a ``SPONObject``.
  public static func == (left: SPONPath.Key, right: SPONPath.Key) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): left.isSameUTF8(as: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): key.hashUTF8(into: &hasher)
    case .index(let index): hasher.combine(index)
    }
  }
}

extension SPONError {
  /// Creates an error at a path.
  init(_ code: Code, _ message: String, in path: some Sequence<SPONPath.Key>) {
    self.init(code, message, codingPath: Array(path))
  }
}

extension SPONPath: LosslessStringConvertible {
  /// The path as text: `people[2].name`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.isBare: text += text.isEmpty ? key : "." + key
      case .key(let key): text += "[\"" + key.quoted + "\"]"
      }
    }
    return text
  }

  /// Parses a path in the form of ``description``. Any key may be quoted.
  ///
  /// - Returns: `nil` if the text is not a valid path.
  public init?(_ description: String) {
    var reader = PathReader(Array(description.utf8))
    guard let steps = reader.steps() else { return nil }
    self.init(steps)
  }
}

extension String {
  /// Indicates whether a key is written in a path without quotes.
  fileprivate var isBare: Bool { !isEmpty && utf8.allSatisfy(\.isBareInPath) }

  /// The key with escapes, for use in quotes.
  fileprivate var quoted: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension UInt8 {
  fileprivate var isBareInPath: Bool {
    switch self {
    case 0...0x20, 0x7F, 0x2E, Byte.openBracket, Byte.closeBracket, 0x22, 0x5C: false
    default: true
    }
  }
}

/// Parses paths.
private struct PathReader {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  mutating func steps() -> [SPONPath.Key]? {
    var steps: [SPONPath.Key] = []
    while at < bytes.count {
      if take(Byte.openBracket) {
        guard let step = bracketed() else { return nil }
        steps.append(step)
      } else {
        guard steps.isEmpty || take(0x2E), let key = bareKey() else { return nil }
        steps.append(.key(key))
      }
    }
    return steps
  }

  private mutating func bareKey() -> String? {
    let start = at
    while let next, next.isBareInPath { at += 1 }
    return at > start ? String(decoding: bytes[start..<at], as: UTF8.self) : nil
  }

  private mutating func bracketed() -> SPONPath.Key? {
    if take(0x22) {
      guard let key = quotedKey(), take(Byte.closeBracket) else { return nil }
      return .key(key)
    }
    let start = at
    _ = take(Byte.hyphen)
    while let next, next.isDigit { at += 1 }
    guard let index = Int(String(decoding: bytes[start..<at], as: UTF8.self)),
      take(Byte.closeBracket)
    else { return nil }
    return .index(index)
  }

  private mutating func quotedKey() -> String? {
    var key: [UInt8] = []
    while let byte = next {
      at += 1
      switch byte {
      case 0x22: return String(decoding: key, as: UTF8.self)
      case 0x5C:
        guard let scalar = escaped() else { return nil }
        key.append(contentsOf: Array(String(scalar).utf8))
      default: key.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    at += 1
    switch byte {
    case 0x22, 0x5C: return Unicode.Scalar(byte)
    case 0x6E: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      guard take(0x7B) else { return nil }
      var value: UInt32 = 0
      let start = at
      while at < start + 6, let digit = next?.hexadecimalDigit {
        value = value << 4 | digit
        at += 1
      }
      guard at > start, take(0x7D) else { return nil }
      return Unicode.Scalar(value)
    default: return nil
    }
  }
}

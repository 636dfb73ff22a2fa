extension SPONPath {
  /// A selection of values in a document, by the steps that lead from the root to them.
  ///
  /// ```swift
  /// let rows: SPONPath.Pattern = ["tables", .elements, "rows", .elements]
  /// print(rows == SPONPath.Pattern("tables[*].rows[*]"))  // true
  /// ```
  ///
  /// Without steps, the pattern selects the document itself.
  public struct Pattern: Hashable, Sendable {
    /// A step of a pattern.
    public enum Step: Hashable, Sendable {
      /// The value of a key of an object: `name`.
      case key(String)
      /// An element of an array, from 0: `[2]`.
      case index(Int)
      /// All elements of an array: `[*]`.
      case elements
      /// The values of all keys of an object: `*`.
      case values

      /// Indicates whether the step is one in an object, rather than in an array.
      var isInObject: Bool {
        switch self {
        case .key, .values: true
        case .index, .elements: false
        }
      }
    }

    public var steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }

    /// The elements of an array that is the document's root.
    public static let elements: Pattern = [.elements]
  }
}

extension SPONPath.Pattern: ExpressibleByArrayLiteral {
  public init(arrayLiteral steps: Step...) { self.init(steps) }
}

extension SPONPath.Pattern.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral key: String) { self = .key(key) }
  public init(integerLiteral index: Int) { self = .index(index) }
}

extension SPONPath.Pattern: CustomStringConvertible {
  /// Parses a pattern such as `tables[*].rows[*]`: keys separated by `.`, indexes in brackets, and
  /// `*` for any key or index; `nil` if the text is not a pattern.
  ///
  /// An empty key, and keys with `.`, `*`, `[` or `]`, have no such form: create the pattern from
  /// its steps.
  public init?(_ text: String) {
    self.init([])
    var rest = Array(text.unicodeScalars)[...]
    while let next = rest.first {
      if next == "[" {
        guard let end = rest.firstIndex(of: "]") else { return nil }
        guard let step = Self.index(rest[rest.startIndex + 1..<end]) else { return nil }
        steps.append(step)
        rest = rest[(end + 1)...]
        continue
      }
      if !steps.isEmpty {
        guard next == "." else { return nil }
        rest.removeFirst()
      }
      let name = rest.prefix { $0 != "." && $0 != "[" }
      guard let step = Self.key(name) else { return nil }
      steps.append(step)
      rest = rest[name.endIndex...]
    }
  }

  private static func index(_ text: ArraySlice<Unicode.Scalar>) -> Step? {
    if text.elementsEqual(["*"]) { return .elements }
    guard text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return Int(Self.string(text)).map { .index($0) }
  }

  private static func key(_ text: ArraySlice<Unicode.Scalar>) -> Step? {
    if text.elementsEqual(["*"]) { return .values }
    guard !text.isEmpty, !text.contains("*"), !text.contains("]") else { return nil }
    return .key(string(text))
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// The pattern as text: `tables[*].rows[*]`.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .values: text += text.isEmpty ? "*" : ".*"
      case .index(let index): text += "[\(index)]"
      case .elements: text += "[*]"
      }
    }
    return text
  }
}

/// The keys and indexes that lead from a value to one within it.
///
/// ```swift
/// let path: SPONPath = ["people", 2, "name"]
/// print(path)                              // people[2].name
/// print(value[path]?.string ?? "nobody")
/// ```
///
/// As text, keys are separated by points and indexes stand in brackets. A key that is empty, or has
/// white space, a control character or one of `. [ ] " \`, stands in brackets and quotes:
/// `people[2]["first name"]`. The empty text is the path to the value itself.
public struct SPONPath: Hashable, Sendable {
  /// The steps from the outside to the inside.
  public var steps: [SPONPath.Key]

  /// The path of these steps; without any, the one to the value itself.
  public init(_ steps: [SPONPath.Key] = []) { self.steps = steps }

  public var isEmpty: Bool { steps.isEmpty }
  public var count: Int { steps.count }

  /// The path with one step more.
  public func appending(_ step: SPONPath.Key) -> SPONPath { SPONPath(steps + [step]) }

  /// The path to what holds the value that this one leads to; `nil` where there are no steps.
  public var parent: SPONPath? { steps.isEmpty ? nil : SPONPath(Array(steps.dropLast())) }

  /// Whether a path begins with all the steps of another one.
  public func hasPrefix(_ other: SPONPath) -> Bool { steps.starts(with: other.steps) }
}

extension SPONPath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: SPONPath.Key...) { self.init(elements) }
}

extension SPONPath.Key: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// The key of an object.
  public init(stringLiteral value: String) { self = .key(value) }
  /// The index of an array.
  public init(integerLiteral value: Int) { self = .index(value) }

  /// Keys that differ in any scalar are different, as they are in a ``SPONObject``.
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
  /// A failure at the end of a path.
  init(_ code: Code, _ message: String, in path: some Sequence<SPONPath.Key>) {
    self.init(code, message, codingPath: Array(path))
  }
}

internal import Primitives

/// Bytes of one element to a tree of values.
///
/// It makes what a tape is made into, without one: elements of a stream are many, and mostly small.
struct ElementTree {
  private let bytes: [UInt8]
  private let limits: SPONValue.Limits
  private var scanner: Scanner
  private var branches: [Branch] = []
  private var count = 0

  /// A container that is open, and what it holds.
  fileprivate struct Branch {
    var key: String?
    /// The name of the type of an object; `nil` for an array.
    var typeName: String?
    var keys: [String] = []
    var values: [SPONValue] = []
  }

  /// - Parameter level: The version of the document that the element is from; `nil` where it is the
  ///   whole document.
  init(_ bytes: [UInt8], level: UInt8?, rules: SPONValue.Rules, limits: SPONValue.Limits) {
    self.bytes = bytes
    self.limits = limits
    scanner =
      if let level { Scanner(rules: rules, limits: limits, level: level) } else {
        Scanner(rules: rules, limits: limits)
      }
  }

  /// The value.
  ///
  /// - Throws: ``SPONError``, of code ``SPONError/Code/tooMany`` where the element was scanned before.
  mutating func value() throws(SPONError) -> SPONValue {
    do throws(ScanFailure) {
      return try scan()
    } catch {
      throw SPONError(
        error.code, error.message, at: SPONError.Position(of: error.offset, in: bytes.elementSpan),
        codingPath: path)
    }
  }

  private mutating func scan() throws(ScanFailure) -> SPONValue {
    let bytes = bytes
    let text = bytes.elementSpan
    var root = SPONValue.null
    while true {
      let token = try scanner.next(in: text, isLast: true)
      switch token.kind {
      case .endOfDocument, .incomplete: return root
      case .end:
        guard let branch = branches.popLast() else { continue }
        put(branch.value, branch.key, &root)
      default:
        guard count < limits.count else {
          throw ScanFailure(
            .tooMany, "the value has more than \(limits.count) values", at: token.start)
        }
        count += 1
        let key = token.keyStart >= 0 ? token.keyText(in: bytes, level: scanner.level) : nil
        switch token.kind {
        case .object:
          let name = token.typeName(in: bytes, level: scanner.level)
          branches.append(Branch(key: key, typeName: name))
        case .array: branches.append(Branch(key: key))
        default: put(token.value(in: bytes, level: scanner.level), key, &root)
        }
      }
    }
  }

  private mutating func put(_ value: SPONValue, _ key: String?, _ root: inout SPONValue) {
    guard let last = branches.indices.last else {
      root = value
      return
    }
    if let key { branches[last].keys.append(key) }
    branches[last].values.append(value)
  }

  /// The keys and indexes that lead to the value that is read next.
  private var path: [SPONPath.Key] {
    var path: [SPONPath.Key] = []
    for (depth, branch) in branches.enumerated() where depth > 0 {
      path.append(branch.key.map { .key($0) } ?? .index(branches[depth - 1].values.count))
    }
    if let last = branches.last, last.typeName == nil { path.append(.index(last.values.count)) }
    return path
  }
}

extension ElementTree.Branch {
  fileprivate var value: SPONValue {
    guard let typeName else { return .array(values) }
    guard hasKeyTwice else {
      return .object(SPONObject(typeName: typeName, distinctKeys: keys, values: values))
    }
    // Of pairs with one key the last holds, at its place.
    var last = SPONObject()
    for (key, value) in zip(keys, values).reversed() where last.place(of: key) == nil {
      last[key] = value
    }
    return .object(
      SPONObject(
        typeName: typeName, distinctKeys: last.keys.reversed(), values: last.values.reversed()))
  }

  /// Whether a key is there twice, or keys are so many that it is better found by looking them up.
  private var hasKeyTwice: Bool {
    guard keys.count <= 16 else { return true }
    for later in keys.indices.dropFirst() {
      for earlier in 0..<later where keys[earlier].isSameUTF8(as: keys[later]) { return true }
    }
    return false
  }
}

internal import Primitives

/// Builds a tree of values from the bytes of one element.
///
/// The result is the same as from a tape, but no tape is created, since the elements of a stream
/// are many and mostly small.
struct ElementTree {
  private let bytes: [UInt8]
  private let limits: SPONValue.Limits
  private var scanner: Scanner
  private var branches: [Branch] = []
  private var count = 0

  /// An open container and its contents.
  fileprivate struct Branch {
    var key: String?
    /// The type name of an object; `nil` for an array.
    var typeName: String?
    var keys: [String] = []
    var values: [SPONValue] = []
  }

  /// - Parameter level: The version of the document that contains the element; `nil` if the element
  ///   is the whole document.
  init(_ bytes: [UInt8], level: UInt8?, rules: SPONValue.Rules, limits: SPONValue.Limits) {
    self.bytes = bytes
    self.limits = limits
    scanner =
      if let level { Scanner(rules: rules, limits: limits, level: level) } else {
        Scanner(rules: rules, limits: limits)
      }
  }

  /// Returns the value.
  ///
  /// - Throws: ``SPONError``; only with code ``SPONError/Code/tooMany`` if the element was already
  ///   scanned.
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
        insert(branch.value, branch.key, &root)
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
        default: insert(token.value(in: bytes, level: scanner.level), key, &root)
        }
      }
    }
  }

  private mutating func insert(_ value: SPONValue, _ key: String?, _ root: inout SPONValue) {
    guard let last = branches.indices.last else {
      root = value
      return
    }
    if let key { branches[last].keys.append(key) }
    branches[last].values.append(value)
  }

  /// The path to the next value.
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
    guard mayHaveDuplicateKeys else {
      return .object(SPONObject(typeName: typeName, distinctKeys: keys, values: values))
    }
    // Of several pairs with one key, the last one is kept, in its own position.
    var last = SPONObject()
    for (key, value) in zip(keys, values).reversed() where last.place(of: key) == nil {
      last[key] = value
    }
    return .object(
      SPONObject(
        typeName: typeName, distinctKeys: last.keys.reversed(), values: last.values.reversed()))
  }

  /// Indicates whether a key occurs twice, or there are too many keys to compare each pair of them.
  private var mayHaveDuplicateKeys: Bool {
    guard keys.count <= 16 else { return true }
    for later in keys.indices.dropFirst() {
      for earlier in 0..<later where keys[earlier].isSameUTF8(as: keys[later]) { return true }
    }
    return false
  }
}

/// A stretch of text that is written from its beginning to its end, with the containers that are open.
///
/// ``EncodedPiece`` holds one, in a class: each access is checked when the program runs. So what is written
/// for most values is one call of a method here, and what a type's own code may do comes between two.
struct EncodedText {
  var output: Output
  var slot: Slot
  /// Whether an object got a key twice.
  var hasDuplicateKeys = false
  var cache = KeyCache()
  /// The head of the object that was opened last, and whose it is.
  private var head: [UInt8] = []
  private var headType: ObjectIdentifier?
  /// The shape of the object that was opened last, and of which type its keys are.
  private var shape = -1
  private var shapeType: ObjectIdentifier?
  /// The innermost container.
  var top = Frame(isObject: false, serial: 0, shape: -1, convertsKeys: false)
  /// The containers around it, the outermost first; first of all one that is none.
  var around: [Frame] = []
  private var lastSerial = 0
  /// How many slots were left to who writes elsewhere.
  var innerCount = 0
  /// The keys and indexes around this stretch.
  private let outerPath: [SPONPath.Key]

  /// What the next value is: there must be one before it is written.
  enum Slot {
    case none
    case root
    /// Behind its key.
    case pair
    case element
  }

  /// A container that is being written.
  struct Frame {
    let isObject: Bool
    /// Tells containers apart; 0 for none.
    let serial: Int
    /// The number of its keys' shape; -1 where keys are not kept from one object to the next.
    let shape: Int
    /// Whether a key that is written depends on where it stands.
    let convertsKeys: Bool
    var count = 0
    /// The key of the value that is being written.
    var key = ""
    /// The bits of the keys that the object has.
    var used: UInt64 = 0
    /// The entry of the key before, and of the one that is expected.
    var before = -1
    var expected = -1
    /// The keys that the object has, and the cache has not.
    var others: Set<String>?

    /// What stands before the next key.
    @inline(__always)
    var separator: UInt8? { count > 0 ? Byte.space : nil }
  }

  init(slot: Slot, version: SPONValue.Version, outerPath: [SPONPath.Key]) {
    output = Output(version: version)
    self.outerPath = outerPath
    self.slot = slot
  }

  /// How many containers are open.
  var depth: Int { around.count }

  /// How many values a container has.
  func count(of serial: Int) -> Int { top.serial == serial ? top.count : 0 }

  /// The containers that are open, the outermost first.
  private var frames: [Frame] { around.dropFirst() + (around.isEmpty ? [] : [top]) }

  /// The keys and indexes that lead to the value around which so many containers are open.
  func path(to depth: Int) -> [SPONPath.Key] {
    outerPath
      + frames.prefix(depth).filter { $0.count > 0 }
      .map { $0.isObject ? .key($0.key) : .index($0.count - 1) }
  }

  /// How many containers are around one; all that are open, where it is not.
  func depth(of serial: Int) -> Int { frames.firstIndex { $0.serial == serial } ?? depth }
}

// MARK: Containers

extension EncodedText {
  /// A value asked for a second container of another kind, or after it was written.
  static let isTaken = -1
  /// It would be nested too deep.
  static let isTooDeep = -2
  /// The head or the shape that the object needs are not those of the last one.
  static let isUnprepared = -3

  private static let arrayHead: [UInt8] = [
    Byte.at, 0x61, 0x72, 0x72, 0x61, 0x79, Byte.openBracket,
  ]

  /// Opens the array that a value asks for, or gives it again where the value has asked before.
  ///
  /// - Returns: Its serial number, or why there is none.
  mutating func array(at depth: Int, mostDepth: Int) -> Int {
    guard let refusal = refusal(at: depth, mostDepth: mostDepth) else {
      if slot == .pair { output.append(Byte.equals) }
      output.append(Self.arrayHead)
      return push(isObject: false, shape: -1, convertsKeys: false)
    }
    return isReopened(at: depth, isObject: false) ? top.serial : refusal
  }

  /// Opens the object that a value asks for, or gives it again where the value has asked before.
  ///
  /// - Parameters:
  ///   - type: The type whose name it carries.
  ///   - keys: The type of its keys, where they are to be kept for the next object.
  ///   - convertsKeys: Whether a key that is written depends on where it stands.
  /// - Returns: Its serial number, or why there is none.
  mutating func object(
    at depth: Int, mostDepth: Int, of type: ObjectIdentifier?, keys: ObjectIdentifier?,
    convertsKeys: Bool
  ) -> Int {
    guard let refusal = refusal(at: depth, mostDepth: mostDepth) else {
      guard !head.isEmpty, headType == type, keys == nil || keys == shapeType else {
        return Self.isUnprepared
      }
      if slot == .pair { output.append(Byte.equals) }
      output.append(head)
      return push(isObject: true, shape: keys == nil ? -1 : shape, convertsKeys: convertsKeys)
    }
    return isReopened(at: depth, isObject: true) ? top.serial : refusal
  }

  /// Takes the head, `@obj:Name<`, that the next object needs.
  mutating func prepare(head: [UInt8], of type: ObjectIdentifier?) {
    self.head = head
    headType = type
  }

  /// Takes the number of the shape that the next object needs.
  mutating func prepare(shape: Int, of keys: ObjectIdentifier) {
    self.shape = shape
    shapeType = keys
  }

  @inline(__always)
  private func refusal(at depth: Int, mostDepth: Int) -> Int? {
    guard slot != .none, around.count == depth else { return Self.isTaken }
    return depth < mostDepth ? nil : Self.isTooDeep
  }

  /// The container that was opened at a depth, where it may be written to now.
  func reopened(at depth: Int, isObject: Bool) -> Int? {
    isReopened(at: depth, isObject: isObject) ? top.serial : nil
  }

  /// Whether the container that was opened at a depth is the innermost one, and nothing is expected.
  private func isReopened(at depth: Int, isObject: Bool) -> Bool {
    slot == .none && around.count == depth + 1 && top.isObject == isObject
  }

  private mutating func push(isObject: Bool, shape: Int, convertsKeys: Bool) -> Int {
    slot = .none
    lastSerial &+= 1
    around.append(top)
    top = Frame(isObject: isObject, serial: lastSerial, shape: shape, convertsKeys: convertsKeys)
    if shape >= 0 { top.expected = cache.first(of: shape) }
    return lastSerial
  }

  /// Ends what was opened at a depth and beyond.
  ///
  /// - Returns: Whether something was opened or written there.
  mutating func end(at depth: Int) -> Bool {
    guard slot == .none || around.count != depth else { return false }
    while around.count > depth, let outer = around.popLast() {
      output.append(top.isObject ? Byte.greater : Byte.closeBracket)
      top = outer
    }
    return true
  }
}

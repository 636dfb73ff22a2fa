/// Text that is written sequentially, and the containers that are open in it.
///
/// An ``EncodingNode``, which is a class, stores the buffer, so each access to it is checked for
/// exclusivity at run time. Most values are therefore written by one call of a method here, and the
/// types' own code runs only between two calls.
struct EncodingBuffer {
  var output: Output
  var slot: Slot
  /// Indicates whether an object contains a key twice.
  var hasDuplicateKeys = false
  var cache = KeyCache()
  /// The head of the last object, and the type that it belongs to.
  private var head: [UInt8] = []
  private var headType: ObjectIdentifier?
  /// The shape of the last object, and the type of its keys.
  private var shape = -1
  private var shapeType: ObjectIdentifier?
  /// The innermost open container.
  var top = Frame(isObject: false, serial: 0, shape: -1, convertsKeys: false)
  /// The enclosing containers, outermost first. The first frame is not a container.
  var enclosingFrames: [Frame] = []
  private var lastSerial = 0
  /// The number of values that are written to other nodes.
  var childCount = 0
  /// The path to the root of this text.
  private let outerPath: [SPONPath.Key]

  /// The position of the next value. A value can be written only if there is one.
  enum Slot {
    case none
    case root
    /// After a key.
    case pair
    case element
  }

  /// A container that is being written.
  struct Frame {
    let isObject: Bool
    /// The container's identifier; 0 for the outermost frame, which is not a container.
    let serial: Int
    /// The number of the keys' shape; -1 if keys are not cached for the next object.
    let shape: Int
    /// Indicates whether a written key depends on its path.
    let convertsKeys: Bool
    var count = 0
    /// The key of the value that is being written.
    var key = ""
    /// The bits of the cached keys that the object contains.
    var used: UInt64 = 0
    /// The entries of the previous and of the expected key.
    var before = -1
    var expected = -1
    /// The object's keys that are not cached.
    var uncachedKeys: Set<String>?

    /// The separator before the next key.
    @inline(__always)
    var separator: UInt8? { count > 0 ? Byte.space : nil }
  }

  init(slot: Slot, version: SPONValue.Version, outerPath: [SPONPath.Key]) {
    output = Output(version: version)
    self.outerPath = outerPath
    self.slot = slot
  }

  /// The number of open containers.
  var depth: Int { enclosingFrames.count }

  /// Returns the number of values in a container.
  func count(of serial: Int) -> Int { top.serial == serial ? top.count : 0 }

  /// The open containers, outermost first.
  private var frames: [Frame] {
    enclosingFrames.dropFirst() + (enclosingFrames.isEmpty ? [] : [top])
  }

  /// Returns the path to the value at a depth.
  func path(to depth: Int) -> [SPONPath.Key] {
    outerPath
      + frames.prefix(depth).filter { $0.count > 0 }
      .map { $0.isObject ? .key($0.key) : .index($0.count - 1) }
  }

  /// Returns the depth of a container, or the number of open containers if it is not open.
  func depth(of serial: Int) -> Int { frames.firstIndex { $0.serial == serial } ?? depth }
}

// MARK: Containers

extension EncodingBuffer {
  /// The value requested a second container of another kind, or after it was written.
  static let isAlreadyWritten = -1
  /// The container would be nested too deeply.
  static let isTooDeep = -2
  /// The head or the shape of the object differs from the last one and must be prepared.
  static let isUnprepared = -3

  private static let arrayHead: [UInt8] = [
    Byte.at, 0x61, 0x72, 0x72, 0x61, 0x79, Byte.openBracket,
  ]

  /// Opens an array for a value, or returns it if the value has already requested it.
  ///
  /// - Returns: The array's serial number, or a negative code if there is none.
  mutating func array(at depth: Int, maxDepth: Int) -> Int {
    guard let refusal = refusal(at: depth, maxDepth: maxDepth) else {
      if slot == .pair { output.append(Byte.equals) }
      output.append(Self.arrayHead)
      return push(isObject: false, shape: -1, convertsKeys: false)
    }
    return isReopened(at: depth, isObject: false) ? top.serial : refusal
  }

  /// Opens an object for a value, or returns it if the value has already requested it.
  ///
  /// - Parameters:
  ///   - type: The type whose name the object has.
  ///   - keys: The type of the object's keys, if they are cached for the next object.
  ///   - convertsKeys: Whether a written key depends on its path.
  /// - Returns: The object's serial number, or a negative code if there is none.
  mutating func object(
    at depth: Int, maxDepth: Int, of type: ObjectIdentifier?, keys: ObjectIdentifier?,
    convertsKeys: Bool
  ) -> Int {
    guard let refusal = refusal(at: depth, maxDepth: maxDepth) else {
      guard !head.isEmpty, headType == type, keys == nil || keys == shapeType else {
        return Self.isUnprepared
      }
      if slot == .pair { output.append(Byte.equals) }
      output.append(head)
      return push(isObject: true, shape: keys == nil ? -1 : shape, convertsKeys: convertsKeys)
    }
    return isReopened(at: depth, isObject: true) ? top.serial : refusal
  }

  /// Sets the head, `@obj:Name<`, for the next object.
  mutating func prepare(head: [UInt8], of type: ObjectIdentifier?) {
    self.head = head
    headType = type
  }

  /// Sets the number of the shape for the next object.
  mutating func prepare(shape: Int, of keys: ObjectIdentifier) {
    self.shape = shape
    shapeType = keys
  }

  @inline(__always)
  private func refusal(at depth: Int, maxDepth: Int) -> Int? {
    guard slot != .none, enclosingFrames.count == depth else { return Self.isAlreadyWritten }
    return depth < maxDepth ? nil : Self.isTooDeep
  }

  /// Returns the container that was opened at a depth, if it may be written to now.
  func reopened(at depth: Int, isObject: Bool) -> Int? {
    isReopened(at: depth, isObject: isObject) ? top.serial : nil
  }

  /// Returns whether the container opened at a depth is the innermost one, and no value is pending.
  private func isReopened(at depth: Int, isObject: Bool) -> Bool {
    slot == .none && enclosingFrames.count == depth + 1 && top.isObject == isObject
  }

  private mutating func push(isObject: Bool, shape: Int, convertsKeys: Bool) -> Int {
    slot = .none
    lastSerial &+= 1
    enclosingFrames.append(top)
    top = Frame(isObject: isObject, serial: lastSerial, shape: shape, convertsKeys: convertsKeys)
    if shape >= 0 { top.expected = cache.first(of: shape) }
    return lastSerial
  }

  /// Closes the containers that were opened at a depth and below.
  ///
  /// - Returns: Whether a value or container was written at this depth.
  mutating func end(at depth: Int) -> Bool {
    guard slot == .none || enclosingFrames.count != depth else { return false }
    while enclosingFrames.count > depth, let outer = enclosingFrames.popLast() {
      output.append(top.isObject ? Byte.greater : Byte.closeBracket)
      top = outer
    }
    return true
  }
}

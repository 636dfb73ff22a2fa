/// A stretch of text that is written from its beginning to its end, with the containers that are open.
struct EncodedText {
  private(set) var output: Output
  private(set) var slot: Slot
  /// Whether an object got a key twice.
  private(set) var hasDuplicateKeys = false
  private var cache = KeyCache()
  /// The head of the object that was opened last, and whose it is.
  private var head: [UInt8] = []
  private var headType: ObjectIdentifier?
  /// The innermost container.
  private var top = Frame(isObject: false, serial: 0, shape: -1, convertsKeys: false)
  /// The containers around it, the outermost first; first of all one that is none.
  private var around: [Frame] = []
  private var lastSerial = 0
  /// How many slots were left to who writes elsewhere.
  private var innerCount = 0
  /// The keys and indexes around this stretch.
  private let outerPath: [SPONKey]

  /// What the next value is: there must be one before it is written.
  enum Slot {
    case none
    case root
    /// Behind its key.
    case pair
    case element
  }

  /// A container that is being written.
  private struct Frame {
    let isObject: Bool
    /// Tells containers apart; 0 for none.
    let serial: Int
    /// The number of its keys' shape; -1 where keys are not kept from one object to the next.
    let shape: Int
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
  }

  init(slot: Slot, version: SPONVersion, outerPath: [SPONKey]) {
    output = Output(version: version)
    self.outerPath = outerPath
    self.slot = slot
  }

  /// How many containers are open.
  var depth: Int { around.count }

  /// How many values a container has.
  func count(of serial: Int) -> Int { top.serial == serial ? top.count : 0 }

  // MARK: Containers

  /// Opens the array that a value asks for, or gives it again where the value has asked before.
  ///
  /// - Returns: Its serial number, or why there is none.
  mutating func array(at depth: Int, mostDepth: Int) -> Int {
    guard let refusal = refusal(at: depth, mostDepth: mostDepth) else {
      if slot == .pair { output.append(Byte.equals) }
      output.append("@array[")
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
    at depth: Int, mostDepth: Int, of type: Any.Type?, keys: ObjectIdentifier?, convertsKeys: Bool,
    _ session: EncodingSession
  ) -> Int {
    guard let refusal = refusal(at: depth, mostDepth: mostDepth) else {
      if slot == .pair { output.append(Byte.equals) }
      appendHead(of: type, session)
      let shape = keys.map { cache.shape(of: $0) } ?? -1
      return push(isObject: true, shape: shape, convertsKeys: convertsKeys)
    }
    return isReopened(at: depth, isObject: true) ? top.serial : refusal
  }

  /// `@obj:Name<`.
  @inline(__always)
  private mutating func appendHead(of type: Any.Type?, _ session: EncodingSession) {
    let id = type.map { ObjectIdentifier($0) }
    if head.isEmpty || headType != id {
      head = session.head(of: type)
      headType = id
    }
    output.append(head)
  }

  /// A value asked for a second container of another kind, or after it was written.
  static let isTaken = -1
  /// It would be nested too deep.
  static let isTooDeep = -2

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

  // MARK: Slots

  /// Writes what stands before a value of an object: a space and the key.
  ///
  /// - Returns: What was before; `nil` where the container is not the one that may be written to now.
  mutating func key(_ name: String, in serial: Int, _ session: EncodingSession) -> Savepoint? {
    guard top.serial == serial, slot == .none else { return nil }
    let before = savepoint
    write(name, .null, session)
    top.key = name
    slot = .pair
    return before
  }

  /// Writes a key and its scalar.
  ///
  /// - Parameters:
  ///   - mark: The scalar's designator.
  ///   - content: Writes its content, and the backtick behind it.
  /// - Returns: Whether the container is the one that may be written to now.
  @inline(__always)
  mutating func pair(
    _ name: String, in serial: Int, _ session: EncodingSession, _ mark: Mark,
    _ content: (inout Output) -> Void
  ) -> Bool {
    guard top.serial == serial, slot == .none else { return false }
    let expected = top.expected
    if cache.isEntry(expected, of: name),
      cache.append(expected, mark, isFirst: top.count == 0, to: &output)
    {
      note(expected)
    } else {
      write(name, mark, session)
      output.begin(mark, isPair: true)
    }
    content(&output)
    return true
  }

  private mutating func write(_ name: String, _ mark: Mark, _ session: EncodingSession) {
    if cache.isEntry(top.expected, of: name) {
      cache.append(top.expected, isFirst: top.count == 0, to: &output)
      note(top.expected)
    } else {
      unexpectedKey(name, mark, session)
    }
  }

  /// Notes that a known key was written.
  @inline(__always)
  private mutating func note(_ number: Int) {
    let (bit, next) = cache.bitAndNext(number)
    if top.used & bit != 0 { hasDuplicateKeys = true }
    top.used |= bit
    top.before = number
    top.expected = next
    top.count &+= 1
  }

  private mutating func unexpectedKey(_ name: String, _ mark: Mark, _ session: EncodingSession) {
    if top.shape >= 0, let entry = entry(of: name) ?? newEntry(name, mark, session) {
      cache.append(entry, isFirst: top.count == 0, to: &output)
      return note(entry)
    }
    let isNew = top.others?.insert(name).inserted
    if isNew == nil { top.others = [name] }
    if isNew == false { hasDuplicateKeys = true }
    if top.count > 0 { output.append(Byte.space) }
    top.count &+= 1
    top.key = name
    if top.shape >= 0 {
      output.key(session.options.keyEncodingStrategy.key(for: name))
    } else {
      output.key(top.convertsKeys ? session.options.convertedKey(path(to: .max)) : name)
    }
  }

  /// A known key that is not the expected one.
  private mutating func entry(of name: String) -> Int? {
    // Often some optional values in between are not there.
    var next = top.expected
    for _ in 0..<4 where next >= 0 {
      next = cache.bitAndNext(next).next
      if cache.isEntry(next, of: name) { return next }
    }
    guard let entry = cache.search(name, in: top.shape, after: top.before) else { return nil }
    if top.before >= 0 { cache.follow(top.before, by: entry) }
    return entry
  }

  /// Whether an object that may be written to now has a key.
  func hasKey(_ name: String, in serial: Int) -> Bool {
    guard top.serial == serial else { return false }
    guard top.shape >= 0,
      let entry = cache.isEntry(top.expected, of: name)
        ? top.expected : cache.search(name, in: top.shape, after: top.before)
    else { return top.others?.contains(name) ?? false }
    return cache.bitAndNext(entry).bit & top.used != 0
  }

  private mutating func newEntry(
    _ name: String, _ mark: Mark, _ session: EncodingSession
  ) -> Int? {
    var text = Output(version: session.options.version)
    text.key(session.options.keyEncodingStrategy.key(for: name))
    output.join(text)
    guard let entry = cache.add(name, text.bytes, mark, to: top.shape) else { return nil }
    if top.before >= 0 { cache.follow(top.before, by: entry) }
    return entry
  }

  /// Writes what stands before an element of an array.
  ///
  /// - Returns: What was before; `nil` where the container is not the one that may be written to now.
  mutating func element(in serial: Int) -> Savepoint? {
    guard top.serial == serial, slot == .none else { return nil }
    let before = savepoint
    if top.count > 0 {
      output.append(Byte.comma)
      output.append(Byte.space)
    }
    top.count &+= 1
    slot = .element
    return before
  }

  /// Gives the slot up.
  mutating func takeSlot() { slot = .none }

  /// Leaves the slot to who writes elsewhere.
  mutating func leaveSlot() {
    slot = .none
    innerCount += 1
  }

  /// Writes a scalar into the slot.
  ///
  /// - Returns: Whether there was one.
  @inline(__always)
  mutating func scalar(_ write: (inout Output, _ isPair: Bool) -> Void) -> Bool {
    switch slot {
    case .pair: write(&output, true)
    case .element: write(&output, false)
    case .root:
      output.require2("a document that is a single value")
      write(&output, false)
    case .none: return false
    }
    slot = .none
    return true
  }

  /// Writes an object or an array into the slot, where `=` is a part of it.
  ///
  /// - Returns: Whether there was a slot.
  mutating func container(_ write: (inout Output, _ isPair: Bool) -> Void) -> Bool {
    guard slot != .none else { return false }
    write(&output, slot == .pair)
    slot = .none
    return true
  }

  /// The containers that are open, the outermost first.
  private var frames: [Frame] { around.dropFirst() + (around.isEmpty ? [] : [top]) }

  /// The keys and indexes that lead to the value around which so many containers are open.
  func path(to depth: Int) -> [SPONKey] {
    outerPath
      + frames.prefix(depth).filter { $0.count > 0 }
      .map { $0.isObject ? .key($0.key) : .index($0.count - 1) }
  }

  /// How many containers are around one; all that are open, where it is not.
  func depth(of serial: Int) -> Int { frames.firstIndex { $0.serial == serial } ?? depth }
}

extension EncodedText {
  /// How much was written, and what was open.
  struct Savepoint {
    fileprivate let output: Output.Savepoint
    fileprivate let slot: Slot
    /// How many containers were open.
    let depth: Int
    fileprivate let count: Int
    fileprivate let used: UInt64
    /// How many stretches were written elsewhere.
    let innerCount: Int
  }

  var savepoint: Savepoint {
    Savepoint(
      output: output.savepoint, slot: slot, depth: depth, count: top.count, used: top.used,
      innerCount: innerCount)
  }

  /// Takes back what was written since, which is not behind the end of a container that was open.
  mutating func undo(to savepoint: Savepoint) {
    guard depth >= savepoint.depth else { return }
    while depth > savepoint.depth, let outer = around.popLast() { top = outer }
    output.undo(to: savepoint.output)
    slot = savepoint.slot
    top.count = savepoint.count
    top.used = savepoint.used
    innerCount = savepoint.innerCount
  }
}

// Text before values, and scalars.
extension EncodingBuffer {
  /// Returns whether a container may be written to now.
  @inline(__always)
  func isOpen(_ serial: Int) -> Bool { top.serial == serial && slot == .none }

  // MARK: Keys

  /// Returns the entry of a key, if it is one of those expected next. `-1` if it is not, or if the
  /// object may not be written to now. `length` is the key's length in UTF-8.
  @inline(__always)
  func expected(_ name: String, _ length: Int, in serial: Int) -> Int {
    guard isOpen(serial) else { return -1 }
    var entry = top.expected
    if cache.isEntry(entry, of: name, length) { return entry }
    // Often a few optional values in between are missing.
    for _ in 0..<4 where entry >= 0 {
      entry = cache.bitAndNext(entry).next
      if cache.isEntry(entry, of: name, length) { return entry }
    }
    return -1
  }

  /// Writes a cached key, so that its value can be written next.
  mutating func key(_ name: String, _ entry: Int) {
    output.buffer.append(
      cache.head(entry), of: cache.bytes, dropLast: 3, behind: top.separator)
    recordKey(entry)
    expectValue(name)
  }

  /// Records that a key was written, so that its value can be written next.
  mutating func expectValue(_ name: String) {
    top.key = name
    slot = .pair
  }

  /// Records that a cached key was written.
  @inline(__always)
  private mutating func recordKey(_ entry: Int) {
    let (bit, next) = cache.bitAndNext(entry)
    if top.used & bit != 0 { hasDuplicateKeys = true }
    top.used |= bit
    top.before = entry
    top.expected = next
    top.count &+= 1
  }

  /// Returns whether an object that may be written to now contains a key.
  func hasKey(_ name: String, in serial: Int) -> Bool {
    guard top.serial == serial else { return false }
    guard top.shape >= 0, let entry = cache.search(name, in: top.shape, after: top.before) else {
      return top.uncachedKeys?.contains(name) ?? false
    }
    return cache.bitAndNext(entry).bit & top.used != 0
  }

  /// Caches a key of the object's type.
  mutating func add(
    _ name: String, _ text: [UInt8], length: Int, isASCII: Bool, _ mark: TypeDesignator
  ) -> Int {
    let entry = cache.add(name, text, length: length, isASCII: isASCII, mark, to: top.shape)
    follow(by: entry)
    return entry
  }

  /// Records that a key followed the previous one.
  mutating func follow(by entry: Int) {
    if top.before >= 0 { cache.follow(top.before, by: entry) }
  }

  /// Writes the separator before a key that is not cached, and counts the pair.
  mutating func beginUncachedKey(_ name: String) {
    if top.count > 0 { output.append(Byte.space) }
    top.count &+= 1
    top.key = name
  }

  // MARK: Pairs

  /// Writes a cached key and an integer.
  ///
  /// - Returns: Whether the key also had an integer when it was cached; otherwise no text is
  ///   written.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: Int64) -> Bool {
    guard let head = cache.head(entry, for: .integer) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    recordKey(entry)
    return true
  }

  /// Writes a cached key and a number with a fraction.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: DecimalDigits) -> Bool {
    guard let head = cache.head(entry, for: .double) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    recordKey(entry)
    return true
  }

  /// Writes a cached key and a Bool.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: Bool) -> Bool {
    guard let head = cache.head(entry, for: .bool) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    recordKey(entry)
    return true
  }

  /// Writes a cached key and a text, if the text needs no escapes.
  @inline(__always)
  mutating func pair(_ entry: Int, _ text: Span<UInt8>) -> Bool {
    guard let head = cache.head(entry, for: .string),
      output.buffer.append(
        head, of: cache.bytes, behind: top.separator, unescaped: text)
    else { return false }
    recordKey(entry)
    return true
  }

  // MARK: Elements

  /// Writes the separator before an element of an array.
  ///
  /// - Returns: The state before the element; `nil` if the array may not be written to now.
  mutating func element(in serial: Int) -> Savepoint? {
    guard isOpen(serial) else { return nil }
    let before = savepoint
    if top.count > 0 { output.append(Byte.comma, Byte.space) }
    top.count &+= 1
    slot = .element
    return before
  }

  /// Clears the slot.
  mutating func clearSlot() { slot = .none }

  /// Clears the slot, whose value is written to another node.
  mutating func deferSlot() {
    slot = .none
    childCount += 1
  }

  /// Moves the output out of the buffer for writing the value; `restoreOutput(_:)` moves it back.
  mutating func takeOutput() -> Output {
    var result = Output(version: output.version)
    swap(&result, &output)
    return result
  }

  mutating func restoreOutput(_ output: Output) { self.output = output }
}

extension EncodingBuffer {
  /// The state of the output and of the open containers.
  struct Savepoint {
    fileprivate let output: Output.Savepoint
    fileprivate let slot: Slot
    /// The number of open containers.
    let depth: Int
    fileprivate let count: Int
    fileprivate let used: UInt64
    /// The number of nested nodes.
    let childCount: Int
  }

  var savepoint: Savepoint {
    Savepoint(
      output: output.savepoint, slot: slot, depth: depth, count: top.count, used: top.used,
      childCount: childCount)
  }

  /// Removes the text written since a savepoint, unless a container that was open has been closed.
  mutating func undo(to savepoint: Savepoint) {
    guard depth >= savepoint.depth else { return }
    while depth > savepoint.depth, let outer = enclosingFrames.popLast() { top = outer }
    output.undo(to: savepoint.output)
    slot = savepoint.slot
    top.count = savepoint.count
    top.used = savepoint.used
    childCount = savepoint.childCount
  }
}

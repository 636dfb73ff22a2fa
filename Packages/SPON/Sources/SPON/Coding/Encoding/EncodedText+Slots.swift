// What stands before a value, and scalars.
extension EncodedText {
  /// Whether a container is the one that may be written to now.
  @inline(__always)
  func isOpen(_ serial: Int) -> Bool { top.serial == serial && slot == .none }

  // MARK: Keys

  /// The entry of a key whose length in UTF-8 is given, where it is one of those that are expected next; -1
  /// where it is not, or where the object may not be written to now.
  @inline(__always)
  func expected(_ name: String, _ length: Int, in serial: Int) -> Int {
    guard isOpen(serial) else { return -1 }
    var entry = top.expected
    if cache.isEntry(entry, of: name, length) { return entry }
    // Often some optional values in between are not there.
    for _ in 0..<4 where entry >= 0 {
      entry = cache.bitAndNext(entry).next
      if cache.isEntry(entry, of: name, length) { return entry }
    }
    return -1
  }

  /// Makes the slot for a value whose key is known.
  mutating func key(_ name: String, _ entry: Int) {
    output.buffer.append(
      cache.head(entry), of: cache.bytes, dropLast: 3, behind: top.separator)
    note(entry)
    expectValue(name)
  }

  /// Makes the slot for a value whose key was just written.
  mutating func expectValue(_ name: String) {
    top.key = name
    slot = .pair
  }

  /// Notes that a known key was written.
  @inline(__always)
  private mutating func note(_ entry: Int) {
    let (bit, next) = cache.bitAndNext(entry)
    if top.used & bit != 0 { hasDuplicateKeys = true }
    top.used |= bit
    top.before = entry
    top.expected = next
    top.count &+= 1
  }

  /// Whether an object that may be written to now has a key.
  func hasKey(_ name: String, in serial: Int) -> Bool {
    guard top.serial == serial else { return false }
    guard top.shape >= 0, let entry = cache.search(name, in: top.shape, after: top.before) else {
      return top.others?.contains(name) ?? false
    }
    return cache.bitAndNext(entry).bit & top.used != 0
  }

  /// Adds a key to those of the object's type.
  mutating func add(
    _ name: String, _ text: [UInt8], length: Int, isASCII: Bool, _ mark: Mark
  ) -> Int {
    let entry = cache.add(name, text, length: length, isASCII: isASCII, mark, to: top.shape)
    follow(by: entry)
    return entry
  }

  /// Notes that a key came behind the one before.
  mutating func follow(by entry: Int) {
    if top.before >= 0 { cache.follow(top.before, by: entry) }
  }

  /// Writes what stands before a key that is not kept, and counts it.
  mutating func beginOther(_ name: String) {
    if top.count > 0 { output.append(Byte.space) }
    top.count &+= 1
    top.key = name
  }

  // MARK: Pairs

  /// Writes a known key and an integer.
  ///
  /// - Returns: Whether the key had an integer before too; else nothing is written.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: Int64) -> Bool {
    guard let head = cache.head(entry, for: .integer) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    note(entry)
    return true
  }

  /// Writes a known key and a number with a fraction.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: DecimalDigits) -> Bool {
    guard let head = cache.head(entry, for: .double) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    note(entry)
    return true
  }

  /// Writes a known key and a Bool.
  @inline(__always)
  mutating func pair(_ entry: Int, _ value: Bool) -> Bool {
    guard let head = cache.head(entry, for: .bool) else { return false }
    output.buffer.append(
      head, of: cache.bytes, behind: top.separator, value, then: Byte.backtick)
    note(entry)
    return true
  }

  /// Writes a known key and a text, where nothing in it is to be escaped.
  @inline(__always)
  mutating func pair(_ entry: Int, _ text: Span<UInt8>) -> Bool {
    guard let head = cache.head(entry, for: .string),
      output.buffer.append(
        head, of: cache.bytes, behind: top.separator, unescaped: text)
    else { return false }
    note(entry)
    return true
  }

  // MARK: Elements

  /// Writes what stands before an element of an array.
  ///
  /// - Returns: What was before; `nil` where the container is not the one that may be written to now.
  mutating func element(in serial: Int) -> Savepoint? {
    guard isOpen(serial) else { return nil }
    let before = savepoint
    if top.count > 0 { output.append(Byte.comma, Byte.space) }
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

  /// Gives the text to who writes what stands in the slot, and puts it back.
  mutating func takeOutput() -> Output {
    var taken = Output(version: output.version)
    swap(&taken, &output)
    return taken
  }

  mutating func put(_ output: Output) { self.output = output }
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

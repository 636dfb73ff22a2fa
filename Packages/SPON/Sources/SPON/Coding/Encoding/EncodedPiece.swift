/// A stretch of text that is written from its beginning to its end: the document, or what a container
/// holds that may be written while its neighbours are.
///
/// A value that is encoded is written behind the one before it. A nested container or the encoder of a
/// superclass gets a piece of its own, since Swift lets them be used at any time; the pieces are joined
/// when all is written.
final class EncodedPiece {
  let session: EncodingSession
  /// The keys and indexes around this piece.
  private let outerPath: [SPONKey]
  /// How many containers are around this piece.
  private let outerDepth: Int
  private var output: Output
  private var open: [Frame] = []
  /// What the next value is: there must be one before it is written.
  private var slot: Slot
  private var serial = 0
  private var inner: [(place: Int, piece: EncodedPiece)] = []

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
    /// Tells containers apart that stand at the same depth, one after the other.
    let serial: Int
    var count = 0
    /// The key of the value that is being written.
    var key = ""
    /// The keys of such objects; `nil` where keys are not kept from one to the next.
    let shape: KeyShape?
    let convertsKeys: Bool
    /// The places in `shape` of the keys that the object has.
    var used: UInt64 = 0
    var nextPlace = 0
    /// The keys that the object has and `shape` has not.
    var others: Set<String>?
  }

  /// A container as those who write to it name it.
  struct Container {
    let depth: Int
    let serial: Int
  }

  init(_ session: EncodingSession, slot: Slot, outerPath: [SPONKey] = [], outerDepth: Int = 0) {
    self.session = session
    self.slot = slot
    self.outerPath = outerPath
    self.outerDepth = outerDepth
    output = Output(version: session.options.version)
  }

  /// How many containers are open: the depth at which the next value stands.
  var depth: Int { open.count }

  // MARK: Containers

  /// Opens the container that a value asks for, or gives it again where it has asked before.
  ///
  /// - Parameters:
  ///   - type: The type whose name an object carries.
  ///   - keys: The type of an object's keys.
  func container(
    at depth: Int, isObject: Bool, type: Any.Type?, keys: (any CodingKey.Type)? = nil
  ) -> Container {
    if open.count > depth, open[depth].isObject == isObject, isSlotTaken {
      return Container(depth: depth, serial: open[depth].serial)
    }
    guard !isSlotTaken, open.count == depth else {
      fail("a value asked for a second container of another kind, or after it was written")
      return Container(depth: -1, serial: -1)
    }
    guard outerDepth + depth < session.options.limits.depth else {
      session.fail(
        SPONError(
          .tooDeep, "containers are nested more than \(session.options.limits.depth) deep",
          codingPath: path))
      return Container(depth: -1, serial: -1)
    }
    if case .pair = slot { output.append(Byte.equals) }
    slot = .none
    if !isObject {
      output.append("@array[")
    } else if let type {
      session.head(of: type, &output)
    } else {
      output.append("@obj<")
    }
    serial += 1
    let isMap = type is any StringKeyed.Type
    let convertsKeys = !isMap && session.options.keyEncodingStrategy.needsPath
    open.append(
      Frame(
        isObject: isObject, serial: serial,
        shape: isMap || convertsKeys ? nil : keys.map { session.shape(of: $0) },
        convertsKeys: convertsKeys))
    return Container(depth: depth, serial: serial)
  }

  private var isSlotTaken: Bool {
    if case .none = slot { true } else { false }
  }

  /// How many values a container has.
  func count(of container: Container) -> Int {
    isCurrent(container) ? open[container.depth].count : 0
  }

  @inline(__always)
  private func isCurrent(_ container: Container) -> Bool {
    open.count == container.depth &+ 1 && open[container.depth].serial == container.serial
      && isSlotTaken
  }

  // MARK: Slots

  /// Writes what stands before a value of an object: a space and the key.
  func key(_ name: String, in container: Container) throws(SPONError) {
    guard isCurrent(container) else { throw staleContainer() }
    let depth = container.depth
    if open[depth].count > 0 { output.append(Byte.space) }
    open[depth].count &+= 1
    open[depth].key = name
    slot = .pair
    guard let shape = open[depth].shape else { return uniqueKey(name, depth) }
    guard let place = shape.place(of: name, expected: open[depth].nextPlace) else {
      return newKey(name, shape, depth)
    }
    let bit: UInt64 = 1 << UInt64(place)
    if open[depth].used & bit != 0 { session.hasDuplicateKeys = true }
    open[depth].used |= bit
    open[depth].nextPlace = place &+ 1
    output.append(shape.texts[place])
  }

  private func newKey(_ name: String, _ shape: KeyShape, _ depth: Int) {
    let start = output.count
    output.key(session.options.keyEncodingStrategy.key(for: name))
    if let place = shape.add(name, Array(output.bytes[start...])) {
      open[depth].used |= 1 << UInt64(place)
      open[depth].nextPlace = place &+ 1
    } else {
      noteOther(name, depth)
    }
  }

  /// A key as it is, or as the strategy has it that asks for the path.
  private func uniqueKey(_ name: String, _ depth: Int) {
    var name = name
    if open[depth].convertsKeys { name = session.options.convertedKey(path) }
    noteOther(name, depth)
    output.key(name)
  }

  private func noteOther(_ name: String, _ depth: Int) {
    let isNew = open[depth].others?.insert(name).inserted
    if isNew == nil { open[depth].others = [name] }
    if isNew == false { session.hasDuplicateKeys = true }
  }

  /// Writes what stands before an element of an array.
  func element(in container: Container) throws(SPONError) {
    guard isCurrent(container) else { throw staleContainer() }
    if open[container.depth].count > 0 {
      output.append(Byte.comma)
      output.append(Byte.space)
    }
    open[container.depth].count &+= 1
    slot = .element
  }

  /// Takes the slot for a scalar: whether it stands behind a key.
  private func takeSlot() throws(SPONError) -> Bool {
    defer { slot = .none }
    switch slot {
    case .pair: return true
    case .element: return false
    case .root:
      output.require2("a document that is a single value")
      return false
    case .none:
      throw SPONError(
        .invalidContainer, "a value was encoded where one is already", codingPath: path)
    }
  }

  /// Ends what a value has opened; one that has written nothing is an empty object.
  func end(at depth: Int, type: Any.Type?) {
    if !isSlotTaken, open.count == depth {
      _ = container(at: depth, isObject: true, type: type)
    }
    while open.count > depth, let frame = open.popLast() {
      output.append(frame.isObject ? Byte.greater : Byte.closeBracket)
    }
  }

  /// A piece of its own for the value whose slot was just made.
  func innerPiece() -> EncodedPiece {
    let piece = EncodedPiece(
      session, slot: slot, outerPath: path, outerDepth: outerDepth + open.count)
    slot = .none
    inner.append((output.count, piece))
    return piece
  }

  // MARK: Scalars

  func null() throws(SPONError) { output.null(isPair: try takeSlot()) }
  func bool(_ value: Bool) throws(SPONError) { output.bool(value, isPair: try takeSlot()) }
  func integer(_ value: Int64) throws(SPONError) {
    output.integer(value, isPair: try takeSlot())
  }
  func unsigned(_ value: UInt64) throws(SPONError) {
    output.unsigned(value, isPair: try takeSlot())
  }
  func float(_ value: Float) throws(SPONError) { output.float(value, isPair: try takeSlot()) }
  func double(_ value: Double) throws(SPONError) { output.double(value, isPair: try takeSlot()) }
  func string(_ value: String) throws(SPONError) { output.string(value, isPair: try takeSlot()) }
  func opaque(_ value: String) throws(SPONError) { output.opaque(value, isPair: try takeSlot()) }
  func decimal(_ value: SPONDecimal) throws(SPONError) {
    output.decimal(value, isPair: try takeSlot())
  }
  func data(_ value: [UInt8]) throws(SPONError) { output.data(value, isPair: try takeSlot()) }
  func instant(_ value: SPONInstant) throws(SPONError) {
    output.instant(value, isPair: try takeSlot())
  }

  /// Writes a tree of values.
  func value(_ value: SPONValue) throws(SPONError) {
    let isPair = try takeSlot()
    let fragment = try ValueWriter.fragment(
      of: value, isPair: isPair, version: session.options.version,
      depthLimit: session.options.limits.depth - outerDepth - open.count)
    output.join(fragment)
    output.append(fragment.bytes)
  }

  // MARK: Errors

  /// The keys and indexes that lead to the value that is being written.
  var path: [SPONKey] {
    outerPath
      + open.filter { $0.count > 0 }.map { $0.isObject ? .key($0.key) : .index($0.count - 1) }
  }

  private func staleContainer() -> SPONError {
    SPONError(
      .invalidContainer, "a container was used while another value was being encoded, or after it",
      codingPath: path)
  }

  private func fail(_ message: String) {
    session.fail(SPONError(.invalidContainer, message, codingPath: path))
  }
}

// MARK: The end

extension EncodedPiece {
  /// The text with that of all inner pieces.
  func joined() -> Output {
    end(at: 0, type: nil)
    guard !inner.isEmpty else { return output }
    var whole = Output(version: session.options.version)
    whole.join(output)
    var from = 0
    for (place, piece) in inner {
      whole.append(Array(output.bytes[from..<place]))
      let text = piece.joined()
      whole.join(text)
      whole.append(text.bytes)
      from = place
    }
    whole.append(Array(output.bytes[from...]))
    return whole
  }

  /// The bytes of the root's head, up to and with its bracket; `nil` where the root is a scalar.
  static func rootHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.first == Byte.at else { return nil }
    return bytes.firstIndex { $0 == Byte.less || $0 == Byte.openBracket }.map { $0 + 1 }
  }
}

internal import Primitives

/// What a value is encoded into: the document, or a container that may be written while its neighbours
/// are.
///
/// A value that is encoded is written behind the one before it. A nested container or the encoder of a
/// superclass gets a piece of its own, since Swift lets them be used at any time; the pieces are joined
/// when all is written.
final class EncodedPiece {
  let session: EncodingSession
  /// How many containers are around this piece.
  private let outerDepth: Int
  /// How many containers may be open in this piece.
  private let mostDepth: Int
  /// Nothing but its methods is called while it is accessed: no code of the types that are encoded.
  var text: EncodedText
  private var inner: [Inner] = []
  /// The numbers of the shapes that objects had.
  private var shapes: [ObjectIdentifier: Int] = [:]

  /// A piece that is written for itself.
  private struct Inner {
    /// Where it belongs.
    let place: Int
    let piece: EncodedPiece
    /// The container that it is in, and its key there.
    let container: Int
    let key: String
  }

  init(
    _ session: EncodingSession, slot: EncodedText.Slot, outerPath: [SPONPath.Key] = [],
    outerDepth: Int = 0
  ) {
    self.session = session
    self.outerDepth = outerDepth
    mostDepth = session.options.limits.depth - outerDepth
    text = EncodedText(slot: slot, version: session.options.version, outerPath: outerPath)
  }

  /// The keys and indexes that lead to the value that is being written.
  var path: [SPONPath.Key] { text.path(to: .max) }

  /// The keys and indexes that lead to the value around which so many containers are open.
  func path(to depth: Int) -> [SPONPath.Key] { text.path(to: depth) }

  /// The keys and indexes that lead to a container.
  func path(toContainer serial: Int) -> [SPONPath.Key] { path(to: text.depth(of: serial)) }

  // MARK: Containers

  /// Opens the array that a value asks for, or gives it again where it has asked before.
  func array(at depth: Int) -> Int {
    let serial = text.array(at: depth, mostDepth: mostDepth)
    if serial < 0 { refuse(serial) }
    return serial
  }

  /// Opens the object that a value asks for, or gives it again where it has asked before.
  ///
  /// - Parameters:
  ///   - type: The type whose name it carries.
  ///   - keys: The type of its keys.
  func object(at depth: Int, type: Any.Type?, keys: Any.Type?) -> Int {
    var keys = keys.map { ObjectIdentifier($0) }
    var convertsKeys = false
    if !session.keysArePlain {
      let isMap = type is any StringKeyed.Type
      convertsKeys = !isMap && session.options.keyEncodingStrategy.needsPath
      if isMap || convertsKeys { keys = nil }
    }
    let id = type.map { ObjectIdentifier($0) }
    var serial = text.object(
      at: depth, mostDepth: mostDepth, of: id, keys: keys, convertsKeys: convertsKeys)
    if serial == EncodedText.isUnprepared {
      text.prepare(head: session.head(of: type), of: id)
      if let keys { text.prepare(shape: shape(of: keys), of: keys) }
      serial = text.object(
        at: depth, mostDepth: mostDepth, of: id, keys: keys, convertsKeys: convertsKeys)
    }
    if serial < 0 { refuse(serial) }
    return serial
  }

  private func shape(of keys: ObjectIdentifier) -> Int {
    if let shape = shapes[keys] { return shape }
    let shape = text.cache.addShape()
    shapes[keys] = shape
    return shape
  }

  private func refuse(_ reason: Int) {
    guard reason == EncodedText.isTooDeep else {
      return session.fail(
        SPONError(
          .invalidContainer,
          "a value asked for a second container of another kind, or after it was written",
          codingPath: path))
    }
    session.fail(
      SPONError(
        .tooDeep, "containers are nested more than \(session.options.limits.depth) deep",
        codingPath: path))
    text.takeSlot()
  }

  /// How many values a container has.
  func count(of serial: Int) -> Int { text.count(of: serial) }

  /// Ends what a value has opened; one that has written nothing is an empty object.
  func end(at depth: Int, type: Any.Type?) {
    guard !text.end(at: depth) else { return }
    _ = object(at: depth, type: type, keys: nil)
    _ = text.end(at: depth)
  }

  /// A piece of its own for the value whose slot was just made.
  func innerPiece(in container: Int, key: String = "") -> EncodedPiece {
    let piece = EncodedPiece(
      session, slot: text.slot, outerPath: path, outerDepth: outerDepth + text.depth)
    text.leaveSlot()
    inner.append(Inner(place: text.output.count, piece: piece, container: container, key: key))
    return piece
  }

  /// The nested container that an object has for a key already, and its serial number: who asks for
  /// it again goes on with it, as in Foundation's coders.
  func nested(_ key: String, in container: Int, isObject: Bool) -> (EncodedPiece, Int)? {
    let written = text
    guard written.hasKey(key, in: container),
      let last = inner.last(where: { $0.container == container && $0.key == key }),
      let serial = last.piece.text.reopened(at: 0, isObject: isObject)
    else { return nil }
    return (last.piece, serial)
  }

  /// Makes the slot for an element of an array, and gives what was before.
  @discardableResult
  func element(in serial: Int) throws(SPONError) -> EncodedText.Savepoint {
    guard let before = text.element(in: serial) else { throw stale() }
    return before
  }

  // MARK: Scalars

  /// Writes a scalar into the slot.
  func scalar(_ write: (inout Output, _ isPair: Bool) -> Void) throws {
    let slot = text.slot
    guard slot != .none else {
      throw session.failure
        ?? SPONError(
          .invalidContainer, "a value was encoded where one is already", codingPath: path)
    }
    var output = text.takeOutput()
    if slot == .root { output.require2("a document that is a single value") }
    write(&output, slot == .pair)
    text.put(output)
    text.takeSlot()
  }

  /// Writes a key and an integer.
  func pair(_ name: String, in serial: Int, _ value: Int64) throws {
    let entry = text.expected(name, name.utf8.count, in: serial)
    if entry >= 0, text.pair(entry, value) { return }
    try key(name, in: serial, for: .integer)
    try scalar { $0.integer(value, isPair: $1) }
  }

  /// Writes a key and a Double.
  func pair(_ name: String, in serial: Int, _ value: Double) throws {
    if let number = DecimalDigits(value) {
      let entry = text.expected(name, name.utf8.count, in: serial)
      if entry >= 0, text.pair(entry, number) { return }
    }
    try key(name, in: serial, for: .double)
    try scalar { $0.double(value, isPair: $1) }
  }

  /// Writes a key and a Bool.
  func pair(_ name: String, in serial: Int, _ value: Bool) throws {
    let entry = text.expected(name, name.utf8.count, in: serial)
    if entry >= 0, text.pair(entry, value) { return }
    try key(name, in: serial, for: .bool)
    try scalar { $0.bool(value, isPair: $1) }
  }

  /// Writes a key and a text.
  func pair(_ name: String, in serial: Int, _ value: String) throws {
    let entry = text.expected(name, name.utf8.count, in: serial)
    if entry >= 0, pair(entry, value) { return }
    try key(name, in: serial, for: .string)
    try scalar { $0.string(value, isPair: $1) }
  }

  @inline(__always)
  private func pair(_ entry: Int, _ value: String) -> Bool {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return text.pair(entry, value.utf8.span)
    }
    let bytes = Array(value.utf8)
    return text.pair(entry, bytes.elementSpan)
  }

  /// Writes a tree of values.
  func value(_ value: SPONValue) throws {
    let fragment = try ValueWriter.fragment(
      of: value, isPair: text.slot == .pair, version: session.options.version,
      depthLimit: mostDepth - text.depth)
    guard !fragment.isSingleValue else {
      return try scalar { output, _ in output.add(fragment) }
    }
    guard text.slot != .none else { throw stale() }
    var output = text.takeOutput()
    output.add(fragment)
    text.put(output)
    text.takeSlot()
  }

  func stale() -> SPONError {
    session.failure
      ?? SPONError(
        .invalidContainer,
        "a container was used while another value was being encoded, or after it",
        codingPath: path)
  }
}

// MARK: What fails

extension EncodedPiece {
  /// How much was written, to undo what is written next if it fails.
  var savepoint: EncodedText.Savepoint { text.savepoint }

  /// Takes back what was written since: a type may go on after a value that throws.
  func undo(to savepoint: EncodedText.Savepoint) {
    text.undo(to: savepoint)
    inner.removeLast(Swift.max(0, inner.count - savepoint.innerCount))
  }
}

// MARK: The end

extension EncodedPiece {
  /// The text with that of all inner pieces.
  func joined() -> Output {
    end(at: 0, type: nil)
    if text.hasDuplicateKeys { session.hasDuplicateKeys = true }
    guard !inner.isEmpty else { return text.output }
    var whole = Output(version: session.options.version)
    whole.join(text.output)
    let bytes = text.output.bytes
    var from = 0
    for part in inner {
      whole.append(bytes.elementSpan.extracting(from..<part.place))
      let text = part.piece.joined()
      whole.join(text)
      whole.append(text.bytes)
      from = part.place
    }
    whole.append(bytes.elementSpan.extracting(from..<bytes.count))
    return whole
  }
}

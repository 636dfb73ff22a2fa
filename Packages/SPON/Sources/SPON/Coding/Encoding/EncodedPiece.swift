/// What a value is encoded into: the document, or a container that may be written while its neighbours
/// are.
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
  /// How many containers may be open in this piece.
  private let mostDepth: Int
  private var text: EncodedText
  private var inner: [(place: Int, piece: EncodedPiece)] = []
  /// The nested containers, by their object and key.
  private var nested: [NestedKey: EncodedPiece] = [:]

  /// The key of an object.
  private struct NestedKey: Hashable {
    let object: Int
    let name: String
  }

  init(
    _ session: EncodingSession, slot: EncodedText.Slot, outerPath: [SPONKey] = [],
    outerDepth: Int = 0
  ) {
    self.session = session
    self.outerPath = outerPath
    self.outerDepth = outerDepth
    mostDepth = session.options.limits.depth - outerDepth
    text = EncodedText(slot: slot, version: session.options.version)
  }

  /// The keys and indexes that lead to the value that is being written.
  var path: [SPONKey] { outerPath + text.path }

  /// The keys and indexes that lead to a value with so many containers around it.
  func path(at depth: Int) -> [SPONKey] { outerPath + text.path(within: depth) }

  /// The keys and indexes that lead to a container.
  func path(of serial: Int) -> [SPONKey] { path(at: text.depth(of: serial)) }

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
    let serial = text.object(
      at: depth, mostDepth: mostDepth, of: type, keys: keys, convertsKeys: convertsKeys, session)
    if serial < 0 { refuse(serial) }
    return serial
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
  func innerPiece() -> EncodedPiece {
    let piece = EncodedPiece(
      session, slot: text.slot, outerPath: path, outerDepth: outerDepth + text.depth)
    text.takeSlot()
    inner.append((text.output.count, piece))
    return piece
  }

  /// A piece for the nested container of a key: the one that it got before, if it did.
  func nestedPiece(_ name: String, in object: Int) throws(SPONError) -> EncodedPiece {
    let key = NestedKey(object: object, name: name)
    if let piece = nested[key] { return piece }
    try self.key(name, in: object)
    let piece = innerPiece()
    nested[key] = piece
    return piece
  }

  // MARK: Values

  /// How much was written, and how many containers are open.
  var state: (length: Int, depth: Int, slot: EncodedText.Slot) {
    (text.output.count, text.depth, text.slot)
  }

  /// Takes back what was written of a value that has thrown.
  func rewind(to state: (length: Int, depth: Int, slot: EncodedText.Slot)) {
    text.rewind(to: state.length, depth: state.depth, slot: state.slot)
    inner.removeAll { $0.place > state.length }
  }

  /// Takes back a value that has thrown, with what stands before it.
  func withdraw(to length: Int, depth: Int) {
    text.withdraw(to: length, depth: depth)
    inner.removeAll { $0.place > length }
  }

  /// How much was written.
  var length: Int { text.output.count }

  /// Makes the slot for a value of an object, and gives the depth at which it stands.
  @discardableResult
  func key(_ name: String, in serial: Int) throws(SPONError) -> Int {
    let depth = text.key(name, in: serial, session)
    guard depth >= 0 else { throw stale() }
    return depth
  }

  /// Makes the slot for an element of an array, and gives the depth at which it stands.
  @discardableResult
  func element(in serial: Int) throws(SPONError) -> Int {
    let depth = text.element(in: serial)
    guard depth >= 0 else { throw stale() }
    return depth
  }

  /// Writes a scalar into the slot.
  @inline(__always)
  func scalar(_ write: (inout Output, _ isPair: Bool) -> Void) throws(SPONError) {
    guard text.scalar(write) else {
      throw SPONError(
        .invalidContainer, "a value was encoded where one is already", codingPath: path)
    }
  }

  /// Writes a key and its scalar.
  @inline(__always)
  func pair(
    _ name: String, in serial: Int, _ mark: Mark, _ content: (inout Output) -> Void
  ) throws(SPONError) {
    guard text.pair(name, in: serial, session, mark, content) else { throw stale() }
  }

  /// Writes a tree of values.
  func value(_ value: SPONValue) throws(SPONError) {
    let fragment = try ValueWriter.fragment(
      of: value, isPair: text.slot == .pair, version: session.options.version,
      depthLimit: mostDepth - text.depth)
    try scalar { output, _ in
      output.join(fragment)
      output.append(fragment.bytes)
    }
  }

  private func stale() -> SPONError {
    SPONError(
      .invalidContainer, "a container was used while another value was being encoded, or after it",
      codingPath: path)
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
    for (place, piece) in inner {
      whole.append(bytes.span.extracting(from..<place))
      let text = piece.joined()
      whole.join(text)
      whole.append(text.bytes)
      from = place
    }
    whole.append(bytes.span.extracting(from..<bytes.count))
    return whole
  }
}

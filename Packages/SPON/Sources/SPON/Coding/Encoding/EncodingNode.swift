internal import Primitives

/// A part of the output: the document, or a nested container whose writes may be interleaved with
/// those of its siblings.
///
/// A value is normally appended to the output of the one before it. A nested container or the
/// encoder of a superclass gets its own node, since it may be used at any time; the nodes are
/// joined at the end.
final class EncodingNode {
  let session: EncodingSession
  /// The number of containers around this node.
  private let outerDepth: Int
  /// The maximum number of containers that may be open in this node.
  private let maxDepth: Int
  /// While the buffer is accessed, only its own methods run, and no code of the encoded types.
  var text: EncodingBuffer
  private var inner: [ChildEntry] = []
  /// The numbers of the shapes of key types.
  private var shapes: [ObjectIdentifier: Int] = [:]

  /// A node for a nested container.
  private struct ChildEntry {
    /// The offset of the child in this node's output.
    let offset: Int
    let node: EncodingNode
    /// The container that it is in, and its key there.
    let container: Int
    let key: String
  }

  init(
    _ session: EncodingSession, slot: EncodingBuffer.Slot, outerPath: [SPONPath.Key] = [],
    outerDepth: Int = 0
  ) {
    self.session = session
    self.outerDepth = outerDepth
    maxDepth = session.options.limits.depth - outerDepth
    text = EncodingBuffer(slot: slot, version: session.options.version, outerPath: outerPath)
  }

  /// The path to the value that is being written.
  var path: [SPONPath.Key] { text.path(to: .max) }

  /// Returns the path to the value at a depth.
  func path(to depth: Int) -> [SPONPath.Key] { text.path(to: depth) }

  /// Returns the path to a container.
  func path(toContainer serial: Int) -> [SPONPath.Key] { path(to: text.depth(of: serial)) }

  // MARK: Containers

  /// Opens an array for a value, or returns it if the value has already requested it.
  func array(at depth: Int) -> Int {
    let serial = text.array(at: depth, maxDepth: maxDepth)
    if serial < 0 { refuse(serial) }
    return serial
  }

  /// Opens an object for a value, or returns it if the value has already requested it.
  ///
  /// - Parameters:
  ///   - type: The type whose name the object has.
  ///   - keys: The type of the object's keys.
  func object(at depth: Int, type: Any.Type?, keys: Any.Type?) -> Int {
    var keys = keys.map { ObjectIdentifier($0) }
    var convertsKeys = false
    if !session.keysAreUnconverted {
      let isMap = type is any StringKeyed.Type
      convertsKeys = !isMap && session.options.keyEncodingStrategy.needsPath
      if isMap || convertsKeys { keys = nil }
    }
    let id = type.map { ObjectIdentifier($0) }
    var serial = text.object(
      at: depth, maxDepth: maxDepth, of: id, keys: keys, convertsKeys: convertsKeys)
    if serial == EncodingBuffer.isUnprepared {
      text.prepare(head: session.head(of: type), of: id)
      if let keys { text.prepare(shape: shape(of: keys), of: keys) }
      serial = text.object(
        at: depth, maxDepth: maxDepth, of: id, keys: keys, convertsKeys: convertsKeys)
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
    guard reason == EncodingBuffer.isTooDeep else {
      return session.fail(
        SPONError(
          .invalidContainer,
          "a value requested a second container of another kind, or after it was written",
          codingPath: path))
    }
    session.fail(
      SPONError(
        .tooDeep, "containers are nested more than \(session.options.limits.depth) deep",
        codingPath: path))
    text.clearSlot()
  }

  /// Returns the number of values in a container.
  func count(of serial: Int) -> Int { text.count(of: serial) }

  /// Closes the containers that a value has opened. A value that has written nothing is an empty
  /// object.
  func end(at depth: Int, type: Any.Type?) {
    guard !text.end(at: depth) else { return }
    _ = object(at: depth, type: type, keys: nil)
    _ = text.end(at: depth)
  }

  /// Returns a separate node for the value that is written next.
  func childNode(in container: Int, key: String = "") -> EncodingNode {
    let node = EncodingNode(
      session, slot: text.slot, outerPath: path, outerDepth: outerDepth + text.depth)
    text.deferSlot()
    inner.append(ChildEntry(offset: text.output.count, node: node, container: container, key: key))
    return node
  }

  /// Returns the nested container that an object already has for a key, and its serial number. As
  /// in Foundation's coders, requesting a container again continues it.
  func nested(_ key: String, in container: Int, isObject: Bool) -> (EncodingNode, Int)? {
    let written = text
    guard written.hasKey(key, in: container),
      let last = inner.last(where: { $0.container == container && $0.key == key }),
      let serial = last.node.text.reopened(at: 0, isObject: isObject)
    else { return nil }
    return (last.node, serial)
  }

  /// Starts an element of an array. Returns the state before it.
  @discardableResult
  func element(in serial: Int) throws(SPONError) -> EncodingBuffer.Savepoint {
    guard let before = text.element(in: serial) else { throw stale() }
    return before
  }

  // MARK: Scalars

  /// Writes a scalar as the next value.
  func scalar(_ write: (inout Output, _ isPair: Bool) -> Void) throws {
    let slot = text.slot
    guard slot != .none else {
      throw session.failure
        ?? SPONError(
          .invalidContainer, "a second value was encoded at the same position", codingPath: path)
    }
    var output = text.takeOutput()
    if slot == .root { output.requireVersion2("a document that is a single value") }
    write(&output, slot == .pair)
    text.restoreOutput(output)
    text.clearSlot()
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
      depthLimit: maxDepth - text.depth)
    guard !fragment.isSingleValue else {
      return try scalar { output, _ in output.add(fragment) }
    }
    guard text.slot != .none else { throw stale() }
    var output = text.takeOutput()
    output.add(fragment)
    text.restoreOutput(output)
    text.clearSlot()
  }

  func stale() -> SPONError {
    session.failure
      ?? SPONError(
        .invalidContainer,
        "a container was used while another value was being encoded, or after it",
        codingPath: path)
  }
}

// MARK: Failures

extension EncodingNode {
  /// The state to which the output can be reset if the next value fails.
  var savepoint: EncodingBuffer.Savepoint { text.savepoint }

  /// Removes everything written since a savepoint, so that a type can continue after a value that
  /// throws.
  func undo(to savepoint: EncodingBuffer.Savepoint) {
    text.undo(to: savepoint)
    inner.removeLast(Swift.max(0, inner.count - savepoint.childCount))
  }
}

// MARK: The end

extension EncodingNode {
  /// Returns the output of this node and of all nested nodes.
  func joined() -> Output {
    end(at: 0, type: nil)
    if text.hasDuplicateKeys { session.hasDuplicateKeys = true }
    guard !inner.isEmpty else { return text.output }
    var whole = Output(version: session.options.version)
    whole.join(text.output)
    let bytes = text.output.bytes
    var from = 0
    for part in inner {
      whole.append(bytes.elementSpan.extracting(from..<part.offset))
      let text = part.node.joined()
      whole.join(text)
      whole.append(text.bytes)
      from = part.offset
    }
    whole.append(bytes.elementSpan.extracting(from..<bytes.count))
    return whole
  }
}

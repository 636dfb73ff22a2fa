/// Writes a document piece by piece.
///
/// What was written is handed out by ``take()``, as often as it is called, and not kept any longer. So
/// memory grows with what is written between two calls, and with how deep containers are nested, and
/// not with the document.
///
/// ```swift
/// var writer = SPONStreamWriter()
/// try writer.beginObject(typeName: "Lot")
/// try writer.key("rows")
/// try writer.beginArray()
/// for row in rows {
///   try writer.write(row)
///   if writer.pendingCount > 65_536 { send(writer.take()) }
/// }
/// try writer.end()
/// try writer.end()
/// try writer.finish()
/// send(writer.take())
/// ```
///
/// Everything that can't stand where it is written is an error of code
/// ``SPONError/Code/misplacedValue``. A call that throws has written nothing, and the writer goes on
/// from where it was. That an object gets a key twice is not found, since keys are not kept.
public struct SPONStreamWriter: Sendable {
  /// The version that is written: never `SPONValue.Version.automatic`.
  public let version: SPONValue.Version
  private let layout: SPONValue.Formatting
  private let depthLimit: Int
  /// What was written and not taken, and behind it what is being written, until it is known that it can be.
  private var draft: Output
  /// Where that begins.
  private var written: Output.Savepoint
  private var open: [Container] = []
  /// The key that waits for its value.
  private var key: String?
  /// Whether the document was written to its end.
  public private(set) var isComplete = false

  private struct Container {
    let isObject: Bool
    /// What leads to it.
    let step: SPONPath.Key?
    var count = 0
  }

  /// A writer at the beginning of a document.
  ///
  /// - Parameters:
  ///   - version: The version of SPON. It is said at the beginning, before it is known whether it is
  ///     needed, so that `SPONValue.Version.automatic` is `SPONValue.Version.two` here.
  ///   - formatting: The layout. ``SPONValue/Formatting/sortedKeys`` holds for objects that are written as
  ///     one value.
  ///   - limits: Of them, ``SPONValue/Limits/depth`` bounds what is written.
  public init(
    version: SPONValue.Version = .two, formatting: SPONValue.Formatting = [],
    limits: SPONValue.Limits = .init()
  ) {
    self.version = version == .one ? .one : .two
    layout = formatting
    depthLimit = limits.depth
    draft = Output(
      version: self.version, balancesBrackets: formatting.contains(.balancedBrackets))
    written = draft.savepoint
  }

  /// How many bytes ``take()`` would give.
  public var pendingCount: Int { draft.count }

  /// The bytes that were written since the last call.
  public mutating func take() -> [UInt8] {
    defer { written = draft.savepoint }
    return draft.takeBytes()
  }
}

// MARK: Pieces

extension SPONStreamWriter {
  /// Begins an object: the root, behind a key, or as an element.
  ///
  /// - Parameter typeName: The name of its type; empty where it has none.
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where no value can stand,
  ///   ``SPONError/Code/tooDeep``, or ``SPONError/Code/notRepresentable`` for a name that version 1
  ///   does not have.
  public mutating func beginObject(typeName: String = "") throws(SPONError) {
    try checkPlace()
    try checkDepth()
    separate(isContainer: true)
    draft.append("@obj")
    if !typeName.isEmpty {
      draft.append(Byte.colon)
      draft.typeName(typeName)
    }
    draft.append(Byte.less)
    try enter(isObject: true)
  }

  /// Begins an array: the root, behind a key, or as an element.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where no value can stand, or
  ///   ``SPONError/Code/tooDeep``.
  public mutating func beginArray() throws(SPONError) {
    try checkPlace()
    try checkDepth()
    separate(isContainer: true)
    draft.append(version == .two && open.isEmpty ? "@array:2[" : "@array[")
    try enter(isObject: false)
  }

  /// Ends the object or the array that was begun last and is open.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where none is open, or where a
  ///   key has no value.
  public mutating func end() throws(SPONError) {
    guard let container = open.last else { throw misplaced("no object or array is open") }
    if let key { throw misplaced("the key \"\(key)\" has no value") }
    if container.count > 0 {
      newLine(depth: open.count - 1)
    } else if container.isObject, isMarked {
      draft.append(Self.marker)
    }
    draft.append(container.isObject ? Byte.greater : Byte.closeBracket)
    try commit()
    open.removeLast()
    isComplete = open.isEmpty
  }

  /// Writes the key of the value that is written next.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where no key can stand, or
  ///   ``SPONError/Code/notRepresentable`` for one that version 1 does not have.
  public mutating func key(_ key: String) throws(SPONError) {
    if let last = self.key { throw misplaced("the key \"\(last)\" has no value") }
    guard let container = open.last, container.isObject else {
      throw misplaced("a key can stand in an object alone")
    }
    if container.count == 0, isMarked {
      newLine(depth: 1)
      draft.append(Self.marker)
    }
    newLine(depth: open.count)
    if !isPretty, container.count > 0 || isMarked { draft.append(Byte.space) }
    draft.key(key)
    try commit()
    self.key = key
  }

  /// Writes a value with all that it holds: the root, behind a key, or as an element.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where no value can stand,
  ///   ``SPONError/Code/tooDeep``, or ``SPONError/Code/notRepresentable`` for what version 1 does not
  ///   have.
  /// - Complexity: O(*n*) in the length of its text, which is kept until it is taken.
  public mutating func write(_ value: SPONValue) throws(SPONError) {
    try checkPlace()
    let isSorted = layout.contains(.sortedKeys)
    do throws(SPONError) {
      if open.isEmpty {
        draft.append(
          try ValueWriter.bytes(
            of: value, isPretty: isPretty, isSorted: isSorted,
            balancesBrackets: draft.balancesBrackets, version: version, depthLimit: depthLimit))
      } else {
        separate(isContainer: false)  // which the writer of values does
        try ValueWriter.append(
          value, to: &draft, isPair: key != nil, isPretty: isPretty, isSorted: isSorted,
          depth: open.count, depthLimit: depthLimit)
      }
    } catch {
      draft.undo(to: written)
      throw SPONError(error.code, error.message, codingPath: path + error.codingPath)
    }
    try commit()
    passValue()
    isComplete = open.isEmpty
  }

  /// How deep a value that is written here may be nested.
  var depthLeft: Int { depthLimit - open.count }

  /// Whether a text of another writer can stand here as it is.
  var mayTakeText: Bool { !open.isEmpty && layout.isEmpty }

  /// Writes the text of an object or an array of the same version, which is not the root.
  mutating func write(container text: Output) throws(SPONError) {
    try checkPlace()
    separate(isContainer: true)
    draft.join(text)
    draft.append(text.bytes)
    try commit()
    passValue()
  }

  /// Writes a key and its value.
  ///
  /// - Throws: ``SPONError``, as ``key(_:)`` and ``write(_:)`` do. Neither is written then.
  public mutating func write(_ value: SPONValue, forKey key: String) throws(SPONError) {
    let before = written
    try self.key(key)
    do throws(SPONError) {
      try write(value)
    } catch {
      draft.undo(to: before)
      written = before
      self.key = nil
      throw error
    }
  }

  /// Says that the document is complete.
  ///
  /// - Throws: ``SPONError`` of code ``SPONError/Code/misplacedValue`` where it is not: nothing was
  ///   written, or a container is open. A second call is not an error.
  public func finish() throws(SPONError) {
    guard isComplete else {
      throw misplaced(
        open.isEmpty ? "the document has no value" : "an object or an array is open")
    }
  }
}

// MARK: What stands between them

extension SPONStreamWriter {
  private static let marker = "@spon!=`2`"

  private var isPretty: Bool { layout.contains(.prettyPrinted) }
  /// Whether the container that was begun last has the version's marker as its first pair.
  private var isMarked: Bool { version == .two && open.count == 1 }

  /// Refuses a value where none can stand.
  private func checkPlace() throws(SPONError) {
    guard !isComplete else { throw misplaced("a document is one value") }
    if open.last?.isObject == true, key == nil {
      throw misplaced("a value in an object needs a key")
    }
  }

  private func checkDepth() throws(SPONError) {
    guard open.count < depthLimit else {
      throw SPONError(
        .tooDeep, "containers are nested more than \(depthLimit) deep", codingPath: path)
    }
  }

  /// Writes what stands before a value.
  private mutating func separate(isContainer: Bool) {
    if isContainer, key != nil { draft.append(Byte.equals) }
    guard let container = open.last, !container.isObject else { return }
    if container.count > 0 { draft.append(Byte.comma) }
    newLine(depth: open.count)
    if !isPretty, container.count > 0 { draft.append(Byte.space) }
  }

  private mutating func enter(isObject: Bool) throws(SPONError) {
    try commit()
    let step = step
    passValue()
    open.append(Container(isObject: isObject, step: step))
  }

  private mutating func passValue() {
    key = nil
    if let last = open.indices.last { open[last].count += 1 }
  }

  private mutating func newLine(depth: Int) {
    guard isPretty else { return }
    draft.append(Byte.lineFeed)
    for _ in 0..<depth { draft.append("  ") }
  }

  /// Keeps what was written, if the version has it.
  private mutating func commit() throws(SPONError) {
    if let refusal = draft.refusal {
      draft.undo(to: written)
      throw SPONError(
        .notRepresentable, "version 1 of SPON does not have \(refusal)", codingPath: path)
    }
    written = draft.savepoint
  }

  private func misplaced(_ message: String) -> SPONError {
    SPONError(.misplacedValue, message, codingPath: path)
  }

  /// The key or the index of the value that is written next.
  private var step: SPONPath.Key? {
    if let key { return .key(key) }
    return open.last.flatMap { $0.isObject ? nil : .index($0.count) }
  }

  var path: [SPONPath.Key] { open.compactMap(\.step) + (step.map { [$0] } ?? []) }
}

/// Writes a document incrementally.
///
/// ``take()`` returns the text that was written since its last call, and the writer then discards
/// it. Memory use therefore depends on the text written between two calls and on the nesting depth,
/// rather than on the document.
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
/// Writing anything at an invalid position throws an error with code
/// ``SPONError/Code/misplacedValue``. A call that throws writes nothing, and the writer remains
/// usable. Duplicate keys of an object are not detected, since keys are not stored.
public struct SPONStreamWriter: Sendable {
  /// The version to write; never `SPONValue.Version.automatic`.
  public let version: SPONValue.Version
  private let layout: SPONValue.Formatting
  private let depthLimit: Int
  /// The text that was not taken, followed by the text of the current call, which may still fail.
  private var draft: Output
  /// The state at the end of the last successful call.
  private var written: Output.Savepoint
  private var open: [Container] = []
  /// The key of the next value.
  private var key: String?
  /// A Boolean value that indicates whether the document is complete.
  public private(set) var isComplete = false

  private struct Container {
    let isObject: Bool
    /// The key or index of the container.
    let step: SPONPath.Key?
    var count = 0
  }

  /// Creates a writer at the beginning of a document.
  ///
  /// - Parameters:
  ///   - version: The version of SPON. It is written at the beginning, before it is known whether
  ///     it is required, so `SPONValue.Version.automatic` is the same as `SPONValue.Version.two`.
  ///   - formatting: The layout. ``SPONValue/Formatting/sortedKeys`` applies to objects that are
  ///     written by one call.
  ///   - limits: Only ``SPONValue/Limits/depth`` applies.
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

  /// The number of bytes that ``take()`` would return.
  public var pendingCount: Int { draft.count }

  /// Returns the bytes that were written since the last call.
  public mutating func take() -> [UInt8] {
    defer { written = draft.savepoint }
    return draft.takeBytes()
  }
}

// MARK: Pieces

extension SPONStreamWriter {
  /// Begins an object, which is the root, the value of a key, or an element.
  ///
  /// - Parameter typeName: The object's type name; empty if it has none.
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if a value is invalid
  ///   here, ``SPONError/Code/tooDeep``, or ``SPONError/Code/notRepresentable`` if version 1 does
  ///   not support the name.
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
    try pushContainer(isObject: true)
  }

  /// Begins an array, which is the root, the value of a key, or an element.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if a value is invalid
  ///   here, or ``SPONError/Code/tooDeep``.
  public mutating func beginArray() throws(SPONError) {
    try checkPlace()
    try checkDepth()
    separate(isContainer: true)
    draft.append(version == .two && open.isEmpty ? "@array:2[" : "@array[")
    try pushContainer(isObject: false)
  }

  /// Ends the innermost open object or array.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if none is open, or if a
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

  /// Writes the key of the next value.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if a key is invalid here,
  ///   or ``SPONError/Code/notRepresentable`` if version 1 does not support the key.
  public mutating func key(_ key: String) throws(SPONError) {
    if let last = self.key { throw misplaced("the key \"\(last)\" has no value") }
    guard let container = open.last, container.isObject else {
      throw misplaced("a key is valid only in an object")
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

  /// Writes a whole value, which is the root, the value of a key, or an element.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if a value is invalid
  ///   here, ``SPONError/Code/tooDeep``, or ``SPONError/Code/notRepresentable`` if version 1 does
  ///   not support the value.
  /// - Complexity: O(*n*) in the length of the text, which is stored until it is taken.
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
        separate(isContainer: false)  // The value writer adds `=`.
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

  /// The maximum nesting depth of a value that is written here.
  var depthLeft: Int { depthLimit - open.count }

  /// Indicates whether text of another writer can be written here unchanged.
  var canAppendRawText: Bool { !open.isEmpty && layout.isEmpty }

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
  /// - Throws: ``SPONError``, as ``key(_:)`` and ``write(_:)`` do. In that case, neither is
  ///   written.
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

  /// Checks that the document is complete.
  ///
  /// - Throws: ``SPONError`` with code ``SPONError/Code/misplacedValue`` if nothing was written, or
  ///   if a container is open. A second call is not an error.
  public func finish() throws(SPONError) {
    guard isComplete else {
      throw misplaced(
        open.isEmpty ? "the document has no value" : "an object or an array is open")
    }
  }
}

// MARK: Separators

extension SPONStreamWriter {
  private static let marker = "@spon!=`2`"

  private var isPretty: Bool { layout.contains(.prettyPrinted) }
  /// Indicates whether the first pair of the innermost container is the version marker.
  private var isMarked: Bool { version == .two && open.count == 1 }

  /// Throws if a value is invalid at this position.
  private func checkPlace() throws(SPONError) {
    guard !isComplete else { throw misplaced("a document contains only one value") }
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

  /// Writes the separator before a value.
  private mutating func separate(isContainer: Bool) {
    if isContainer, key != nil { draft.append(Byte.equals) }
    guard let container = open.last, !container.isObject else { return }
    if container.count > 0 { draft.append(Byte.comma) }
    newLine(depth: open.count)
    if !isPretty, container.count > 0 { draft.append(Byte.space) }
  }

  private mutating func pushContainer(isObject: Bool) throws(SPONError) {
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

  /// Keeps the text of the current call, or throws if the version does not support it.
  private mutating func commit() throws(SPONError) {
    if let refusal = draft.refusal {
      draft.undo(to: written)
      throw SPONError(
        .notRepresentable, "version 1 of SPON does not support \(refusal)", codingPath: path)
    }
    written = draft.savepoint
  }

  private func misplaced(_ message: String) -> SPONError {
    SPONError(.misplacedValue, message, codingPath: path)
  }

  /// The key or index of the next value.
  private var step: SPONPath.Key? {
    if let key { return .key(key) }
    return open.last.flatMap { $0.isObject ? nil : .index($0.count) }
  }

  var path: [SPONPath.Key] { open.compactMap(\.step) + (step.map { [$0] } ?? []) }
}

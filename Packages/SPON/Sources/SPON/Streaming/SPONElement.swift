extension SPONElementReader {
  /// A value that was found in a stream, with where it stands there.
  ///
  /// ```swift
  /// while let element = try reader.next() {
  ///   print(element.position.line, try element.value())
  /// }
  /// ```
  public struct Element: Sendable {
    /// Where the value begins in the stream; that of a pair, behind its `=`.
    public let position: SPONError.Position
    /// The path to the container.
    private let parents: [SPONPath.Key]
    private let step: SPONPath.Key?
    private let content: Content
    private let rules: SPONValue.Rules
    private let limits: SPONValue.Limits

    enum Content: Sendable {
      case scalar(SPONValue)
      /// The text of a container, and the version of the document it is from; `nil` where it is the
      /// whole document, and says so itself.
      case container([UInt8], level: UInt8?)
    }

    init(
      _ content: Content, at position: SPONError.Position, in parents: [SPONPath.Key],
      _ step: SPONPath.Key?,
      rules: SPONValue.Rules, limits: SPONValue.Limits
    ) {
      self.content = content
      self.position = position
      self.parents = parents
      self.step = step
      self.rules = rules
      self.limits = limits
    }

    /// The keys and indexes that lead from the root to the value.
    public var path: [SPONPath.Key] { step.map { parents + [$0] } ?? parents }

    /// The text of the value: that of a container as it was written, that of a scalar as an element of
    /// version 2 has it.
    public var bytes: [UInt8] {
      switch content {
      case .container(let bytes, _): return bytes
      case .scalar(let value):
        // Version 2 has a form for every scalar.
        return (try? value.bytes(version: .two)) ?? []
      }
    }

    /// The version that ``bytes`` are read as; `nil` where they are a document, and say so themselves.
    var level: UInt8? {
      switch content {
      case .container(_, let level): level
      case .scalar: 2
      }
    }

    /// The value.
    ///
    /// - Throws: ``SPONError`` of code ``SPONError/Code/tooMany`` where it holds more values than
    ///   ``SPONValue/Limits/count`` allows. Everything else was found when the element was.
    /// - Complexity: O(*n*) in its length.
    public func value() throws(SPONError) -> SPONValue {
      switch content {
      case .scalar(let value): return value
      case .container(let bytes, let level):
        var tree = ElementTree(bytes, level: level, rules: rules, limits: limits)
        do throws(SPONError) { return try tree.value() } catch { throw located(error) }
      }
    }

    /// The text, scanned, to be decoded. Errors are those of the stream.
    func tape() throws(SPONError) -> Tape {
      var limits = limits
      if case .scalar = content {
        // Its text is another one than was read, and may be longer.
        limits.bytes = .max
        limits.length = .max
      }
      do throws(SPONError) {
        return try TapeBuilder.tape(of: bytes, rules: rules, limits: limits, level: level)
      } catch {
        throw located(error)
      }
    }

    /// An error that was found in ``bytes``, with its place and path in the stream.
    func located(_ error: SPONError) -> SPONError {
      var error = error
      error.codingPath = path + error.codingPath
      guard case .container = content, let found = error.position else {
        error.position = position
        return error
      }
      error.position = SPONError.Position(
        byteOffset: position.byteOffset + found.byteOffset, line: position.line + found.line - 1,
        column: found.line == 1 ? position.column + found.column - 1 : found.column)
      return error
    }
  }
}

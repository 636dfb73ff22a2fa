internal import SPON

/// The events of a file. Errors contain the file and the position.
struct SPONSource {
  private let input: SourceSession.ByteInput
  private(set) var reader = SPONEventReader()
  private var isAtEnd = false

  init(_ input: SourceSession.ByteInput) { self.input = input }

  /// Returns the next event; `nil` at the end of a complete document.
  mutating func next() throws -> SPONEventReader.Event? {
    try advance() == nil ? nil : reader.event
  }

  /// Advances to the next event, whose parts ``reader`` provides; `nil` at the end of a complete
  /// document.
  mutating func advance() throws -> SPONEventReader.EventType? {
    while true {
      do {
        if let type = try reader.advance() { return type }
      } catch {
        throw located(error)
      }
      if isAtEnd { return nil }
      if let piece = try input.next() {
        reader.append(piece)
      } else {
        reader.finish()
        isAtEnd = true
      }
    }
  }

  /// The key of the last event.
  var key: String { reader.event.name }

  /// Returns the value of the last event, and reads a container to its end.
  mutating func value() throws -> SPONValue { try value(of: reader.event) }

  /// Returns the value of an event, and reads a container to its end.
  mutating func value(of event: SPONEventReader.Event) throws -> SPONValue {
    if case .scalar(let value) = event.kind { return value }
    // Iterative, because a document's nesting can exceed a thread's stack.
    var open: [(key: SPONPath.Key?, value: SPONValue)] = []
    func append(_ child: SPONValue, _ key: SPONPath.Key?) {
      let last = open.count - 1
      if case .key(let name) = key {
        open[last].value[name] = child
      } else {
        open[last].value[open[last].value.array?.count ?? 0] = child
      }
    }
    var event = event
    while true {
      switch event.kind {
      case .beginObject(let typeName):
        open.append((event.key, .object(SPONObject(typeName: typeName))))
      case .beginArray: open.append((event.key, .array([])))
      case .scalar(let value): append(value, event.key)
      case .endObject, .endArray:
        let ended = open.removeLast()
        guard !open.isEmpty else { return ended.value }
        append(ended.value, ended.key)
      }
      guard let next = try next() else { throw failure(.truncated, "the text ends too early") }
      event = next
    }
  }

  /// Skips the container that an event begins.
  mutating func skip(_ event: SPONEventReader.Event) throws {
    guard event.beginsContainer else { return }
    while let next = try next(), next.depth > event.depth {}
  }

  // MARK: Errors

  /// The position of the last event.
  var position: ProviderError.Position { ProviderError.Position(reader.position) }

  /// Returns an error at the last event.
  func failure(
    _ code: ProviderError.Code, _ message: String, table: String? = nil, column: String? = nil
  ) -> ProviderError {
    ProviderError(
      code, message, file: input.path, position: ProviderError.Position(reader.position),
      table: table,
      column: column)
  }

  private func located(_ error: SPONError) -> ProviderError {
    let code: ProviderError.Code =
      switch error.code {
      case .unexpectedEnd, .emptyDocument: .truncated
      case .invalidUTF8: .invalidEncoding
      case .tooDeep, .tooLong, .tooMany: .limitExceeded
      default: .malformed
      }
    return ProviderError(
      code, error.message, file: input.path,
      position: error.position.map { ProviderError.Position($0) })
  }
}

extension SPONEventReader.Event {
  var beginsContainer: Bool {
    switch kind {
    case .beginObject, .beginArray: true
    default: false
    }
  }

  /// The key of a pair; empty for other events.
  var name: String {
    if case .key(let name) = key { return name }
    return ""
  }
}

extension ProviderError.Position {
  init(_ position: SPONError.Position) {
    // On the first line, characters before the position can be longer than a byte.
    self.init(
      byteOffset: position.byteOffset, line: position.line,
      column: position.line == 1 ? position.byteOffset + 1 : position.column)
  }
}

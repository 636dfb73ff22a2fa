internal import Primitives
internal import SQLiteCore

/// Files in JSON.
struct JSONFormat: TableFormat {
  private let options: JSONProvider.Options

  init(_ options: JSONProvider.Options = JSONProvider.Options()) { self.options = options }

  var newLayout: JSONLayout { .database }

  // MARK: Reading

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> JSONLayout {
    var window = try ByteWindow(input)
    let isLines = options.layout == .lines || hasExtensionOfLines(input.path)
    let reading = JSONReadingOptions(limits: options.limits)
    var prologue = try JSONPrologue(&window, reading)
    if prologue.isEmpty, !isLines {
      throw ProviderError(.malformed, "the file is empty, and JSON has a value")
    }
    switch options.layout {
    case .database: prologue.kind = .database
    case .array: prologue.kind = .array
    case .lines: prologue.kind = .sequence
    case .object: prologue.kind = .single
    case nil: if isLines { prologue.kind = .sequence }
    }
    if prologue.kind == .database {
      var reader = JSONDatabaseReader(window, reading, into: tables.connection)
      return try reader.read()
    }
    tables.declaredTypes = options.columnTypes
    tables.declaredKeys = options.primaryKeys
    var reader = JSONTableReader(
      prologue.kind, named: name(input, prologue),
      mode: prologue.kind != .sequence ? .single : isLines ? .lines : .concatenated, options,
      into: tables)
    return try read(&window, &reader)
  }

  private func read(
    _ window: inout ByteWindow, _ reader: inout JSONTableReader
  ) throws -> JSONLayout {
    var spelling = JSONSpelling(of: window.bytes.elementSpan)
    while true {
      reader.reader.isComplete = window.isAtEnd
      do {
        if try reader.take(window.bytes.elementSpan) { break }
      } catch var error as ProviderError where error.position == nil {
        error.position = ProviderError.Position(
          reader.reader.position(of: reader.reader.range.lowerBound, in: window.bytes.elementSpan))
        throw error
      }
      let count = reader.readCount
      guard window.bytes.count - count <= options.limits.length else {
        throw ProviderError(
          .limitExceeded, "a value is longer than \(options.limits.length) bytes",
          position: ProviderError.Position(
            reader.reader.position(of: count, in: window.bytes.elementSpan)))
      }
      reader.reader.forget(count, in: window.bytes.elementSpan)
      try window.refill(dropping: count)
    }
    spelling.endsInLineBreak = window.bytes.last == 0x0A
    return try reader.finish(spelling)
  }

  private func hasExtensionOfLines(_ path: String?) -> Bool {
    let end = path.map { SQLName.folded($0) } ?? ""
    return end.hasSuffix(".jsonl") || end.hasSuffix(".ndjson")
  }

  /// What the table of the text's own rows is called: another name than that of a member which may be a table.
  private func name(_ input: SourceSession.ByteInput, _ prologue: JSONPrologue) -> String {
    let isTaken =
      prologue.kind == .single
      && prologue.keys.contains { SQLName.isSame($0, input.name) }
    return isTaken ? "\(input.name)_root" : input.name
  }

  // MARK: Writing

  func write(
    _ contents: Connection, as layout: JSONLayout, to output: SourceSession.ByteOutput
  ) throws -> JSONLayout {
    if layout.kind == .database || options.writesDatabases {
      var document = JSONDatabaseWriter(to: output)
      try document.write(contents)
      return .database
    }
    let isLines = options.layout == .lines || hasExtensionOfLines(output.path)
    var writer = try JSONTableWriter(contents, layout, mayBeEmpty: isLines, to: output)
    try writer.write()
    return layout
  }
}

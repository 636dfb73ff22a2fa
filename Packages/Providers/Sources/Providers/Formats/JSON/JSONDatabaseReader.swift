internal import Primitives
internal import SQLiteCore

/// Reads Holt's own layout: see ``JSONDatabaseWriter``.
struct JSONDatabaseReader {
  var builder: DatabaseBuilder
  var window: ByteWindow
  var reader: JSONEventReader

  init(_ window: ByteWindow, _ options: JSONReadingOptions, into connection: Connection) {
    self.window = window
    builder = DatabaseBuilder(connection)
    reader = JSONEventReader(options)
  }

  mutating func read() throws -> JSONLayout {
    try expect(.beginObject, "an object")
    var hasVersion = false
    while let event = try member() {
      switch key {
      case "holt":
        try require(event == .beginObject, "expected an object with the version of the layout")
        try readVersion()
        hasVersion = true
      case "tables":
        try require(hasVersion, "expected the version before the tables")
        try require(event == .beginArray, "expected an array of tables")
        while let table = try element() {
          try require(table == .beginObject, "expected a table")
          try readTable()
        }
      case "schema":
        try require(hasVersion, "expected the version before the schema")
        try require(event == .beginArray, "expected an array of statements")
        while let statement = try element() {
          try require(statement == .string, "expected a statement")
          builder.add(statement: text(), at: position)
        }
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(hasVersion, "expected the version of the layout")
    _ = try next()
    try builder.finish()
    return .database
  }

  private mutating func readVersion() throws {
    var version: Int64?
    while let event = try member() {
      switch key {
      case "version":
        try require(event == .integer, "expected a number as the version")
        version = reader.integer
        try DatabaseBuilder.check(version: reader.integer, at: position)
      case "userVersion":
        try require(event == .integer, "expected a number as the user's version")
        builder.userVersion = reader.integer
      case "applicationID":
        try require(event == .integer, "expected a number as the application's")
        builder.applicationID = reader.integer
      default: throw failure("the layout has no member \(key)")
      }
    }
    try require(version != nil, "expected the version of the layout")
  }

  // MARK: Events

  mutating func next() throws -> JSONEvent {
    while true {
      reader.isComplete = window.isAtEnd
      let bytes = window.bytes
      let event = try reader.event(in: bytes.elementSpan)
      guard event == .incomplete else { return event }
      let count = reader.position
      reader.forget(count, in: bytes.elementSpan)
      try window.refill(dropping: count)
    }
  }

  /// The next member of an object; `nil` at its end.
  mutating func member() throws -> JSONEvent? {
    let event = try next()
    return event == .endObject && reader.key < 0 ? nil : event
  }

  /// The next element of an array; `nil` at its end.
  mutating func element() throws -> JSONEvent? {
    let event = try next()
    return event == .endArray ? nil : event
  }

  var key: String { reader.key < 0 ? "" : reader.keys[reader.key] }

  func text() -> String { reader.text(in: window.bytes.elementSpan) }

  mutating func expect(_ event: JSONEvent, _ what: String) throws {
    try require(try next() == event, "expected \(what)")
  }

  func require(_ condition: Bool, _ message: String) throws {
    if !condition { throw failure(message) }
  }

  var position: ProviderError.Position {
    ProviderError.Position(
      reader.position(of: reader.range.lowerBound, in: window.bytes.elementSpan))
  }

  func failure(_ message: String, table: String? = nil) -> ProviderError {
    ProviderError(.malformed, message, position: position, table: table)
  }
}

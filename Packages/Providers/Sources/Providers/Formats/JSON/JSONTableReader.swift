internal import Primitives
internal import SQLiteCore

/// Reads the rows of an ordinary JSON text in one pass, from bytes that arrive in parts.
struct JSONTableReader {
  struct Table {
    let name: String
    let root: Int
    let node: Int
    let owner: Int
    let isLinked: Bool
    var builder: TableCollector.Builder?
    var rows = RowIDMap()
    /// The nodes of the columns; -1 for the columns that link to the parent row.
    var nodes: [Int] = []
    /// The requested column names.
    var names: Set<ExactText> = []
    var parentColumn = -1
    var positionColumn = -1
  }

  /// An open container, or the text itself.
  struct Level {
    enum Kind { case document, rows, object, elements }

    let kind: Kind
    let table: Int
    /// The node whose members are the container's values.
    let node: Int
    /// A Boolean value that indicates whether the container is a row of its table.
    var isRow = false
    /// The index of the next element, counting from 0.
    var position = 0
    /// The row of the owner that contains the rows.
    var parentRow = 0
  }

  let kind: JSONProvider.Options.Layout
  let options: JSONProvider.Options
  let collector: TableCollector
  var reader: JSONEventReader
  var members = JSONMembers()
  var tables: [Table] = []
  var levels: [Level] = []
  /// The node of the innermost level.
  var node = 0
  var builder: TableCollector.Builder?
  var selectedTable = -1
  /// A Boolean value that indicates whether the innermost container has begun and has no content
  /// yet.
  var isContainerEmpty = false
  /// The member whose container is stored verbatim when it is complete.
  var verbatimMember: Int?
  /// The member whose array has begun, until its first element determines its kind.
  var undecidedMember: Int?
  /// The folded names of the tables.
  var tableNames: Set<FoldedName> = []

  init(
    _ kind: JSONProvider.Options.Layout, named name: String, mode: JSONReadingOptions.Mode,
    _ options: JSONProvider.Options, into collector: TableCollector
  ) {
    self.kind = kind
    self.options = options
    self.collector = collector
    reader = JSONEventReader(
      JSONReadingOptions(
        mode: mode, duplicateKeys: options.duplicateKeys == .refused ? .refused : .reported,
        limits: options.limits))
    tables.append(
      Table(
        name: unusedTableName(name), root: members.addRoot(), node: -1, owner: -1, isLinked: false))
    levels.append(Level(kind: kind == .array ? .document : .rows, table: 0, node: 0))
  }

  /// The number of available bytes that are no longer needed.
  var readCount: Int {
    if undecidedMember != nil { return 0 }
    return reader.firstNeededOffset
  }

  // MARK: Events

  /// Reads the available bytes.
  ///
  /// - Returns: Whether the text ended.
  mutating func consume(_ bytes: Span<UInt8>) throws -> Bool {
    if undecidedMember != nil, try !resolveArray(bytes) { return false }
    if verbatimMember != nil, try !readVerbatim(bytes) { return false }
    while true {
      let event = try builder.map { try readKnownMembers($0, bytes) } ?? reader.event(in: bytes)
      if let hasEnded = try consume(event, bytes) { return hasEnded }
    }
  }

  /// Reads rows as long as their members and types are known.
  ///
  /// - Returns: The first event that can't be handled here.
  private mutating func readKnownMembers(
    _ builder: TableCollector.Builder, _ bytes: Span<UInt8>
  ) throws -> JSONEvent {
    // Holding the row here avoids a call to the builder for each value.
    var rowBuffer = RowBuffer()
    builder.exchange(&rowBuffer)
    defer { builder.exchange(&rowBuffer) }
    while true {
      let event = try reader.event(in: bytes)
      switch event {
      case .string, .integer, .double, .bool:
        guard set(event, of: &rowBuffer, bytes) else { return event }
      case .beginObject: guard beginsKnownObject() else { return event }
      case .endObject where isRow:
        builder.exchange(&rowBuffer)
        defer { builder.exchange(&rowBuffer) }
        try endContainer()
      case .endObject: guard endsKnownObject() else { return event }
      default: return event
      }
    }
  }

  /// Sets the column of a member that has one.
  ///
  /// - Returns: Whether the column already has values of this kind.
  @inline(__always)
  private mutating func set(
    _ event: JSONEvent, of rowBuffer: inout RowBuffer, _ bytes: Span<UInt8>
  ) -> Bool {
    let member = knownMember
    guard member >= 0 else { return false }
    let column = members[member].column
    guard column >= 0 else { return false }
    let isSet =
      switch event {
      case .string: reader.withText(in: bytes) { rowBuffer.set(column, text: $0) }
      case .integer: rowBuffer.set(column, integer: reader.integer)
      case .double:
        rowBuffer.set(column, real: reader.double, digits: bytes.extracting(reader.range))
      default: rowBuffer.set(column, boolean: reader.bool)
      }
    guard isSet else { return false }
    members[member].count += 1
    isContainerEmpty = false
    return true
  }

  /// The member of the innermost object that contains the event's value; -1 if the member is new,
  /// or an array's element.
  @inline(__always)
  private var knownMember: Int {
    reader.key >= 0 && !reader.isDuplicateKey ? members.child(of: node, reader.key) : -1
  }

  /// Begins an object that is a row, or whose members are columns as in earlier rows.
  @inline(__always)
  private mutating func beginsKnownObject() -> Bool {
    let level = levels[levels.count - 1]
    guard level.kind != .rows else {
      push(Level(kind: .object, table: level.table, node: level.node, isRow: true))
      return true
    }
    let member = knownMember
    guard member >= 0, members[member].traits.contains(.object), options.nesting != .json else {
      return false
    }
    push(Level(kind: .object, table: level.table, node: member))
    return true
  }

  /// Handles an event.
  ///
  /// - Returns: Whether the text ended; `nil` to continue with the next event.
  private mutating func consume(_ event: JSONEvent, _ bytes: Span<UInt8>) throws -> Bool? {
    switch event {
    case .string:
      guard let column = try column() else { return nil }
      reader.withText(in: bytes) { builder?.set(column, text: $0) }
      try endScalar()
    case .integer:
      guard let column = try column() else { return nil }
      builder?.set(column, integer: reader.integer)
      try endScalar()
    case .double:
      guard let column = try column() else { return nil }
      builder?.set(column, real: reader.double, digits: bytes.extracting(reader.range))
      try endScalar()
    case .bool:
      guard let column = try column() else { return nil }
      builder?.set(column, boolean: reader.bool)
      try endScalar()
    case .number:
      guard let column = try column() else { return nil }
      builder?.set(column, number: bytes.extracting(reader.range))
      try endScalar()
    case .null: try readNull()
    case .beginObject: if try beginObject(), try !readVerbatim(bytes) { return false }
    case .endObject, .endArray: try endContainer()
    case .beginArray:
      try beginArray()
      if undecidedMember != nil, try !resolveArray(bytes) { return false }
      if verbatimMember != nil, try !readVerbatim(bytes) { return false }
    case .end: return true
    case .incomplete: return false
    }
    return nil
  }

  /// Returns the column of a value; `nil` if the value is ignored.
  @inline(never)
  private mutating func column() throws -> Int? {
    guard let member = try member() else { return nil }
    isContainerEmpty = false
    members[member].count += 1
    return try column(of: member)
  }

  private mutating func readNull() throws {
    guard let member = try member() else { return }
    isContainerEmpty = false
    let table = tables[currentTable]
    members.recordNull(member, row: table.rows.count + 1)
    // A member that is known to be an object or a table does not need a column.
    let isContainer =
      member == table.root || members.hasChildren(member) || members[member].table >= 0
    if !isContainer { _ = try column(of: member) }
    try endScalar()
  }

  private mutating func endScalar() throws {
    try builder?.checkTypes()
    guard reader.key < 0 else { return }
    let top = levels.count - 1
    if levels[top].kind == .rows {
      try endRow(levels[top].table)
    } else {
      levels[top].position += 1
    }
  }

  func failure(_ code: ProviderError.Code, _ message: String) -> ProviderError {
    ProviderError(code, message, table: tables[currentTable].name)
  }
}

extension Double {
  /// A Boolean value that indicates whether the number is an integer in the range in which `Double`
  /// represents all integers.
  @inline(__always)
  var isWhole: Bool { abs(self) < 1e15 && Double(Int64(self)) == self }
}

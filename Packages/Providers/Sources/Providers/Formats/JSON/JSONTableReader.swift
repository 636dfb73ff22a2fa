internal import Primitives
internal import SQLiteCore

/// Takes the rows of an ordinary text in JSON, in one pass, from bytes that come in parts.
struct JSONTableReader {
  struct Table {
    let name: String
    let root: Int
    let node: Int
    let owner: Int
    let isLinked: Bool
    var builder: TableCollector.Builder?
    var rows = RowNumbers()
    /// The nodes of its columns; -1 for those that link it.
    var nodes: [Int] = []
    /// The names that were asked for.
    var names: Set<ExactText> = []
    var parentColumn = -1
    var positionColumn = -1
  }

  /// A container that is open, or the text itself.
  struct Level {
    enum Kind { case document, rows, object, elements }

    let kind: Kind
    let table: Int
    /// What its values are members of.
    let node: Int
    /// Whether it is a row of its table.
    var isRow = false
    /// Of the next element, from 0.
    var position = 0
    /// The row of the owner that rows belong to.
    var parentRow = 0
  }

  let kind: JSONLayout.Kind
  let options: JSONProvider.Options
  let collector: TableCollector
  var reader: JSONEventReader
  var members = JSONMembers()
  var tables: [Table] = []
  var levels: [Level] = []
  /// What the innermost level says.
  var node = 0
  var builder: TableCollector.Builder?
  var heldTable = -1
  /// Whether a container has begun, and nothing of it has come.
  var isFresh = false
  /// The member whose container is kept as it is, as soon as it is all there.
  var kept: Int?
  /// The member whose array has begun, until its first element shows what it is.
  var undecided: Int?
  /// The names of tables, as SQL compares them.
  var tableNames: Set<FoldedName> = []

  init(
    _ kind: JSONLayout.Kind, named name: String, mode: JSONReadingOptions.Mode,
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

  /// How many of the bytes at hand are not needed any more.
  var readCount: Int {
    if undecided != nil { return 0 }
    return reader.firstNeededOffset
  }

  // MARK: Events

  /// Takes all that the bytes at hand say.
  ///
  /// - Returns: Whether the text is over.
  mutating func take(_ bytes: Span<UInt8>) throws -> Bool {
    if undecided != nil, try !decide(bytes) { return false }
    if kept != nil, try !keep(bytes) { return false }
    while true {
      let event = try builder.map { try fill($0, bytes) } ?? reader.event(in: bytes)
      if let isOver = try take(event, bytes) { return isOver }
    }
  }

  /// Takes rows, as long as nothing is new about them.
  ///
  /// - Returns: The first event that says more.
  private mutating func fill(
    _ builder: TableCollector.Builder, _ bytes: Span<UInt8>
  ) throws -> JSONEvent {
    // The row is held here, so that the builder need not be asked with each value.
    var draft = RowDraft()
    builder.exchange(&draft)
    defer { builder.exchange(&draft) }
    while true {
      let event = try reader.event(in: bytes)
      switch event {
      case .string, .integer, .double, .bool:
        guard set(event, of: &draft, bytes) else { return event }
      case .beginObject: guard beginsKnownObject() else { return event }
      case .endObject where isRow:
        builder.exchange(&draft)
        defer { builder.exchange(&draft) }
        try endContainer()
      case .endObject: guard endsKnownObject() else { return event }
      default: return event
      }
    }
  }

  /// Sets the column of a member that has one.
  ///
  /// - Returns: Whether the value is of a kind that the column has had.
  @inline(__always)
  private mutating func set(
    _ event: JSONEvent, of draft: inout RowDraft, _ bytes: Span<UInt8>
  ) -> Bool {
    let member = knownMember
    guard member >= 0 else { return false }
    let column = members[member].column
    guard column >= 0 else { return false }
    var traits: JSONMembers.Traits = []
    let isSet: Bool
    switch event {
    case .string: isSet = reader.withText(in: bytes) { draft.set(column, text: $0) }
    case .integer:
      traits = .integer
      isSet = draft.set(column, integer: reader.integer)
    case .double:
      if reader.double.isWhole { traits = .wholeReal }
      isSet = draft.set(column, real: reader.double)
    default: isSet = draft.set(column, boolean: reader.bool)
    }
    guard isSet else { return false }
    members[member].note(traits)
    isFresh = false
    return true
  }

  /// The member of the innermost object that has the event's value; -1 where it is new, or an array's.
  @inline(__always)
  private var knownMember: Int {
    reader.key >= 0 && !reader.isDuplicateKey ? members.child(of: node, reader.key) : -1
  }

  /// Begins an object that is a row, or whose members are columns as those before it here were.
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

  /// Takes what an event says.
  ///
  /// - Returns: Whether the text is over; `nil` where the next event is to be taken.
  private mutating func take(_ event: JSONEvent, _ bytes: Span<UInt8>) throws -> Bool? {
    switch event {
    case .string:
      guard let column = try column() else { return nil }
      reader.withText(in: bytes) { builder?.set(column, text: $0) }
      try endScalar()
    case .integer:
      guard let column = try column(.integer) else { return nil }
      builder?.set(column, integer: reader.integer)
      try endScalar()
    case .double:
      guard let column = try column(reader.double.isWhole ? .wholeReal : []) else { return nil }
      builder?.set(column, real: reader.double)
      try endScalar()
    case .bool:
      guard let column = try column() else { return nil }
      builder?.set(column, boolean: reader.bool)
      try endScalar()
    case .number:
      guard let column = try column() else { return nil }
      builder?.set(column, number: bytes.extracting(reader.range))
      try endScalar()
    case .null: try takeNull()
    case .beginObject: if try beginObject(), try !keep(bytes) { return false }
    case .endObject, .endArray: try endContainer()
    case .beginArray:
      try beginArray()
      if undecided != nil, try !decide(bytes) { return false }
      if kept != nil, try !keep(bytes) { return false }
    case .end: return true
    case .incomplete: return false
    }
    return nil
  }

  /// The column of a value; `nil` where the value does not count.
  @inline(never)
  private mutating func column(_ traits: JSONMembers.Traits = []) throws -> Int? {
    guard let member = try member() else { return nil }
    isFresh = false
    members[member].note(traits)
    return try column(of: member)
  }

  private mutating func takeNull() throws {
    guard let member = try member() else { return }
    isFresh = false
    let table = tables[currentTable]
    members.noteNull(member, row: table.rows.count + 1)
    // Where it is known to be an object or a row, there need not be a column for it.
    let isContainer =
      member == table.root || members.hasChildren(member) || members[member].table >= 0
    if !isContainer { _ = try column(of: member) }
    try endScalar()
  }

  private mutating func endScalar() throws {
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
  /// Whether it is an integer of those that all are doubles.
  @inline(__always)
  var isWhole: Bool { abs(self) < 1e15 && Double(Int64(self)) == self }
}

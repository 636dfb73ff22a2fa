internal import SQLiteCore

/// Takes the rows of an ordinary text in JSON, in one pass, from bytes that come in parts.
struct JSONTableReader {
  struct Table {
    let name: String
    let root: Int
    let node: Int
    let owner: Int
    let isLinked: Bool
    var builder: TableBuilder?
    var rows = RowNumbers()
    /// The nodes of its columns; -1 for those that link it.
    var nodes: [Int] = []
    /// The names that were asked for.
    var names: Set<String> = []
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
  let options: JSONOptions
  let collector: TableCollector
  var reader: JSONEventReader
  var members = JSONMembers()
  var tables: [Table] = []
  var levels: [Level] = []
  /// What the innermost level says.
  var node = 0
  var builder: TableBuilder?
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
    _ options: JSONOptions, into collector: TableCollector
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
    return reader.skipped?.start ?? reader.position
  }

  // MARK: Events

  /// Takes all that the bytes at hand say.
  ///
  /// - Returns: Whether the text is over.
  mutating func take(_ bytes: Span<UInt8>) throws -> Bool {
    if undecided != nil, try !decide(bytes) { return false }
    if kept != nil, try !keep(bytes) { return false }
    while true {
      // Held here, so that it need not be for each value.
      if let isOver = try take(bytes, into: builder) { return isOver }
    }
  }

  /// Takes what the bytes at hand say, as long as it goes into one table.
  private mutating func take(_ bytes: Span<UInt8>, into builder: TableBuilder?) throws -> Bool? {
    while true {
      switch try reader.next(in: bytes) {
      case .string:
        if let column = knownColumn(), let builder {
          reader.withText(in: bytes) { builder.set(column, text: $0) }
        } else if let column = try column() {
          reader.withText(in: bytes) { self.builder?.set(column, text: $0) }
          try endScalar()
          return nil
        }
      case .integer:
        if let column = knownColumn(.integer), let builder {
          builder.set(column, integer: reader.integer)
        } else if let column = try column(.integer) {
          self.builder?.set(column, integer: reader.integer)
          try endScalar()
          return nil
        }
      case .double:
        let traits: JSONMembers.Traits = reader.double.isWhole ? .wholeReal : []
        if let column = knownColumn(traits), let builder {
          builder.set(column, real: reader.double)
        } else if let column = try column(traits) {
          self.builder?.set(column, real: reader.double)
          try endScalar()
          return nil
        }
      case .bool:
        if let column = knownColumn(), let builder {
          builder.set(column, boolean: reader.bool)
        } else if let column = try column() {
          self.builder?.set(column, boolean: reader.bool)
          try endScalar()
          return nil
        }
      case .number:
        if let column = try column() {
          self.builder?.set(column, number: bytes.extracting(reader.range))
          try endScalar()
          return nil
        }
      case .null:
        try takeNull()
        return nil
      case .beginObject:
        if try beginObject(), try !keep(bytes) { return false }
        return nil
      case .endObject, .endArray:
        try endContainer()
        return nil
      case .beginArray:
        try beginArray()
        if undecided != nil, try !decide(bytes) { return false }
        if kept != nil, try !keep(bytes) { return false }
        return nil
      case .end: return true
      case .incomplete: return false
      }
    }
  }

  /// The column of a member that has one.
  @inline(__always)
  private mutating func knownColumn(_ traits: JSONMembers.Traits = []) -> Int? {
    guard reader.key >= 0, !reader.isDuplicateKey else { return nil }
    let member = members.child(of: node, reader.key)
    guard member >= 0 else { return nil }
    let column = members[member].column
    guard column >= 0 else { return nil }
    members[member].count &+= 1
    members[member].traits.formUnion(traits)
    isFresh = false
    return column
  }

  /// The column of a value; `nil` where the value does not count.
  @inline(never)
  private mutating func column(_ traits: JSONMembers.Traits = []) throws -> Int? {
    guard let member = try member() else { return nil }
    isFresh = false
    members[member].count += 1
    members[member].traits.formUnion(traits)
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

/// The encoder of a ``RowEncoder/Binding``, which writes a value's columns into a statement's parameters or a list.
final class BindingWriter: RowWriter {
  private let columns: [String]
  private let replacement: ((any Encodable.Type, String) -> RowEncoder.Binding.Replacement?)?
  private let adjustments: [String: (SQLiteValue) throws -> SQLiteValue]
  private let state = UncheckedBox(State())

  private struct State {
    /// The slots, in the order in which their keys were first encoded.
    var slots: [Slot] = []
    /// The slot of the expected next key.
    var next = 0
    /// The statement to bind to, or `nil` to fill ``values``.
    var statement: UnretainedReference<Statement>?
    var values: [SQLiteValue] = []
    /// The columns that are written through nested containers, whose values are complete at the end.
    var nestedWriters: [(column: Int, writer: ColumnWriter)] = []
  }

  /// Cached information about a key.
  private struct Slot {
    let key: String
    /// The key's column, counted from 0, or -1 if it has none.
    let column: Int
    /// Indicates whether values are written unchanged: the key has a column and no ``adjustment``.
    let isPlain: Bool
    let adjustment: ((SQLiteValue) throws -> SQLiteValue)?
    /// The type that was last encoded for the key, unless it is a primitive type.
    var type: ObjectIdentifier?
    var access = Access.content
  }

  /// The way to write a type.
  private enum Access {
    case bindable(any SQLiteBindable.Type)
    case replaced(RowEncoder.Binding.Replacement)
    /// The encoder decides for each value.
    case content
  }

  init(
    columns: [String], settings: RowEncoder,
    adjustments: [String: (SQLiteValue) throws -> SQLiteValue],
    replacement: ((any Encodable.Type, String) -> RowEncoder.Binding.Replacement?)?
  ) {
    self.columns = columns
    self.adjustments = adjustments
    self.replacement = replacement
    super.init(settings: settings)
  }

  // MARK: Rows

  /// Encodes a value and binds its columns to the statement, which the caller retains.
  func bind(_ value: some Encodable, to statement: Statement) throws {
    state.value.statement = UnretainedReference(statement)
    defer { state.value.statement = nil }
    try write(value)
  }

  /// Returns a value's columns.
  func values(of value: some Encodable) throws -> [SQLiteValue] {
    state.value.values = Array(repeating: .null, count: columns.count)
    defer { state.value.values = [] }
    try write(value)
    return state.value.values
  }

  private func write(_ value: some Encodable) throws {
    state.value.next = 0
    defer { if !state.value.nestedWriters.isEmpty { state.value.nestedWriters = [] } }
    try value.encode(to: self)
    if isUnnamed { throw unnamedColumns() }
    // The nested containers are complete now.
    for nested in state.value.nestedWriters {
      try store(try Self.value(of: try nested.writer.content()), at: nested.column)
    }
  }

  // MARK: Keys

  @inline(__always)
  private func slot(_ name: String) -> Int {
    let slot = state.value.next
    if slot < state.value.slots.count, state.value.slots[slot].key == name {
      state.value.next = slot + 1
      return slot
    }
    return findSlot(name)
  }

  @inline(never)
  private func findSlot(_ key: String) -> Int {
    if let found = state.value.slots.firstIndex(where: { $0.key.hasSameBytes(as: key) }) {
      state.value.next = found + 1
      return found
    }
    // Limits memory use if the keys differ from value to value.
    if state.value.slots.count > 64 + 4 * columns.count { state.value.slots = [] }
    let name = settings.keyEncodingStrategy.column(of: key)
    let column = columns.firstIndex { $0.hasSameBytes(as: name) }
    let adjustment = column.flatMap { adjustments[columns[$0]] }
    let slot = state.value.slots.count
    state.value.slots.append(
      Slot(
        key: key, column: column ?? -1, isPlain: column != nil && adjustment == nil,
        adjustment: adjustment))
    state.value.next = slot + 1
    return slot
  }

  private func unknownKeyError(_ slot: Int) -> SQLiteError {
    let key = state.value.slots[slot].key
    return SQLiteError(
      code: .unknownColumn,
      message: "the value encodes the key \(key), which is not one of the columns",
      column: .init(name: key, table: nil, origin: nil))
  }

  // MARK: Columns

  override func write(_ value: SQLiteValue, for key: String) throws {
    let slot = slot(key)
    if case .real(let number) = value, number.isNaN {
      throw addingColumn(Self.notANumberError(), slot)
    }
    guard state.value.slots[slot].isPlain else { return try writeSpecial(value, slot) }
    try store(value, at: state.value.slots[slot].column)
  }

  /// Writes for a key that has no column, or whose values are adjusted.
  @inline(never)
  private func writeSpecial(_ value: SQLiteValue, _ slot: Int) throws {
    let column = state.value.slots[slot].column
    guard column >= 0 else {
      if value.isNull { return }
      throw unknownKeyError(slot)
    }
    try store(try adjusted(value, slot), at: column)
  }

  private func adjusted(_ value: SQLiteValue, _ slot: Int) throws -> SQLiteValue {
    guard let adjustment = state.value.slots[slot].adjustment else { return value }
    return try adjustment(value)
  }

  private static func notANumberError() -> SQLiteError {
    SQLiteError(
      code: .valueOutOfRange, message: "the value is NaN, which SQLite can't store")
  }

  @inline(__always)
  private func store(_ value: SQLiteValue, at column: Int) throws {
    guard let statement = state.value.statement else {
      state.value.values[column] = value
      return
    }
    try statement.withObject { statement in
      try value.bind(to: statement, at: ParameterIndex(column + 1))
    }
  }

  override func write<T: Encodable>(encodable value: T, for key: String) throws {
    let slot = slot(key)
    let typeID = ObjectIdentifier(T.self)
    if state.value.slots[slot].type != typeID { findAccess(T.self, typeID, slot) }
    switch state.value.slots[slot].access {
    case .bindable(let type):
      guard state.value.slots[slot].isPlain, state.value.statement != nil else {
        return try writeContent(bindable(type, value), slot)
      }
      do {
        try bind(type, value, at: ParameterIndex(state.value.slots[slot].column + 1))
      } catch let error as SQLiteError {
        throw addingColumn(error, slot)
      }
    case .replaced(let replacement):
      guard let replaced = try replacement(value) else { return }
      try writeContent(replaced, slot)
    case .content: try writeContent(try settings.content(value), slot)
    }
  }

  @inline(never)
  private func writeContent(_ content: any SQLiteBindable, _ slot: Int) throws {
    let column = state.value.slots[slot].column
    guard column >= 0 else { throw unknownKeyError(slot) }
    let value: SQLiteValue
    do {
      value = try Self.value(of: content)
    } catch let error as SQLiteError {
      throw addingColumn(error, slot)
    }
    try store(try adjusted(value, slot), at: column)
  }

  private static func value(of content: any SQLiteBindable) throws -> SQLiteValue {
    let isNaN =
      switch content {
      case let number as Double: number.isNaN
      case let number as Float: number.isNaN
      case SQLiteValue.real(let number): number.isNaN
      default: false
      }
    if isNaN { throw notANumberError() }
    return try content.sqliteValue
  }

  /// Returns the encoder of a column that is written through nested containers.
  override func nestedWriter(for key: some CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key)
    if hasEnded { return writer }
    let column = state.value.slots[slot(key.stringValue)].column
    if column >= 0 { state.value.nestedWriters.append((column, writer)) }
    return writer
  }

  // MARK: Types

  @inline(never)
  private func findAccess(_ type: any Encodable.Type, _ typeID: ObjectIdentifier, _ slot: Int) {
    let access: Access =
      if let replacement = replacement?(type, state.value.slots[slot].key) {
        .replaced(replacement)
      } else if settings.usesOwnConformance(type), let bindable = type as? any SQLiteBindable.Type {
        .bindable(bindable)
      } else {
        .content
      }
    state.value.slots[slot].type = typeID
    state.value.slots[slot].access = access
  }

  private func bind<B: SQLiteBindable, T>(
    _ type: B.Type, _ value: T, at index: ParameterIndex
  ) throws {
    try state.value.statement?.withObject { statement in
      try identityCast(value, as: type).bind(to: statement, at: index)
    }
  }

  private func bindable<B: SQLiteBindable, T>(
    _ type: B.Type, _ value: T
  ) -> any SQLiteBindable {
    identityCast(value, as: type)
  }

  private func addingColumn(_ error: SQLiteError, _ slot: Int) -> SQLiteError {
    guard error.column == nil else { return error }
    return SQLiteError(
      code: error.code, message: error.message, sql: error.sql, offset: error.offset,
      expandedSQL: error.expandedSQL,
      column: .init(name: state.value.slots[slot].key, table: nil, origin: nil))
  }
}

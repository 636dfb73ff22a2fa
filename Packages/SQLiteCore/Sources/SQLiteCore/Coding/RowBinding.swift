/// Encodes values of one type, whose columns are known beforehand, again and again: straight into the
/// parameters of a statement, or as values.
///
/// A ``RowEncoder`` finds out a value's columns each time, and what each column's type is; this finds
/// them once. It is for who writes many rows, and for who writes some columns in a way of their own.
///
/// ```swift
/// let binding = RowBinding(columns: ["id", "name", "score"])
/// let insert = try connection.prepare("INSERT INTO player (id, name, score) VALUES (?, ?, ?)")
/// for player in players {
///   try binding.bind(player, to: insert)
///   try insert.run()
/// }
/// ```
///
/// The rules are those of ``RowEncoder``, but for these:
///
/// - A column that a value does not encode is NULL.
/// - A key that is none of the columns is an error of code ``SQLiteError/Code/unknownColumn``, unless
///   what is encoded for it is `nil`.
/// - A NaN is an error of code ``SQLiteError/Code/valueOutOfRange``: SQLite would store NULL.
///
/// It belongs to one thread at a time. The encoder that an `encode(to:)` gets is good until that
/// returns.
public final class RowBinding {
  /// What takes the place of encoding a value: gives the column's value, or `nil` where the value is
  /// to have no part in the row.
  public typealias Replacement = (any Encodable) throws -> SQLiteValue?

  /// The columns, in the order of the parameters.
  public let columns: [String]
  let settings: RowEncoder
  private let replacement: ((any Encodable.Type, String) -> Replacement?)?
  private let adjustments: [String: (SQLiteValue) throws -> SQLiteValue]
  private let state = UncheckedBox(State())
  private var writer: RowWriter?
  private var scratch: Connection?

  private struct State {
    /// In the order in which keys were encoded first.
    var slots: [Slot] = []
    /// The slot of the key that likely comes next.
    var next = 0
    /// What is bound to; `nil` where ``values`` are wanted.
    var statement: Statement?
    var values: [SQLiteValue] = []
    /// The columns that are written piece by piece, which are known at the end.
    var pieces: [(column: Int, writer: ColumnWriter)] = []
  }

  /// What is known of a key.
  private struct Slot {
    let key: String
    /// The number of its column, from 0; `nil` where it has none.
    let column: Int?
    let adjustment: ((SQLiteValue) throws -> SQLiteValue)?
    /// The type that was last encoded for it, if not one of the primitive ones.
    var type: ObjectIdentifier?
    var access = Access.content
  }

  /// How a type is written.
  private enum Access {
    case bindable(any SQLiteBindable.Type)
    case replaced(Replacement)
    /// As the encoder finds with each value.
    case content
  }

  /// - Parameters:
  ///   - columns: The columns, each of which is a parameter of the statements that are bound to.
  ///   - encoder: How values become columns.
  ///   - adjusting: What is made of the values of some columns before they are written, by column.
  ///   - replacing: Asked once for each type that is encoded, with the key that it is encoded for, unless it
  ///     is a Boolean, a number of the library or a `String`; `nil` where it is to be encoded as usual.
  public init(
    columns: [String], encoder: RowEncoder = RowEncoder(),
    adjusting: [String: (SQLiteValue) throws -> SQLiteValue] = [:],
    replacing: ((_ type: any Encodable.Type, _ key: String) -> Replacement?)? = nil
  ) {
    self.columns = columns
    settings = encoder
    adjustments = adjusting
    replacement = replacing
  }

  /// Binds the columns of a value to the parameters of a statement, by their numbers.
  ///
  /// - Throws: What ``RowEncoder/encode(_:)`` throws; ``SQLiteError`` with code
  ///   ``SQLiteError/Code/parameterCount`` where the statement has not a parameter for each column, and
  ///   of a value that can't be bound. All parameters are NULL then.
  public func bind(_ value: some Encodable, to statement: Statement) throws {
    try statement.checkParameterCount(columns.count)
    statement.beginBindingAll()
    state.value.statement = statement
    do {
      try write(value)
    } catch {
      state.value.statement = nil
      statement.abandonBindingAll()
      throw error
    }
    state.value.statement = nil
    statement.endBindingAll()
  }

  /// The columns of a value, in the order of ``columns``.
  ///
  /// - Throws: As ``bind(_:to:)`` does.
  public func values(of value: some Encodable) throws -> [SQLiteValue] {
    state.value.values = Array(repeating: .null, count: columns.count)
    defer { state.value.values = [] }
    try write(value)
    return state.value.values
  }

  private func write(_ value: some Encodable) throws {
    state.value.next = 0
    let writer = writer ?? RowWriter(binding: self)
    self.writer = nil
    do {
      try value.encode(to: writer)
      if writer.isUnnamed { throw writer.unnamedColumns() }
      if !state.value.pieces.isEmpty { try writePieces() }
    } catch {
      writer.end()
      state.value.pieces = []
      throw error
    }
    reuse(writer)
  }

  /// Keeps the encoder for the next value, unless someone else has kept it.
  private func reuse(_ writer: consuming RowWriter) {
    var last = writer
    if isKnownUniquelyReferenced(&last) { self.writer = last } else { last.end() }
  }

  private func writePieces() throws {
    let pieces = state.value.pieces
    state.value.pieces = []
    for piece in pieces {
      try put(try value(of: try piece.writer.content()), at: piece.column)
    }
  }

  // MARK: Keys

  @inline(__always)
  private func slot(_ key: some CodingKey) -> Int {
    let name = key.stringValue
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
    // Keys that change from value to value must not fill the memory.
    if state.value.slots.count > 64 + 4 * columns.count { state.value.slots = [] }
    let name = settings.keyEncodingStrategy.column(of: key)
    let column = columns.firstIndex { $0.hasSameBytes(as: name) }
    let slot = state.value.slots.count
    state.value.slots.append(
      Slot(key: key, column: column, adjustment: column.flatMap { adjustments[columns[$0]] }))
    state.value.next = slot + 1
    return slot
  }

  private func noColumn(_ slot: Int) -> SQLiteError {
    let key = state.value.slots[slot].key
    return SQLiteError(
      code: .unknownColumn, message: "the value encodes the key \(key), which is none of the columns",
      column: .init(name: key, table: nil, origin: nil))
  }

  // MARK: Columns

  @inline(__always)
  func write(_ value: SQLiteValue, for key: some CodingKey) throws {
    let slot = slot(key)
    guard let column = state.value.slots[slot].column else {
      if case .null = value { return }
      throw noColumn(slot)
    }
    if state.value.slots[slot].adjustment != nil {
      return try writeAdjusted(value, slot: slot, column: column)
    }
    try put(value, at: column)
  }

  func writeReal(_ value: Double, for key: some CodingKey) throws {
    if value.isNaN { throw named(Self.notANumber(), slot(key)) }
    try write(.real(value), for: key)
  }

  private static func notANumber() -> SQLiteError {
    SQLiteError(code: .valueOutOfRange, message: "the value is not a number, which SQLite has no value for")
  }

  @inline(never)
  private func writeAdjusted(_ value: SQLiteValue, slot: Int, column: Int) throws {
    guard let adjustment = state.value.slots[slot].adjustment else { return }
    try put(try adjustment(value), at: column)
  }

  @inline(__always)
  private func put(_ value: SQLiteValue, at column: Int) throws(SQLiteError) {
    guard let statement = state.value.statement else {
      state.value.values[column] = value
      return
    }
    let index = ParameterIndex(column + 1)
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bindInteger(value, at: index)
    case .real(let value): try statement.bindReal(value, at: index)
    case .text(let value): try statement.bindText(value, at: index)
    case .blob(let bytes): try statement.bindBlob(bytes, at: index)
    }
  }

  func write<T: Encodable>(encodable value: T, for key: some CodingKey) throws {
    let slot = slot(key)
    let identity = ObjectIdentifier(T.self)
    if state.value.slots[slot].type != identity { findAccess(T.self, identity, slot) }
    let column = state.value.slots[slot].column
    switch state.value.slots[slot].access {
    case .bindable(let type):
      guard let column else { throw noColumn(slot) }
      if state.value.statement == nil || state.value.slots[slot].adjustment != nil {
        return try writeContent(.bindable(try bindable(type, value)), slot)
      }
      do throws(SQLiteError) {
        try bind(type, value, at: ParameterIndex(column + 1))
      } catch {
        throw named(error, slot)
      }
    case .replaced(let replacement):
      guard let made = try replacement(value) else { return }
      try writeContent(.value(made), slot)
    case .content: try writeContent(try settings.content(value), slot)
    }
  }

  @inline(never)
  private func writeContent(_ content: EncodedContent, _ slot: Int) throws {
    guard let column = state.value.slots[slot].column else { throw noColumn(slot) }
    let value: SQLiteValue
    do {
      value = try self.value(of: content)
    } catch let error as SQLiteError {
      throw named(error, slot)
    }
    let adjustment = state.value.slots[slot].adjustment
    try put(adjustment.map { try $0(value) } ?? value, at: column)
  }

  private func value(of content: EncodedContent) throws -> SQLiteValue {
    let value = try content.value(scratch: &scratch)
    if case .real(let number) = value, number.isNaN { throw Self.notANumber() }
    return value
  }

  /// The encoder of a column that is written piece by piece.
  func pieces(for key: some CodingKey) -> ColumnWriter {
    let writer = ColumnWriter(settings: settings, key: key)
    if let column = state.value.slots[slot(key)].column {
      state.value.pieces.append((column, writer))
    }
    return writer
  }

  // MARK: Types

  @inline(never)
  private func findAccess(_ type: any Encodable.Type, _ identity: ObjectIdentifier, _ slot: Int) {
    let access: Access =
      if let made = replacement?(type, state.value.slots[slot].key) {
        .replaced(made)
      } else if settings.leavesToItself(type), let bindable = type as? any SQLiteBindable.Type {
        .bindable(bindable)
      } else {
        .content
      }
    state.value.slots[slot].type = identity
    state.value.slots[slot].access = access
  }

  private func bind<B: SQLiteBindable, T>(
    _ type: B.Type, _ value: T, at index: ParameterIndex
  ) throws(SQLiteError) {
    guard let statement = state.value.statement else { return }
    try identity(value, as: type).bind(to: statement, at: index)
  }

  private func bindable<B: SQLiteBindable, T>(
    _ type: B.Type, _ value: T
  ) throws -> any SQLiteBindable {
    identity(value, as: type)
  }

  private func named(_ error: SQLiteError, _ slot: Int) -> SQLiteError {
    guard error.column == nil else { return error }
    return SQLiteError(
      code: error.code, message: error.message, sql: error.sql, offset: error.offset,
      expandedSQL: error.expandedSQL,
      column: .init(name: state.value.slots[slot].key, table: nil, origin: nil))
  }
}

@available(*, unavailable) extension RowBinding: Sendable {}

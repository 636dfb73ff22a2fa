/// The decoder that values find: reads the row that a statement stands at, key by key.
///
/// One serves all rows of a fetch. Most types ask for the same keys in the same order each time, so what
/// was found for a row's first, second, third key is looked for there in the next row: a comparison
/// of two names takes the place of looking the column up.
@usableFromInline
final class RowReader: Decoder {
  let row: Row
  let settings: RowDecoder
  /// What the names of this reader's columns begin with: empty, but for a value in another one.
  let prefix: String
  /// Whether the row may be read: not once the value is made.
  private(set) var isLive = true
  private let known: UncheckedBox<KnownKeys>
  /// What ``convertedKeys`` made.
  var cachedKeys: ConvertedKeys?
  /// The readers of nested values, by their keys; `nil` for a key that has no columns of its own.
  private var children: [(key: String, reader: RowReader?)] = []
  /// What ``columns`` found.
  var cachedColumns: [Int]?
  private var lastType: ObjectIdentifier?
  private var lastAccess = ColumnAccess.coded
  /// Whether JSON was opened since this was last set to `false`: a failure is then likely its own.
  var hasOpenedJSON = false

  /// The keys that were asked for.
  private struct KnownKeys {
    /// In the order in which they were asked for first.
    var slots: [Slot] = []
    /// The slot of the key that is likely asked for next.
    var next = 0
    /// Whether each slot's column has the slot's number so far.
    var isInOrder = true
  }

  /// What is known of a key.
  private struct Slot {
    let key: String
    let column: Int?
    /// The type that the column was last read as, if not one of the primitive ones.
    var type: ObjectIdentifier?
    var access = ColumnAccess.coded
  }

  init(_ row: borrowing Row, settings: RowDecoder, prefix: String = "") {
    self.row = Row(cursor: row.cursor, columns: row.columns)
    self.settings = settings
    self.prefix = prefix
    known = UncheckedBox(KnownKeys())
  }

  /// A reader of the same rows, in the place of one that someone keeps.
  init(replacing other: RowReader) {
    row = Row(cursor: other.row.cursor, columns: other.row.columns)
    settings = other.settings
    prefix = other.prefix
    known = UncheckedBox(other.known.value)
    known.value.next = 0
    cachedKeys = other.cachedKeys
  }

  /// Goes on to the next row.
  @inline(__always)
  func beginRow() {
    known.value.next = 0
    if !children.isEmpty { beginRowOfChildren() }
  }

  /// Refuses all reading from now on.
  func end() {
    isLive = false
    for child in children { child.reader?.end() }
    children = []
  }

  /// Lets go of the children that someone keeps, for these must not read another row.
  private func beginRowOfChildren() {
    for index in children.indices {
      guard let child = children[index].reader.take() else { continue }
      children[index].reader = child.readyForNextRow()
    }
  }

  /// This reader, or another one in its place where someone keeps it.
  consuming func readyForNextRow() -> RowReader {
    var reader = self
    if isKnownUniquelyReferenced(&reader) {
      reader.beginRow()
      return reader
    }
    reader.end()
    return RowReader(replacing: reader)
  }

  // MARK: Decoder

  @usableFromInline var codingPath: [any CodingKey] {
    prefix.isEmpty ? [] : [ColumnKey(stringValue: prefix)]
  }

  @usableFromInline var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  @usableFromInline
  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard isLive else { throw expired() }
    return KeyedDecodingContainer(KeyedColumns<Key>(reader: self))
  }

  @usableFromInline
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard isLive else { throw expired() }
    return PositionedColumns(reader: self)
  }

  @usableFromInline
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard isLive else { throw expired() }
    return WholeRow(reader: self)
  }

  // MARK: Keys

  /// The column of a key; `nil` where there is none.
  @inline(__always)
  func column(_ key: some CodingKey) -> Int? {
    known.value.slots[slot(key)].column
  }

  /// The number of a key's slot, in which what is known of it is kept.
  @inline(__always)
  func slot(_ key: some CodingKey) -> Int {
    let name = key.stringValue
    let slot = known.value.next
    if slot < known.value.slots.count, known.value.slots[slot].key == name {
      known.value.next = slot + 1
      return slot
    }
    return findSlot(name)
  }

  @inline(never)
  private func findSlot(_ name: String) -> Int {
    let slots = known.value.slots
    let next = known.value.next
    // Asked for again, then: `contains` before `decode`; or in another order than before.
    if next > 0, next <= slots.count, slots[next - 1].key == name { return next - 1 }
    if let found = slots.firstIndex(where: { $0.key == name }) {
      known.value.next = found + 1
      return found
    }
    return addSlot(name)
  }

  private func addSlot(_ name: String) -> Int {
    // Keys that change from row to row must not fill the memory.
    if known.value.slots.count > 64 + 4 * row.columnCount { known.value = KnownKeys() }
    let slot = known.value.slots.count
    let column = findColumn(name, slot)
    known.value.isInOrder = known.value.isInOrder && column == slot
    known.value.slots.append(Slot(key: name, column: column))
    known.value.next = slot + 1
    return slot
  }

  private func findColumn(_ key: String, _ slot: Int) -> Int? {
    let name = prefix.isEmpty ? key : prefix + key
    guard settings.keyDecodingStrategy.isDefault else { return convertedKeys.columns[name] }
    let names = row.columns.names
    // Where every key so far was the column of its number, no earlier column can have this name.
    if known.value.isInOrder, slot < names.count, names[slot] == name { return slot }
    return row.columns.index(named: name)
  }

  // MARK: Slots

  @inline(__always)
  func column(ofSlot slot: Int) -> Int? { known.value.slots[slot].column }

  /// How the column of a slot is read as a type.
  @inline(__always)
  func access<T>(to type: T.Type, slot: Int) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if known.value.slots[slot].type == identity { return known.value.slots[slot].access }
    return makeAccess(to: type, identity, slot)
  }

  @inline(never)
  private func makeAccess(
    to type: Any.Type, _ identity: ObjectIdentifier, _ slot: Int
  ) -> ColumnAccess {
    let access = ColumnAccess(type, settings)
    known.value.slots[slot].type = identity
    known.value.slots[slot].access = access
    return access
  }

  /// How a column that has no slot is read as a type.
  func access<T>(to type: T.Type) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if lastType == identity { return lastAccess }
    lastAccess = ColumnAccess(type, settings)
    lastType = identity
    return lastAccess
  }

  /// The reader of a nested value's own columns; `nil` where it has none.
  func child(_ key: String) -> RowReader? {
    guard let separator = settings.nestedColumnSeparator, !separator.isEmpty else { return nil }
    if let known = children.first(where: { $0.key == key }) { return known.reader }
    let childPrefix = prefix + key + separator
    var child: RowReader?
    if columnKeys.contains(where: { $0.hasPrefix(childPrefix) }) {
      child = RowReader(row, settings: settings, prefix: childPrefix)
      child?.cachedKeys = cachedKeys
    }
    children.append((key, child))
    return child
  }

  /// Whether all columns of this reader are NULL: of an outer join that found no row, say.
  func isAllNull() throws(SQLiteError) -> Bool {
    guard isLive else { throw expired() }
    for index in columns {
      if try !row.isNull(at: ColumnIndex(index)) { return false }
    }
    return true
  }
}

extension RowReader {
  @inline(never)
  func expired() -> SQLiteError {
    SQLiteError(
      code: .decoderExpired,
      message: "the decoder or its container was kept, and is used after its row was decoded")
  }

  /// The error of a key that is the name of no column.
  @inline(never)
  func unknownColumn(_ key: String) -> SQLiteError {
    let tables = Set((0..<row.columnCount).compactMap { row.columns.describe($0).table })
    let name = prefix + key
    return SQLiteError(
      code: .unknownColumn, message: "the result has no column for the key \(name)",
      sql: row.columns.sql,
      column: .init(name: name, table: tables.count == 1 ? tables.first : nil, origin: nil))
  }

  /// The error of a list that is read past the last column.
  func noColumn(_ index: Int) -> SQLiteError {
    SQLiteError(
      code: .unknownColumn,
      message: "the result has \(row.columnCount) columns, and none with number \(index)",
      sql: row.columns.sql)
  }

  /// What to throw for what a type threw that read one column.
  ///
  /// The library's errors of raw values and of JSON know no column and no statement. What a type of
  /// the user's throws by itself is left as it is.
  func translated(_ error: any Error, of type: Any.Type, at column: Int) -> any Error {
    guard let error = error as? DecodingError else { return error }
    let index = ColumnIndex(column)
    switch error {
    case .dataCorrupted(let context):
      guard type is any RawRepresentable.Type, !hasOpenedJSON, context.underlyingError == nil else {
        return error
      }
      return row.outOfRange(for: "\(type)", at: index)
    case .keyNotFound(let key, let context):
      return hasOpenedJSON
        ? unfitJSON("there is no key \(key.stringValue)", context, at: index) : error
    case .valueNotFound(let type, let context):
      return hasOpenedJSON ? unfitJSON("there is no \(type)", context, at: index) : error
    case .typeMismatch(let type, let context):
      return hasOpenedJSON ? unfitJSON("the value is no \(type)", context, at: index) : error
    @unknown default: return error
    }
  }

  private func unfitJSON(
    _ message: String, _ context: DecodingError.Context, at index: ColumnIndex
  ) -> SQLiteError {
    let path = KeyPathText(path: context.codingPath).description
    return row.unreadable(
      "the JSON does not fit: \(message)\(path.isEmpty ? "" : " at \(path)")", code: .invalidJSON,
      at: index)
  }
}

/// The decoder that is passed to row types: reads a statement's current row by keys.
///
/// One reader serves all rows of a fetch. Most types request the same keys in the same order for each row. The reader
/// therefore first compares a key with the key at the same position in the previous row, and looks the column up only
/// if they differ.
@usableFromInline
final class RowReader: Decoder {
  let row: Row
  let settings: RowDecoder
  /// The common prefix of this reader's column names: empty, except for a nested value.
  let prefix: String
  /// Indicates whether the row can be read. False once the value is decoded.
  private(set) var isLive = true
  private let keyCache: UncheckedBox<KeyLookupCache>
  /// The cached result of ``convertedKeys``.
  var cachedKeys: ConvertedKeys?
  /// The readers of nested values by key, or `nil` for a key without its own columns.
  private var children: [(key: String, reader: RowReader?)] = []
  /// The cached result of ``columns``.
  var cachedColumns: [Int]?
  private var lastType: ObjectIdentifier?
  private var lastAccess = ColumnAccess.coded
  /// Indicates whether JSON was opened since this was last set to `false`. A decoding error then most likely comes from
  /// the JSON.
  var hasOpenedJSON = false

  /// The cache of key lookups.
  private struct KeyLookupCache {
    /// The slots, in the order in which their keys were first requested.
    var slots: [Slot] = []
    /// The slot of the expected next key.
    var next = 0
    /// Indicates whether each slot so far has the column with the same index.
    var isInOrder = true
  }

  /// Cached information about a key.
  private struct Slot {
    let key: String
    let column: Int?
    /// The type that the column was last read as, unless it is a primitive type.
    var type: ObjectIdentifier?
    var access = ColumnAccess.coded
  }

  init(_ row: borrowing Row, settings: RowDecoder, prefix: String = "") {
    self.row = Row(cursor: row.cursor, columns: row.columns)
    self.settings = settings
    self.prefix = prefix
    keyCache = UncheckedBox(KeyLookupCache())
  }

  /// Creates a reader of the same rows, to replace one that is still referenced.
  init(replacing other: RowReader) {
    row = Row(cursor: other.row.cursor, columns: other.row.columns)
    settings = other.settings
    prefix = other.prefix
    keyCache = UncheckedBox(other.keyCache.value)
    keyCache.value.next = 0
    cachedKeys = other.cachedKeys
  }

  /// Begins the next row.
  @inline(__always)
  func beginRow() {
    keyCache.value.next = 0
    if !children.isEmpty { beginRowOfChildren() }
  }

  /// Ends the reader: further reads throw an error.
  func end() {
    isLive = false
    for child in children { child.reader?.end() }
    children = []
  }

  /// Replaces the children that are still referenced, since these must not read another row.
  private func beginRowOfChildren() {
    for index in children.indices {
      guard let child = children[index].reader.take() else { continue }
      children[index].reader = child.readyForNextRow()
    }
  }

  /// Returns this reader, or a replacement if it is still referenced.
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
    return UnkeyedColumns(reader: self)
  }

  @usableFromInline
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard isLive else { throw expired() }
    return SingleValueRow(reader: self)
  }

  // MARK: Keys

  /// Returns the column of a key, or `nil` if there is none.
  @inline(__always)
  func column(_ key: some CodingKey) -> Int? {
    keyCache.value.slots[slot(key)].column
  }

  /// Returns the index of a key's slot.
  @inline(__always)
  func slot(_ key: some CodingKey) -> Int {
    let name = key.stringValue
    let slot = keyCache.value.next
    if slot < keyCache.value.slots.count, keyCache.value.slots[slot].key == name {
      keyCache.value.next = slot + 1
      return slot
    }
    return findSlot(name)
  }

  @inline(never)
  private func findSlot(_ name: String) -> Int {
    let slots = keyCache.value.slots
    let next = keyCache.value.next
    // The key was requested again, as by `contains` before `decode`, or in another order than before.
    if next > 0, next <= slots.count, slots[next - 1].key == name { return next - 1 }
    if let found = slots.firstIndex(where: { $0.key == name }) {
      keyCache.value.next = found + 1
      return found
    }
    return addSlot(name)
  }

  private func addSlot(_ name: String) -> Int {
    // Limits memory use if the keys differ from row to row.
    if keyCache.value.slots.count > 64 + 4 * row.columnCount { keyCache.value = KeyLookupCache() }
    let slot = keyCache.value.slots.count
    let column = findColumn(name, slot)
    keyCache.value.isInOrder = keyCache.value.isInOrder && column == slot
    keyCache.value.slots.append(Slot(key: name, column: column))
    keyCache.value.next = slot + 1
    return slot
  }

  private func findColumn(_ key: String, _ slot: Int) -> Int? {
    let name = prefix.isEmpty ? key : prefix + key
    guard settings.keyDecodingStrategy.isDefault else { return convertedKeys.columns[name] }
    let names = row.columns.names
    // If every key so far was the column with the same index, no earlier column can have this name.
    if keyCache.value.isInOrder, slot < names.count, names[slot] == name { return slot }
    return row.columns.index(named: name)
  }

  // MARK: Slots

  @inline(__always)
  func column(ofSlot slot: Int) -> Int? { keyCache.value.slots[slot].column }

  /// Returns the way to read a slot's column as a type.
  @inline(__always)
  func access<T>(to type: T.Type, slot: Int) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if keyCache.value.slots[slot].type == identity { return keyCache.value.slots[slot].access }
    return makeAccess(to: type, identity, slot)
  }

  @inline(never)
  private func makeAccess(
    to type: Any.Type, _ identity: ObjectIdentifier, _ slot: Int
  ) -> ColumnAccess {
    let access = ColumnAccess(type, settings)
    keyCache.value.slots[slot].type = identity
    keyCache.value.slots[slot].access = access
    return access
  }

  /// Returns the way to read a column without a slot as a type.
  func access<T>(to type: T.Type) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if lastType == identity { return lastAccess }
    lastAccess = ColumnAccess(type, settings)
    lastType = identity
    return lastAccess
  }

  /// Returns the reader of a nested value's columns, or `nil` if it has none.
  func child(_ key: String) -> RowReader? {
    guard let separator = settings.nestedColumnSeparator, !separator.isEmpty else { return nil }
    if let keyCache = children.first(where: { $0.key == key }) { return keyCache.reader }
    let childPrefix = prefix + key + separator
    var child: RowReader?
    if columnKeys.contains(where: { $0.hasPrefix(childPrefix) }) {
      child = RowReader(row, settings: settings, prefix: childPrefix)
      child?.cachedKeys = cachedKeys
    }
    children.append((key, child))
    return child
  }

  /// Returns whether all columns of this reader are NULL, as in an outer join without a matching row.
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
      message: "the decoder or its container was used after its row was decoded")
  }

  /// Returns the error for a key without a column.
  @inline(never)
  func unknownColumn(_ key: String) -> SQLiteError {
    let tables = Set((0..<row.columnCount).compactMap { row.columns.describe($0).table })
    let name = prefix + key
    return SQLiteError(
      code: .unknownColumn, message: "the result has no column for the key \(name)",
      sql: row.columns.sql,
      column: .init(name: name, table: tables.count == 1 ? tables.first : nil, origin: nil))
  }

  /// Returns the error for reading past the last column.
  func columnIndexError(_ index: Int) -> SQLiteError {
    SQLiteError(
      code: .unknownColumn,
      message: "the result has \(row.columnCount) columns, but column \(index) was requested",
      sql: row.columns.sql)
  }

  /// Returns the error to throw for an error of a type that decoded one column.
  ///
  /// The standard library's errors for raw values and JSON contain no column and no statement. Errors of the user's
  /// types are returned unchanged.
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
        ? invalidJSONError("there is no key \(key.stringValue)", context, at: index) : error
    case .valueNotFound(let type, let context):
      return hasOpenedJSON ? invalidJSONError("there is no \(type)", context, at: index) : error
    case .typeMismatch(let type, let context):
      return hasOpenedJSON
        ? invalidJSONError("the value is not a \(type)", context, at: index) : error
    @unknown default: return error
    }
  }

  private func invalidJSONError(
    _ message: String, _ context: DecodingError.Context, at index: ColumnIndex
  ) -> SQLiteError {
    let path = context.codingPath.pathDescription
    return row.unreadable(
      "the JSON does not fit the type: \(message)\(path.isEmpty ? "" : " at \(path)")",
      code: .invalidJSON, at: index)
  }
}

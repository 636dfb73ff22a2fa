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
  private let lender = Lender<RowReader>(pool)
  /// The keys in the order in which they are asked for.
  private var slots: [Slot] = []
  /// How the slots' columns are read as types.
  private var accesses: [SlotAccess] = []
  /// The slot of the key that is likely asked for next.
  private var next = 0
  /// Whether each slot's column has the slot's number so far.
  private var isInOrder = true
  private var cachedKeys: ConvertedKeys?
  /// The readers of nested values, by their keys; `nil` for a key that has no columns of its own.
  private var children: [(key: String, reader: RowReader?)] = []
  private var cachedColumns: [Int]?
  private var lastType: ObjectIdentifier?
  private var lastAccess = ColumnAccess.coded
  /// Whether JSON was opened since this was last set to `false`: a failure is then likely its own.
  var hasOpenedJSON = false

  /// What is known of a key.
  private struct Slot {
    let key: String
    let column: Int?
  }

  /// The type that a column was last read as, if not one of the primitive ones.
  private struct SlotAccess {
    var type: ObjectIdentifier?
    var access = ColumnAccess.coded
  }

  private static let pool = LoanPool<RowReader>()

  init(_ row: borrowing Row, settings: RowDecoder, prefix: String = "") {
    self.row = Row(cursor: row.cursor, columns: row.columns)
    self.settings = settings
    self.prefix = prefix
  }

  /// A reader of the same rows, in the place of one that someone keeps.
  init(replacing other: RowReader) {
    row = Row(cursor: other.row.cursor, columns: other.row.columns)
    settings = other.settings
    prefix = other.prefix
    slots = other.slots
    accesses = other.accesses
    isInOrder = other.isInOrder
    cachedKeys = other.cachedKeys
  }

  /// Goes on to the next row.
  @inline(__always)
  func beginRow() {
    next = 0
    lender.recall()
    if !children.isEmpty { beginRowOfChildren() }
  }

  /// Refuses all reading from now on.
  func end() {
    isLive = false
    lender.recall()
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
    return KeyedDecodingContainer(KeyedColumns<Key>(loan: lender.lend(self)))
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
    slots[slot(key)].column
  }

  /// The number of a key's slot, in which what is known of it is kept.
  @inline(__always)
  func slot(_ key: some CodingKey) -> Int {
    let name = key.stringValue
    let slot = next
    if slot < slots.count, slots[slot].key == name {
      next = slot + 1
      return slot
    }
    return findSlot(name)
  }

  @inline(never)
  private func findSlot(_ name: String) -> Int {
    // Asked for again, then: `contains` before `decode`; or in another order than before.
    if next > 0, next <= slots.count, slots[next - 1].key == name { return next - 1 }
    if let found = slots.firstIndex(where: { $0.key == name }) {
      next = found + 1
      return found
    }
    // Keys that change from row to row must not fill the memory.
    if slots.count > 64 + 4 * row.columnCount {
      slots = []
      accesses = []
      isInOrder = true
    }
    let slot = slots.count
    let column = findColumn(name)
    isInOrder = isInOrder && column == slot
    slots += [Slot(key: name, column: column)]
    accesses.append(SlotAccess())
    next = slot + 1
    return slot
  }

  private func findColumn(_ key: String) -> Int? {
    let name = prefix.isEmpty ? key : prefix + key
    guard settings.keyDecodingStrategy.isDefault else { return convertedKeys.columns[name] }
    let names = row.columns.names
    // Where every key so far was the column of its number, no earlier column can have this name.
    if isInOrder, slots.count < names.count, names[slots.count] == name { return slots.count }
    return row.columns.index(named: name)
  }

  /// The keys that the columns become, where these are not their names.
  private final class ConvertedKeys {
    var keys: [String] = []
    var columns: [String: Int] = [:]
  }

  private var convertedKeys: ConvertedKeys {
    if let cachedKeys { return cachedKeys }
    let made = ConvertedKeys()
    for (index, column) in row.columnNames.enumerated() {
      let key = convertedKey(of: column)
      made.keys.append(key)
      if made.columns[key] == nil { made.columns[key] = index }
    }
    cachedKeys = made
    return made
  }

  /// Each part of the name of a nested value's column is a key.
  private func convertedKey(of column: String) -> String {
    guard let separator = settings.nestedColumnSeparator, !separator.isEmpty else {
      return settings.keyDecodingStrategy.key(of: column) ?? column
    }
    return column.parts(separatedBy: separator)
      .map { settings.keyDecodingStrategy.key(of: $0) ?? $0 }.joined(separator: separator)
  }

  private var columnKeys: [String] {
    settings.keyDecodingStrategy.isDefault ? row.columnNames : convertedKeys.keys
  }

  /// The numbers of this reader's columns.
  var columns: [Int] {
    if let cachedColumns { return cachedColumns }
    let columns =
      prefix.isEmpty
      ? Array(0..<row.columnCount)
      : columnKeys.indices.filter { columnKeys[$0].hasPrefix(prefix) }
    cachedColumns = columns
    return columns
  }

  /// All keys: without those of nested values, but with the names of these.
  var keys: [String] {
    var seen: Set<String> = []
    return columnKeys.compactMap { name in
      guard name.hasPrefix(prefix) else { return nil }
      var key = String(name.dropFirst(prefix.count))
      if let separator = settings.nestedColumnSeparator, !separator.isEmpty {
        key = key.parts(separatedBy: separator)[0]
      }
      return seen.insert(key).inserted ? key : nil
    }
  }

  // MARK: Slots

  @inline(__always)
  func column(ofSlot slot: Int) -> Int? { slots[slot].column }

  /// How the column of a slot is read as a type.
  @inline(__always)
  func access<T>(to type: T.Type, slot: Int) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if accesses[slot].type == identity { return accesses[slot].access }
    let access = ColumnAccess(type, dates: settings.dateDecodingStrategy)
    accesses[slot] = SlotAccess(type: identity, access: access)
    return access
  }

  /// How a column that has no slot is read as a type.
  func access<T>(to type: T.Type) -> ColumnAccess {
    let identity = ObjectIdentifier(type)
    if lastType == identity { return lastAccess }
    lastAccess = ColumnAccess(type, dates: settings.dateDecodingStrategy)
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

extension String {
  /// The pieces between the places where `separator` stands: at least one.
  fileprivate func parts(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      parts.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest)]
  }
}

/// A set of row changes, recorded by a ``Changeset/Session`` and applied by
/// ``Connection/apply(_:options:tables:onConflict:)``.
///
/// A change identifies its row by the primary key. A changeset contains the old and new values, so
/// that it can be inverted and conflicts can be detected. A patchset contains only the new values,
/// and is smaller.
///
/// The bytes have SQLite's format, and can be stored and sent. They are validated when a changeset
/// is created, so that iterating can't fail.
///
/// ```swift
/// let changeset = try Changeset(bytes: received)
/// for change in changeset.changes { print(change.operation, change.table) }
/// try connection.apply(changeset) { _ in .abort }
/// ```
public struct Changeset: Hashable, Sendable {
  /// The changes in SQLite's format.
  public let bytes: [UInt8]

  /// Creates a changeset or patchset from bytes that a session wrote.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/invalidChangeset`` if the bytes are
  ///   neither, or ``SQLiteError/Code/tooBig`` for more than `Int32.max` bytes. An empty array is
  ///   valid: a changeset without changes. Whether the tables exist is only checked when the
  ///   changeset is applied.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(bytes: [UInt8]) throws(SQLiteError) {
    var reader = ChangesetReader(bytes, allowsGaps: false)
    while try reader.skip() {}
    guard Int32(exactly: bytes.count) != nil else {
      throw SQLiteError(code: .tooBig, message: "the changeset is too big: \(bytes.count) bytes")
    }
    self.bytes = bytes
  }

  /// Creates a changeset from bytes that SQLite has just produced.
  init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// A changeset without changes.
  public static let empty = Changeset(trusted: [])

  public var isEmpty: Bool { bytes.isEmpty }

  /// A Boolean value that indicates whether the changeset contains only new values: see
  /// ``Changeset/Session/patchset()``.
  public var isPatchset: Bool { bytes.first == ChangesetReader.patchsetTag }

  /// The changes, in the order in which they are applied: table by table.
  public var changes: Changes { Changes(bytes: bytes) }

  /// The changes of a changeset, decoded lazily.
  public struct Changes: Sequence, Sendable {
    let bytes: [UInt8]

    public func makeIterator() -> Iterator {
      Iterator(reader: ChangesetReader(bytes, allowsGaps: false))
    }

    public struct Iterator: IteratorProtocol {
      var reader: ChangesetReader

      // The bytes were validated when the changeset was created.
      public mutating func next() -> Change? { (try? reader.next()) ?? nil }
    }
  }
}

extension Changeset {
  /// A change of one row.
  public struct Change: Hashable, Sendable {
    /// The table's name, without a schema.
    public let table: String
    /// The kind of the change.
    public let operation: Hooks.RowChange.Kind
    /// A Boolean value that indicates whether a trigger or foreign key action made the change, or
    /// the session was set to mark changes as indirect.
    public let isIndirect: Bool
    /// For each column, whether it is part of the primary key.
    public let primaryKey: [Bool]
    /// The old value of each column. `nil` if the changeset does not contain it: for all columns of
    /// an insert, for unchanged columns of an update, and for all columns but the primary key in a
    /// patchset.
    public let oldValues: [SQLiteValue?]
    /// The new value of each column. `nil` if the changeset does not contain it: for all columns of
    /// a delete, and for unchanged columns of an update.
    public let newValues: [SQLiteValue?]

    /// The number of the table's columns.
    public var columnCount: Int { primaryKey.count }

    /// The primary key's values, in column order.
    public var key: [SQLiteValue] {
      primaryKey.indices.filter { primaryKey[$0] }
        .compactMap { oldValues[$0] ?? newValues[$0] }
    }
  }
}

extension Changeset {
  /// The conflicts of applying a changeset and their resolutions, for ``Changeset/rebased(on:)``.
  public struct RebaseData: Hashable, Sendable {
    /// The data in SQLite's format.
    public let bytes: [UInt8]

    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/invalidChangeset`` if the bytes are
    ///   invalid.
    public init(bytes: [UInt8]) throws(SQLiteError) {
      var reader = ChangesetReader(bytes, allowsGaps: true)
      while try reader.skip() {}
      self.bytes = bytes
    }

    init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// A Boolean value that indicates whether there were no conflicts.
    public var isEmpty: Bool { bytes.isEmpty }
  }
}

/// Reads and validates the bytes of a changeset.
///
/// SQLite's own reader has read past the end of invalid bytes (CVE-2023-7104, in all releases
/// before 3.43.1). All bytes are therefore validated here before SQLite reads them.
///
/// A changeset is a list of tables: a marker, the number of columns, a byte for each column that
/// indicates whether it is part of the primary key, the name and a NUL; then the changes: the
/// operation, an indirect flag, and the values. A value is a type followed by its content. The
/// format is described at the beginning of SQLite's `sqlite3session.c`.
struct ChangesetReader {
  static let changesetTag = UInt8(ascii: "T")
  static let patchsetTag = UInt8(ascii: "P")

  private let bytes: [UInt8]
  /// A Boolean value that indicates whether any value may be absent, as in rebase data.
  private let allowsGaps: Bool
  private var position = 0
  private var table: Table?

  private struct Table {
    let name: String
    let primaryKey: [Bool]
    let isPatchset: Bool
  }

  init(_ bytes: [UInt8], allowsGaps: Bool) {
    self.bytes = bytes
    self.allowsGaps = allowsGaps
  }

  /// The values that a record must and must not contain.
  private enum ValuePresence { case all, any, keyOnly, key, nonKey }

  /// Skips one change. Returns `false` at the end.
  mutating func skip() throws(SQLiteError) -> Bool { try read(copiesValues: false) != nil }

  /// Reads the next change. Returns `nil` at the end.
  mutating func next() throws(SQLiteError) -> Changeset.Change? { try read(copiesValues: true) }

  private mutating func read(copiesValues: Bool) throws(SQLiteError) -> Changeset.Change? {
    guard position < bytes.count else { return nil }
    // A table may have no changes. SQLite writes no such table, but reads it.
    while bytes[position] == Self.changesetTag || bytes[position] == Self.patchsetTag {
      try readTable()
      if position == bytes.count { return nil }
    }
    guard let table else { throw fault("the first entry is not a table") }
    let operation = try byte()
    let isIndirect = try byte()
    guard isIndirect <= 1 else { throw fault("a change is neither direct nor indirect") }
    var (old, new): ([SQLiteValue?], [SQLiteValue?]) = ([], [])
    let kind: Hooks.RowChange.Kind
    switch operation {
    case 18:
      kind = .insert
      new = try record(of: table, allowsGaps ? .any : .all, copiesValues: copiesValues)
    case 9:
      kind = .delete
      let presence: ValuePresence = table.isPatchset ? .keyOnly : .all
      old = try record(of: table, allowsGaps ? .any : presence, copiesValues: copiesValues)
    case 23 where !allowsGaps:
      kind = .update
      if !table.isPatchset { old = try record(of: table, .key, copiesValues: copiesValues) }
      new = try record(of: table, table.isPatchset ? .key : .nonKey, copiesValues: copiesValues)
    default: throw fault("a change is not an insert, update or delete")
    }
    guard copiesValues else { return Self.placeholder }
    if kind == .update && table.isPatchset {
      // A patchset stores the key and the new values in one record.
      for index in table.primaryKey.indices {
        old.append(table.primaryKey[index] ? new[index] : nil)
        if table.primaryKey[index] { new[index] = nil }
      }
    }
    let none = [SQLiteValue?](repeating: nil, count: table.primaryKey.count)
    return Changeset.Change(
      table: table.name, operation: kind, isIndirect: isIndirect == 1,
      primaryKey: table.primaryKey, oldValues: old.isEmpty ? none : old,
      newValues: new.isEmpty ? none : new)
  }

  private static let placeholder = Changeset.Change(
    table: "", operation: .insert, isIndirect: false, primaryKey: [], oldValues: [], newValues: [])

  private mutating func readTable() throws(SQLiteError) {
    let isPatchset = try byte() == Self.patchsetTag
    if let table, table.isPatchset != isPatchset {
      throw fault("changeset and patchset tables are mixed")
    }
    let count = try varint()
    // The same limit as in SQLite's reader.
    guard (1...65_536).contains(count), count <= bytes.count - position else {
      throw fault("a table has an invalid number of columns")
    }
    let flags = bytes[position..<position + count]
    position += count
    guard flags.contains(where: { $0 != 0 }) else { throw fault("a table has no primary key") }
    guard let end = bytes[position...].firstIndex(of: 0) else {
      throw fault("a table's name is not terminated")
    }
    let name = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    table = Table(name: name, primaryKey: flags.map { $0 != 0 }, isPatchset: isPatchset)
  }

  private mutating func record(
    of table: Table, _ presence: ValuePresence, copiesValues: Bool
  ) throws(SQLiteError) -> [SQLiteValue?] {
    var values: [SQLiteValue?] = []
    if copiesValues { values.reserveCapacity(table.primaryKey.count) }
    for isKey in table.primaryKey {
      if presence == .keyOnly && !isKey {
        if copiesValues { values.append(nil) }
        continue
      }
      let exists = bytes.count > position && bytes[position] != 0
      let value = try value(copiesValues: copiesValues)
      let isRequired =
        switch presence {
        case .all, .keyOnly: true
        case .any: exists
        case .key: isKey || exists
        case .nonKey: exists && !isKey
        }
      guard isRequired == exists else {
        throw fault("a value is missing or unexpected")
      }
      if copiesValues { values.append(value) }
    }
    return values
  }

  /// Reads one value. Returns `nil` if the value is absent or `copiesValues` is `false`.
  private mutating func value(copiesValues: Bool) throws(SQLiteError) -> SQLiteValue? {
    let type = try byte()
    switch type {
    case 0: return nil
    case 1: return .integer(Int64(bitPattern: try word()))
    case 2: return .real(Double(bitPattern: try word()))
    case 3, 4:
      let count = try varint()
      guard count <= bytes.count - position else { throw fault("a value extends past the end") }
      let content = bytes[position..<position + count]
      position += count
      guard copiesValues else { return nil }
      return type == 3 ? .text(String(decoding: content, as: UTF8.self)) : .blob(Array(content))
    case 5: return .null
    default: throw fault("a value has an unknown type")
    }
  }

  private mutating func byte() throws(SQLiteError) -> UInt8 {
    guard position < bytes.count else { throw fault("the bytes end in the middle of a change") }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func word() throws(SQLiteError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw fault("the bytes end in the middle of a value") }
    defer { position += 8 }
    return bytes[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a number of one to five bytes with seven bits each. More bytes are not a valid length.
  private mutating func varint() throws(SQLiteError) -> Int {
    var number = 0
    for _ in 0..<5 {
      let next = try byte()
      number = number << 7 | Int(next & 0x7f)
      if next & 0x80 == 0 { return number }
    }
    throw fault("a length is too big")
  }

  private func fault(_ what: String) -> SQLiteError {
    SQLiteError(
      code: .invalidChangeset,
      message: "the bytes are not a changeset, at byte \(position): \(what)")
  }
}

/// What was changed in the rows of some tables: recorded by a ``Changeset/Session``, applied by
/// ``Connection/apply(_:options:tables:onConflict:)``.
///
/// A change names its row by the primary key. A changeset holds the values before and after, so that it can
/// be inverted and conflicts be seen; a patchset holds the new values alone, and is smaller.
///
/// The bytes are those that SQLite writes, and may be stored and sent. They are checked when a changeset
/// is made of them, so that iterating can't fail.
///
/// ```swift
/// let changeset = try Changeset(bytes: received)
/// for change in changeset.changes { print(change.operation, change.table) }
/// try connection.apply(changeset) { _ in .abort }
/// ```
public struct Changeset: Hashable, Sendable {
  /// The changes as SQLite writes them.
  public let bytes: [UInt8]

  /// A changeset, or a patchset, of bytes that a session wrote.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/invalidChangeset`` where the bytes are neither.
  ///   No bytes at all are not an error: they are a changeset without changes. Whether the tables exist
  ///   shows when it is applied.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(bytes: [UInt8]) throws(SQLiteError) {
    var reader = ChangesetReader(bytes, allowsGaps: false)
    while try reader.skip() {}
    guard Int32(exactly: bytes.count) != nil else {
      throw SQLiteError(code: .tooBig, message: "a changeset of \(bytes.count) bytes is too big")
    }
    self.bytes = bytes
  }

  /// Bytes that the engine has just made.
  init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// No changes.
  public static let empty = Changeset(trusted: [])

  public var isEmpty: Bool { bytes.isEmpty }

  /// Whether it holds new values alone: see ``Changeset/Session/patchset()``.
  public var isPatchset: Bool { bytes.first == ChangesetReader.patchsetMark }

  /// The changes, in the order in which they are applied: table by table.
  public var changes: Changes { Changes(bytes: bytes) }

  /// The changes of a changeset, each read when it is reached.
  public struct Changes: Sequence, Sendable {
    let bytes: [UInt8]

    public func makeIterator() -> Iterator {
      Iterator(reader: ChangesetReader(bytes, allowsGaps: false))
    }

    public struct Iterator: IteratorProtocol {
      var reader: ChangesetReader

      // The bytes were checked when the changeset was made.
      public mutating func next() -> Change? { (try? reader.next()) ?? nil }
    }
  }
}

extension Changeset {
  /// One row's change, as a changeset tells it.
  public struct Change: Hashable, Sendable {
    /// The table's name, without a database's.
    public let table: String
    /// Whether the row came, changed or went.
    public let operation: Hooks.RowChange.Kind
    /// Whether a trigger or a foreign key action made the change, or the session was told to say so.
    public let isIndirect: Bool
    /// For each column, whether it is part of the primary key.
    public let primaryKey: [Bool]
    /// For each column, the value before. `nil` where it is not told: all of an insert, what an update left as
    /// it was, and all but the primary key in a patchset.
    public let oldValues: [SQLiteValue?]
    /// For each column, the value after. `nil` where it is not told: all of a delete, and what an update left as
    /// it was.
    public let newValues: [SQLiteValue?]

    /// The number of the table's columns.
    public var columnCount: Int { primaryKey.count }

    /// The values of the primary key, in the order of the table's columns.
    public var key: [SQLiteValue] {
      primaryKey.indices.filter { primaryKey[$0] }
        .compactMap { oldValues[$0] ?? newValues[$0] }
    }
  }
}

extension Changeset {
  /// What conflicts an application of a changeset met, and how they were resolved: for
  /// ``Changeset/rebased(on:)``.
  public struct RebaseData: Hashable, Sendable {
    /// The data as SQLite writes them.
    public let bytes: [UInt8]

    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/invalidChangeset``.
    public init(bytes: [UInt8]) throws(SQLiteError) {
      var reader = ChangesetReader(bytes, allowsGaps: true)
      while try reader.skip() {}
      self.bytes = bytes
    }

    init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// Whether there were no conflicts.
    public var isEmpty: Bool { bytes.isEmpty }
  }
}

/// Reads the bytes of a changeset, and believes none of them.
///
/// SQLite's own reader has gone past the end of bytes that are no changeset (CVE-2023-7104, in all
/// releases before 3.43.1), so that no bytes come to it that were not read here first.
///
/// A changeset is a list of tables: a mark, the number of columns, a byte for each that tells whether it is
/// part of the primary key, the name and a NUL; then the changes: the operation, whether it is indirect, the
/// values. A value is a type and what the type needs. The format is described at the beginning of
/// SQLite's `sqlite3session.c`.
struct ChangesetReader {
  static let changesetMark = UInt8(ascii: "T")
  static let patchsetMark = UInt8(ascii: "P")

  private let bytes: [UInt8]
  /// Whether any value may be missing, as in the data for a rebase.
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

  /// Which of a record's values must be there, and which must not.
  private enum Demand { case all, any, keyAlone, key, noKey }

  /// Goes past one change; `false` at the end.
  mutating func skip() throws(SQLiteError) -> Bool { try read(copies: false) != nil }

  /// The next change; `nil` at the end.
  mutating func next() throws(SQLiteError) -> Changeset.Change? { try read(copies: true) }

  private mutating func read(copies: Bool) throws(SQLiteError) -> Changeset.Change? {
    guard position < bytes.count else { return nil }
    // A table may have no changes: SQLite writes none, and reads it.
    while bytes[position] == Self.changesetMark || bytes[position] == Self.patchsetMark {
      try readTable()
      if position == bytes.count { return nil }
    }
    guard let table else { throw fault("it does not begin with a table") }
    let operation = try byte()
    let isIndirect = try byte()
    guard isIndirect <= 1 else { throw fault("a change is neither direct nor indirect") }
    var (old, new): ([SQLiteValue?], [SQLiteValue?]) = ([], [])
    let kind: Hooks.RowChange.Kind
    switch operation {
    case 18:
      kind = .insert
      new = try record(of: table, allowsGaps ? .any : .all, copies: copies)
    case 9:
      kind = .delete
      let demand: Demand = table.isPatchset ? .keyAlone : .all
      old = try record(of: table, allowsGaps ? .any : demand, copies: copies)
    case 23 where !allowsGaps:
      kind = .update
      if !table.isPatchset { old = try record(of: table, .key, copies: copies) }
      new = try record(of: table, table.isPatchset ? .key : .noKey, copies: copies)
    default: throw fault("a change is no insert, update or delete")
    }
    guard copies else { return Self.skipped }
    if kind == .update && table.isPatchset {
      // The key and the new values are one record there.
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

  private static let skipped = Changeset.Change(
    table: "", operation: .insert, isIndirect: false, primaryKey: [], oldValues: [], newValues: [])

  private mutating func readTable() throws(SQLiteError) {
    let isPatchset = try byte() == Self.patchsetMark
    if let table, table.isPatchset != isPatchset {
      throw fault("it is a changeset in one part and a patchset in another")
    }
    let count = try varint()
    // As many columns as SQLite's reader takes.
    guard (1...65_536).contains(count), count <= bytes.count - position else {
      throw fault("a table has a number of columns that can't be")
    }
    let flags = bytes[position..<position + count]
    position += count
    guard flags.contains(where: { $0 != 0 }) else { throw fault("a table has no primary key") }
    guard let end = bytes[position...].firstIndex(of: 0) else {
      throw fault("a table's name has no end")
    }
    let name = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    table = Table(name: name, primaryKey: flags.map { $0 != 0 }, isPatchset: isPatchset)
  }

  private mutating func record(
    of table: Table, _ demand: Demand, copies: Bool
  ) throws(SQLiteError) -> [SQLiteValue?] {
    var values: [SQLiteValue?] = []
    if copies { values.reserveCapacity(table.primaryKey.count) }
    for isKey in table.primaryKey {
      if demand == .keyAlone && !isKey {
        if copies { values.append(nil) }
        continue
      }
      let isThere = bytes.count > position && bytes[position] != 0
      let value = try value(copies: copies)
      let isDemanded =
        switch demand {
        case .all, .keyAlone: true
        case .any: isThere
        case .key: isKey || isThere
        case .noKey: isThere && !isKey
        }
      guard isDemanded == isThere else {
        throw fault("a value is missing, or is there and must not be")
      }
      if copies { values.append(value) }
    }
    return values
  }

  /// One value; `nil` where it is not told, and where it is not to be copied.
  private mutating func value(copies: Bool) throws(SQLiteError) -> SQLiteValue? {
    let type = try byte()
    switch type {
    case 0: return nil
    case 1: return .integer(Int64(bitPattern: try word()))
    case 2: return .real(Double(bitPattern: try word()))
    case 3, 4:
      let count = try varint()
      guard count <= bytes.count - position else { throw fault("a value goes beyond the end") }
      let content = bytes[position..<position + count]
      position += count
      guard copies else { return nil }
      return type == 3 ? .text(String(decoding: content, as: UTF8.self)) : .blob(Array(content))
    case 5: return .null
    default: throw fault("a value has a type that SQLite has not")
    }
  }

  private mutating func byte() throws(SQLiteError) -> UInt8 {
    guard position < bytes.count else { throw fault("it ends in the middle of a change") }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func word() throws(SQLiteError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw fault("it ends in the middle of a value") }
    defer { position += 8 }
    return bytes[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A number of one to five bytes, seven bits each: more would be no length.
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
      code: .invalidChangeset, message: "the bytes are no changeset, at byte \(position): \(what)")
  }
}

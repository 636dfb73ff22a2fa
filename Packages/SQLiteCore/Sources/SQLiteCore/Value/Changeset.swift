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

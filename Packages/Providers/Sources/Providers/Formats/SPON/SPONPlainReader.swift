internal import SPON
internal import SQLiteCore

/// Reads arrays of objects as tables.
///
/// A table's column types depend on all rows: see ``SPONPlainProfile``. The table is created when its
/// first rows have been read, and rows are inserted while they are read. If a later row changes a
/// column's type, adds a column or invalidates the key, the remaining rows are only analyzed, and
/// the file is read again. A column `id` without `NULL` and duplicates is the primary key.
struct SPONPlainReader {
  private(set) var source: SPONSource
  private let collector: TableCollector
  private let fileName: String
  private var names: Set<FoldedName> = []
  /// The profiles of the tables when the file was read before.
  private let known: [SPONPlainProfile]
  /// The profiles of the tables so far.
  private var profiles: [SPONPlainProfile] = []
  /// A Boolean value that indicates whether rows are inserted, and not only analyzed.
  private var isInserting = true

  init(_ source: SPONSource, _ tables: TableCollector, fileName: String) {
    self.source = source
    collector = tables
    known = tables.inferredStructure as? [SPONPlainProfile] ?? []
    self.fileName = fileName
  }

  /// Reads the document's array as one table.
  mutating func readArray(_ start: SPONEventReader.Event) throws -> SPONLayout {
    let table = try readTable(start, key: "", named: fileName)
    try finish()
    return .array(table.name == nil ? nil : table)
  }

  /// Reads the arrays of the document's object, each as a table.
  mutating func readObject(_ start: SPONEventReader.Event, typeName: String) throws -> SPONLayout {
    var tables: [SPONPlainTable] = []
    while let event = try source.next(), event.depth > start.depth {
      guard case .beginArray = event.kind else {
        throw source.failure(
          .malformed, "expected an array of objects for the key \"\(event.name)\"")
      }
      guard !tables.contains(where: { $0.key.isExactly(event.name) }) else {
        throw source.failure(.malformed, "the object has the key \"\(event.name)\" twice")
      }
      tables.append(try readTable(event, key: event.name, named: event.name))
    }
    try finish()
    return .object(typeName: typeName, tables)
  }

  /// Reads the end of the document.
  private mutating func finish() throws {
    while try source.next() != nil {}
    guard isInserting else { throw collector.restartPass(with: profiles) }
  }

  private mutating func readTable(
    _ start: SPONEventReader.Event, key: String, named name: String
  ) throws -> SPONPlainTable {
    var profile = SPONPlainProfile()
    if known.count > profiles.count {
      profile = SPONPlainProfile(continuing: known[profiles.count])
    }
    var rows = SPONRowBuffer(keys: profile.keys)
    var inserter: SPONPlainInserter?
    while let type = try source.advance(), source.reader.depth > start.depth {
      guard type == .beginObject else {
        throw source.failure(.malformed, "expected an object as a row", table: name)
      }
      source.reader.withTypeName { profile.add(typeName: $0) }
      try rows.readRow(from: &source)
      profile.addLastRow(of: rows)
      if !isInserting {
        rows.removeRows()
      } else if SPONPlainInserter.isFull(rows, isCreated: inserter != nil), !profile.keys.isEmpty {
        try insert(&rows, &inserter, named: name, &profile)
      }
    }
    defer { profiles.append(profile) }
    guard profile.rowCount > 0 else { return SPONPlainTable(key: key, name: nil) }
    guard !profile.keys.isEmpty else {
      throw source.failure(.malformed, "the rows have no keys", table: name)
    }
    if isInserting { try insert(&rows, &inserter, named: name, &profile) }
    return SPONPlainTable(
      key: key, name: inserter?.name ?? "", typeName: profile.typeName ?? "",
      columns: SPONPlainInserter.columns(of: profile))
  }

  /// Inserts the rows of a buffer, or ends the insertion if they contradict the table.
  private mutating func insert(
    _ rows: inout SPONRowBuffer, _ inserter: inout SPONPlainInserter?, named name: String,
    _ profile: inout SPONPlainProfile
  ) throws {
    let table =
      try inserter ?? SPONPlainInserter(unusedName(name), profile, for: collector)
    inserter = table
    switch try table.insert(&rows, profile) {
    case .inserted: break
    case .contradiction: isInserting = false
    case .duplicateID:
      profile.hasDuplicateIDs = true
      isInserting = false
    }
    rows.removeRows()
  }

  /// Returns a table name that is not used yet.
  private mutating func unusedName(_ name: String) -> String {
    let base = name.isEmpty ? "table" : name.lowercased().hasPrefix("sqlite_") ? "_\(name)" : name
    return names.insertUnique(base)
  }
}

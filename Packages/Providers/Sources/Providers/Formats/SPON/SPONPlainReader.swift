internal import SPON
internal import SQLiteCore

/// Reads arrays of objects as tables.
///
/// All rows of a table are read before it is created, because its column types depend on them: see
/// ``SPONPlainProfile``. A column `id` without `NULL` and duplicates is the primary key.
struct SPONPlainReader {
  private(set) var source: SPONSource
  private let connection: Connection
  private let spellings: SpellingStore?
  private let fileName: String
  private var names: Set<FoldedName> = []

  init(_ source: SPONSource, _ tables: TableCollector, fileName: String) {
    self.source = source
    connection = tables.connection
    spellings = tables.spellings
    self.fileName = fileName
  }

  /// Reads the document's array as one table.
  mutating func readArray(_ start: SPONEventReader.Event) throws -> SPONLayout {
    let table = try readTable(start, key: "", named: fileName)
    while try source.next() != nil {}
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
    while try source.next() != nil {}
    return .object(typeName: typeName, tables)
  }

  private mutating func readTable(
    _ start: SPONEventReader.Event, key: String, named name: String
  ) throws -> SPONPlainTable {
    var rows = SPONStagedRows()
    var profile = SPONPlainProfile()
    while let event = try source.next(), event.depth > start.depth {
      guard case .beginObject = event.kind else {
        throw source.failure(.malformed, "expected an object as a row", table: name)
      }
      let value = try source.value(of: event)
      if let row = value.object { profile.add(row) }
      try rows.append(value)
    }
    guard rows.count > 0 else { return SPONPlainTable(key: key, name: nil) }
    guard !profile.keys.isEmpty else {
      throw source.failure(.malformed, "the rows have no keys", table: name)
    }
    let columns = zip(profile.keys, TableCollector.ColumnNames.unique(profile.keys)).map {
      key, name in
      SPONPlainTable.Column(key: key, name: name)
    }
    let table = SPONPlainTable(
      key: key, name: unusedName(name), typeName: profile.typeName ?? "", columns: columns)
    try insert(rows, into: table, profile)
    return table
  }

  /// Returns a table name that is not used yet.
  private mutating func unusedName(_ name: String) -> String {
    let base = name.isEmpty ? "table" : name.lowercased().hasPrefix("sqlite_") ? "_\(name)" : name
    return names.insertUnique(base)
  }

  private func insert(
    _ rows: SPONStagedRows, into table: SPONPlainTable, _ profile: SPONPlainProfile
  ) throws {
    let id = table.columns.first { $0.name.lowercased() == "id" && !profile.hasNull($0.key) }
    guard let id else { return try insert(rows, into: table, profile, key: nil) }
    do {
      // The key is not an alias of the rowid, so that rows keep the order of the file.
      try insert(rows, into: table, profile, key: id.name)
    } catch let error as SQLiteError
      where [.constraintPrimaryKey, .constraintUnique].contains(error.code)
    {
      try connection.execute("DROP TABLE \(identifier: table.name ?? "")")
      try insert(rows, into: table, profile, key: nil)
    }
  }

  private func insert(
    _ rows: SPONStagedRows, into table: SPONPlainTable, _ profile: SPONPlainProfile, key: String?
  ) throws {
    let name = table.name ?? ""
    let columns = table.columns.map { column in
      var words = [SQLName.quoted(column.name)]
      let declaration = profile.form(of: column.key).declaration
      // `INTEGER` would make the key an alias of the rowid.
      if !declaration.isEmpty {
        words.append(key.isExactly(column.name) && declaration == "INTEGER" ? "INT" : declaration)
      }
      if key.isExactly(column.name) { words.append("PRIMARY KEY NOT NULL") }
      return words.joined(separator: " ")
    }
    try connection.execute(
      "CREATE TABLE \(identifier: name) (\(unsafe: columns.joined(separator: ", ")))")
    let inserter = try SPONRowInserter(
      name,
      table.columns.map { (key: $0.key, name: $0.name, type: SPONColumnType.none) },
      rowID: nil, on: connection)
    let columnsByKey = Dictionary(
      table.columns.enumerated().map { (ExactText($1.key), ($0, $1, profile.form(of: $1.key))) },
      uniquingKeysWith: { first, _ in first })
    var rowID: Int64 = 0
    try rows.forEach { row in
      rowID += 1
      for (key, value) in row {
        guard let (index, column, form) = columnsByKey[ExactText(key)] else { continue }
        let isText = form == .any && !value.isNull
        _ = try inserter.set(key, isText ? .string(try value.text()) : form.stored(value))
        guard let spellings, form.losesType(of: value) else { continue }
        try value.text().withUTF8Span { text in
          try spellings.store(text, row: rowID, column: index, column.name, in: name)
        }
      }
      try inserter.insert(rowID: nil)
    }
    spellings?.finish()
  }
}

/// The properties of the values of each key.
struct SPONPlainProfile {
  /// The keys, in order of appearance.
  private(set) var keys: [String] = []
  /// The type name of the objects, if they all have the same one.
  private(set) var typeName: String?
  private var kinds: [ExactText: Kinds] = [:]
  private var counts: [ExactText: Int] = [:]
  private var rowCount = 0

  private struct Kinds: OptionSet {
    let rawValue: UInt16
    static let boolean = Kinds(rawValue: 1)
    static let integer = Kinds(rawValue: 2)
    static let float = Kinds(rawValue: 4)
    static let double = Kinds(rawValue: 8)
    static let text = Kinds(rawValue: 16)
    static let opaque = Kinds(rawValue: 32)
    static let data = Kinds(rawValue: 64)
    static let instant = Kinds(rawValue: 128)
    static let decimal = Kinds(rawValue: 256)
    /// A `REAL` column does not preserve the sign of zero.
    static let negativeZero = Kinds(rawValue: 512)
    static let other = Kinds(rawValue: 1_024)
    /// An integer beyond the range of `Int64`.
    static let unsigned = Kinds(rawValue: 2_048)
  }

  mutating func add(_ row: SPONObject) {
    if rowCount == 0 { typeName = row.typeName } else if typeName != row.typeName { typeName = "" }
    rowCount += 1
    for (key, value) in row {
      let name = ExactText(key)
      if kinds[name] == nil { keys.append(key) }
      kinds[name, default: []].formUnion(Self.kind(of: value))
      if !value.isNull { counts[name, default: 0] += 1 }
    }
  }

  private static func kind(of value: SPONValue) -> Kinds {
    switch value {
    case .null: []
    case .bool: .boolean
    case .integer: .integer
    case .unsigned(let value): Int64(exactly: value) == nil ? .unsigned : .integer
    // SQLite can't represent this number.
    case .float(let value): value.isNaN || value.isNegativeZero ? .other : .float
    case .double(let value):
      value.isNaN ? .other : value.isNegativeZero ? .negativeZero : .double
    case .string: .text
    case .opaque: .opaque
    case .bytes: .data
    case .instant: .instant
    case .decimal: .decimal
    case .array, .object: .other
    }
  }

  func hasNull(_ key: String) -> Bool { counts[ExactText(key), default: 0] < rowCount }

  /// Returns the storage of a column: the type of its values if they all have one; else their
  /// storage classes if these identify the types; else SPON strings.
  func form(of key: String) -> SPONForm {
    switch kinds[ExactText(key)] ?? [] {
    case .boolean: .boolean
    case .integer: .integer
    case .float: .float
    case .double: .double
    case []: .text
    case .text: .text
    case .opaque: .opaque
    case .data: .data
    case .instant: .instant
    case .decimal: .decimal
    case let kinds where kinds.isSubset(of: [.integer, .double, .negativeZero, .text, .data]):
      .mixed
    case let kinds where kinds.isSubset(of: [.integer, .float, .double]): .mixed
    case let kinds
    where kinds.isSubset(of: [
      .integer, .float, .double, .negativeZero, .decimal, .unsigned,
    ]):
      .number
    default: .any
    }
  }
}

extension BinaryFloatingPoint {
  fileprivate var isNegativeZero: Bool { isZero && sign == .minus }
}

/// Inserts rows into a table of the staging database.
final class SPONRowInserter {
  private let types: [SPONColumnType]
  private let rows: RowInserter

  /// - Parameters:
  ///   - columns: The columns, with the keys of their pairs.
  ///   - rowID: The name of the rowid, if rows are inserted with explicit rowids.
  init(
    _ table: String, _ columns: [(key: String, name: String, type: SPONColumnType)],
    rowID: String?, on connection: Connection
  ) throws {
    types = columns.map(\.type)
    rows = try RowInserter(
      table, columns: columns.map(\.name), keys: columns.map(\.key), rowID: rowID, in: connection)
  }

  var table: String { rows.name }

  /// Sets a column of the current row; `false` if the column does not exist.
  func set(_ key: String, _ value: SPONValue) throws -> Bool {
    guard let column = rows.column(key) else { return false }
    try rows.set(column, types[column].stored(value))
    return true
  }

  /// Inserts the current row.
  func insert(rowID: Int64?) throws {
    if let rowID { try rows.setRowID(rowID) }
    try rows.endRow()
  }
}

/// Buffered rows, as strings one after another.
struct SPONStagedRows {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ row: SPONValue) throws {
    bytes.append(contentsOf: try row.bytes())
    ends.append(bytes.count)
  }

  func forEach(_ body: (SPONObject) throws -> Void) throws {
    var start = 0
    for end in ends {
      if let row = try SPONValue(parsing: Array(bytes[start..<end])).object { try body(row) }
      start = end
    }
  }
}

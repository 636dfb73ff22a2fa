internal import SPON
internal import SQLiteCore

/// Writes tables as arrays of objects, in version 1 of SPON if possible.
struct SPONPlainWriter {
  private let connection: Connection
  private let contents: DatabaseContents
  private let layout: SPONLayout

  init(_ connection: Connection, _ layout: SPONLayout) throws {
    self.connection = connection
    contents = try DatabaseContents(connection)
    self.layout = layout
    if case .array = layout, contents.tables.count > 1 {
      throw ProviderError(
        .unrepresentable, "the file is an array, which represents only one table",
        table: contents.tables[1].name)
    }
  }

  /// A writer of version 1 would convert such values to strings.
  private static let needsVersion2 = SPONError(
    .notRepresentable, "version 1 of SPON can't represent the value")

  func write(to output: SourceSession.ByteOutput) throws {
    do {
      // Whether version 2 is needed is known only after all values were seen.
      try write(.one, to: nil)
    } catch let error as SPONError where error.code == .notRepresentable {
      return try write(.two, to: output)
    }
    try write(.one, to: output)
  }

  private func write(_ version: SPONValue.Version, to output: SourceSession.ByteOutput?) throws {
    var writer = SPONTextOutput(SPONStreamWriter(version: version), output)
    switch layout {
    case .database: return
    case .array(let known):
      guard let table = contents.tables.first else {
        try writer.beginArray()
        try writer.end()
        break
      }
      try write(table, known, version, to: &writer)
    case .object(let typeName, let known):
      try writer.beginObject(typeName)
      var rest = contents.tables
      for known in known {
        try writer.key(known.key)
        if let index = rest.firstIndex(where: { $0.name.isExactly(known.name ?? known.key) }) {
          try write(rest.remove(at: index), known, version, to: &writer)
        } else {
          // The array was empty, or its table was dropped.
          try writer.beginArray()
          try writer.end()
        }
      }
      for table in rest {
        try writer.key(table.name)
        try write(table, nil, version, to: &writer)
      }
      try writer.end()
    }
    try writer.finish()
  }

  private func write(
    _ table: StoredTable, _ known: SPONPlainTable?, _ version: SPONValue.Version,
    to writer: inout SPONTextOutput
  ) throws {
    let name = table.name
    let columns = table.columns.map { column in
      known?.columns.first { $0.name.isExactly(column.name) }
        ?? SPONPlainTable.Column(
          key: column.name, name: column.name, form: SPONForm(declared: column.declaredType))
    }
    try writer.beginArray()
    var number = 0
    try table.forEachRow(of: connection) { row in
      number += 1
      try writer.beginObject(known?.typeName ?? "")
      for (index, column) in columns.enumerated() {
        let value = try row.spon(
          at: index, .none, nests: false, table: name, column.name, number)
        guard let value = value.map(column.form.written) else { continue }
        if version == .one, value.needsVersion2 { throw Self.needsVersion2 }
        try writer.pair(column.key, value)
      }
      try writer.end()
    }
    try writer.end()
  }
}

extension SPONValue {
  /// A Boolean value that indicates whether the value is, or contains, one that version 1 can only
  /// represent as a string.
  fileprivate var needsVersion2: Bool {
    switch self {
    case .decimal, .instant, .null: true
    case .array(let elements): elements.contains(where: \.needsVersion2)
    case .object(let object): object.values.contains(where: \.needsVersion2)
    default: false
    }
  }
}

extension SPONForm {
  /// Converts a stored value to the type of the column's values; other values are unchanged.
  func written(_ value: SPONValue) -> SPONValue {
    switch (self, value) {
    case (.boolean, .integer(let number)) where 0...1 ~= number: return .bool(number == 1)
    case (.float, .double(let number)):
      let float = Float(number)
      return Double(float.description)?.bitPattern == number.bitPattern ? .float(float) : value
    case (.opaque, .string(let text)): return .opaque(text)
    case (.instant, .string(let text)):
      guard let instant = SPONInstant(text), instant.description == text else { return value }
      return .instant(instant)
    case (.decimal, .string(let text)):
      guard let number = SPONDecimal(text), number.description == text else { return value }
      return .decimal(number)
    case (.any, .string(let text)):
      guard let parsed = try? SPONValue(parsing: text, limits: SPONValue.Limits(depth: 500)) else {
        return value
      }
      return parsed
    default: return value
    }
  }
}

extension Row {
  /// Returns the written form of a value; `nil` for `NULL`.
  fileprivate func spon(
    at index: Int, _ type: SPONColumnType, nests: Bool, table: String, _ column: String,
    _ number: Int
  ) throws -> SPONValue? {
    do {
      return type.written(try value(at: ColumnIndex(rawValue: index)), nests: nests)
    } catch {
      guard error.code == .invalidText else { throw error }
      throw ProviderError(
        .unrepresentable, "the text in row \(number) is not UTF-8", table: table, column: column)
    }
  }
}

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
    let spellings = try Spellings(of: table.name, in: connection)
    let columns = table.columns.map { column in
      let key = known?.columns.first { $0.name.isExactly(column.name) }?.key
      return (
        key: key ?? column.name, type: ValueType(declared: column.declaredType),
        spelled: spellings.number(of: column.name)
      )
    }
    try writer.beginArray()
    var number = 0
    let hasRowID = table.rowIDName != nil
    try table.forEachRow(of: connection, withRowID: hasRowID) { row in
      number += 1
      let rowID = hasRowID ? try row.optionalInteger(at: ColumnIndex(columns.count)) : nil
      try writer.beginObject(known?.typeName ?? "")
      for (index, column) in columns.enumerated() {
        var sink = SPONValueSink()
        do {
          try sink.write(row, at: ColumnIndex(index), as: column.type, ())
        } catch var error as ProviderError where error.code == .unrepresentable {
          error = ProviderError(error.code, "\(error.message), in row \(number)")
          error.table = table.name
          error.column = table.columns[index].name
          throw error
        }
        var value = sink.value
        guard !value.isNull else { continue }
        if let spelled = column.spelled,
          let spelling = try spellings.text(spelled, rowID: rowID),
          let original = try? SPONValue(parsing: spelling), original.isSameNumber(as: value)
        {
          value = original
        }
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

extension SPONDecimal {
  /// Parses a number in any notation; `nil` if the text is not a number.
  init?(number text: String) {
    guard let number = DecimalNumber(text), let decimal = SPONDecimal(number.description) else {
      return nil
    }
    self = decimal
  }
}

extension SPONValue {
  /// Parses an integer of at most 64 bits; `nil` if the text is anything else.
  fileprivate init?(integer text: String) {
    if let value = Int64(text) {
      self = .integer(value)
    } else if let value = UInt64(text) {
      self = .unsigned(value)
    } else {
      return nil
    }
  }

  /// The text of a number; `nil` for any other value.
  fileprivate var numberText: String? {
    switch self {
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .float(let value): value.isFinite ? value.description : nil
    case .double(let value): value.isFinite ? value.description : nil
    case .decimal(let value): value.isNaN ? nil : value.description
    default: nil
    }
  }

  /// Returns whether two values are equal numbers, regardless of their types.
  fileprivate func isSameNumber(as other: SPONValue) -> Bool {
    guard let text = numberText, let other = other.numberText else { return false }
    return Spellings.isSameNumber(text, other)
  }
}

extension SPONForm {
  /// Returns the value to store in the column.
  func stored(_ value: SPONValue) -> SPONValue {
    guard self == .decimal || self == .number, let text = value.numberText else { return value }
    return .string(text)
  }

  /// Returns whether the value's type must be stored with its row.
  func losesType(of value: SPONValue) -> Bool {
    switch (self, value) {
    case (_, .null), (.number, .integer), (.number, .unsigned): false
    case (.number, .decimal(let number)): SPONValue(integer: number.description) != nil
    case (.number, _), (.mixed, .float): true
    default: false
    }
  }
}

/// Converts values of rows to SPON.
struct SPONValueSink: ValueSink {
  private(set) var value = SPONValue.null

  mutating func null(_: Void) { value = .null }
  mutating func integer(_ value: Int64, _: Void) { self.value = .integer(value) }
  mutating func real(_ value: Double, _: Void) { self.value = .double(value) }
  mutating func boolean(_ value: Bool, _: Void) { self.value = .bool(value) }

  mutating func text(_ value: Span<UInt8>, _: Void) {
    self.value = .string(String(decoding: value.array(0..<value.count), as: UTF8.self))
  }

  mutating func blob(_ value: Span<UInt8>, _: Void) {
    self.value = .bytes(value.array(0..<value.count))
  }

  mutating func json(_ text: Span<UInt8>, _: Void) throws {
    do throws(SPONError) {
      // Rows are in at most three containers.
      value = try SPONValue(json: text.array(0..<text.count), limits: .init(depth: 509))
    } catch {
      throw ProviderError(
        .unrepresentable,
        "the text in a JSON column is not JSON that SPON can represent: \(error.message)")
    }
  }

  mutating func tagged(_ value: SPONValue, _: Void) { self.value = value }

  mutating func decimal(_ text: Span<UInt8>, _: Void) {
    let text = String(decoding: text.array(0..<text.count), as: UTF8.self)
    value =
      SPONValue(integer: text) ?? SPONDecimal(number: text).map { .decimal($0) } ?? .string(text)
  }
}

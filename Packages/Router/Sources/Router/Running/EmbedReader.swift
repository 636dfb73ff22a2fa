internal import SQLiteCore

/// Makes values of rows that have rows of other tables in them: those by the rules by which rows of a database are
/// read, at any depth.
///
/// `pending`, `keys` and `texts` are used only by the thread that decodes the row.
final class EmbedReader: @unchecked Sendable {
  static let key = CodingUserInfoKey(rawValue: "holt.router.embeds")

  private let settings: RowDecoder
  private let embeds: [DatabaseRoute.Embed]
  /// The rows in the row that is decoded next.
  private var pending: [EmbeddedField] = []
  /// The keys that columns become.
  private var keys: [(name: String, key: String)] = []
  private var texts = EmbeddedText()

  /// Fails if the type reads no embedded rows: there are none, or it reads the first column alone.
  init?(for type: Any.Type, _ settings: RowDecoder, _ embeds: [DatabaseRoute.Embed]) {
    if embeds.isEmpty || type is any SQLiteReadable.Type { return nil }
    self.settings = settings
    self.embeds = embeds
  }

  /// A row that a route gives.
  func value<Value: Decodable>(_ type: Value.Type, from row: borrowing Row) throws -> Value {
    let names = row.columnNames
    let end = names.last == StatementWriter.checkColumn ? names.count - 1 : names.count
    var fields: [EmbeddedField] = []
    for embed in embeds {
      // Of columns that share a name, the first is read: it may be one of the row itself.
      guard let index = names.firstIndex(where: { $0.isSameName(as: embed.name) }),
        index >= end - embeds.count,
        let text = try row.read(String?.self, at: ColumnIndex(index)),
        let value = texts.read(text)
      else { continue }
      fields.append(EmbeddedField(key: try key(of: names[index]), value: value))
    }
    return try decode(type, from: row, fields)
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, from row: borrowing Row, _ fields: [EmbeddedField]
  ) throws -> Value {
    guard let key = Self.key, !fields.isEmpty else { return try settings.decode(type, from: row) }
    var decoder = settings
    decoder.userInfo[key] = self
    pending = fields
    return try decoder.decode(WithEmbeds<Value>.self, from: row).value
  }

  /// What is in the row that a decoder was just made for.
  func takePending() -> [EmbeddedField] {
    defer { pending = [] }
    return pending
  }

  func value<Value: Decodable>(_ type: Value.Type, from row: EmbeddedRow) throws -> Value {
    var fields: [EmbeddedField] = []
    for (name, value) in zip(row.names, row.values) {
      if case .value = value { continue }
      fields.append(EmbeddedField(key: try key(of: name), value: value))
    }
    let columns = Row(columns: row.names, values: row.values.map(\.plain))
    return try decode(type, from: columns, fields)
  }

  /// The key that a column becomes, which the decoder alone knows.
  private func key(of name: String) throws -> String {
    if case .useDefaultKeys = settings.keyDecodingStrategy { return name }
    if let known = keys.first(where: { $0.name.hasSameBytes(as: name) }) { return known.key }
    let row = Row(columns: [name], values: [.null])
    let key = try settings.decode(FirstKey.self, from: row).name ?? name
    keys.append((name, key))
    return key
  }
}

/// Rows within a row, by the key of their column.
struct EmbeddedField {
  let key: String
  let value: EmbeddedValue
}

private struct FirstKey: Decodable {
  let name: String?

  init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: AnyKey.self).allKeys.first?.stringValue
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

internal import PostgreSQL
internal import Primitives
internal import Router
internal import SQLiteCore

/// Reads the rows of a route's statement.
///
/// Embedded rows, which are composite values without names, become the JSON by which Router decodes them.
struct RouteRowReader: Sendable {
  /// The parts of JSON among the columns.
  private var parts: [Bool] = []
  private var embeds: [EmbeddedColumns] = []
  /// Indicates whether the last column states if the row may be written.
  private var hasCheck = false

  /// Creates a reader for custom SQL.
  init() {}

  /// Creates a reader for a route's statement.
  init(_ route: DatabaseRoute, hasCheck: Bool = false, in catalog: PostgreSQLCatalog) throws {
    self.hasCheck = hasCheck
    guard route.method != .count else { return }
    parts = route.columns.map { !$0.path.isEmpty }
    guard route.aggregates.isEmpty else { return }
    embeds = try route.embeds.map { try EmbeddedColumns($0, catalog) }
  }

  /// Returns the names of the result's columns.
  func columns(_ names: [String]) -> [String] { hasCheck ? names.dropLast() : names }

  /// Reads a row.
  ///
  /// - Throws: `RouterError` if the row may not be written.
  func row(_ row: borrowing PostgreSQLRow) throws -> [DataValue] {
    let count = hasCheck ? row.columnCount - 1 : row.columnCount
    if hasCheck, try row.read(Bool?.self, at: count) != true {
      throw RouterError(code: .refused, message: "the row filter forbids writing this row")
    }
    var values: [DataValue] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      if index >= count - embeds.count {
        let value = try row.read(PostgreSQLValue.self, at: index)
        values.append(embeds[index - count + embeds.count].value(value))
      } else {
        let value = try row.read(DataValue.self, at: index)
        values.append(parts.indices.contains(index) && parts[index] ? value.part : value)
      }
    }
    return values
  }
}

/// The columns of embedded rows.
private struct EmbeddedColumns: Sendable {
  private let names: [String]
  private let parts: [Bool]
  private let embeds: [EmbeddedColumns]

  init(_ embed: DatabaseRoute.Embed, _ catalog: PostgreSQLCatalog) throws {
    let table = try catalog.table(embed.table.name)
    let columns =
      embed.columns.isEmpty
      ? table.resultNames(beside: embed.embeds) : try embed.columns.map(table.resultName)
    names = columns + embed.embeds.map(\.name)
    parts = embed.columns.map { !$0.path.isEmpty }
    embeds = try embed.embeds.map { try EmbeddedColumns($0, catalog) }
  }

  /// Returns embedded rows as JSON; NULL if there is no row.
  func value(_ value: PostgreSQLValue) -> DataValue {
    value == .null ? .null : .text(json(value))
  }

  private func json(_ value: PostgreSQLValue) -> String {
    switch value {
    case .array(let rows): return "[\(rows.map(json).joined(separator: ","))]"
    case .record(let values):
      let fields = values.indices.prefix(names.count).map { index in
        let inner = index - (names.count - embeds.count)
        let json =
          inner >= 0 ? embeds[inner].json(values[index]) : fieldJSON(values[index].dataValue, index)
        return "\(JSONText.quoted(names[index])):\(json)"
      }
      return "{\(fields.joined(separator: ","))}"
    default: return "null"
    }
  }

  private func fieldJSON(_ value: DataValue, _ index: Int) -> String {
    let value = parts.indices.contains(index) && parts[index] ? value.part : value
    if case .bool(let bool) = value { return String(bool) }
    switch SQLiteValue(value) {
    case .null: return "null"
    case .integer(let integer): return String(integer)
    case .real(let real):
      if real.isNaN { return JSONText.quoted("NaN") }
      // A number beyond all others is infinity.
      return real.isFinite ? String(real) : real < 0 ? "-9.0e+999" : "9.0e+999"
    case .text(let text): return JSONText.quoted(text)
    case .blob(let bytes):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return "[\"\(digits.joined())\"]"
    }
  }
}

extension DataValue {
  /// A part of JSON: a scalar as its value, and an object or an array as JSON.
  fileprivate var part: DataValue {
    guard case .json(let text) = self else { return self }
    let bytes = Array(text.utf8)
    var events = JSONEventReader(JSONReadingOptions())
    switch try? events.next(in: bytes.elementSpan) {
    case .string: return .text(events.text(in: bytes.elementSpan))
    case .integer: return .integer(events.integer)
    case .double, .number:
      // A number with at most 15 digits is not rounded.
      let digits = text.utf8.count { (48...57).contains($0) }
      guard digits <= 15, let real = Double(text) else { return .decimal(text) }
      return .real(real)
    case .bool: return .integer(events.bool ? 1 : 0)
    case .null: return .null
    default: return self
    }
  }
}

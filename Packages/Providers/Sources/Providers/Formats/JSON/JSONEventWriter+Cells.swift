internal import Primitives
internal import SQLiteCore

extension JSONProvider.EventWriter {
  /// Writes a value of a row.
  mutating func cell(
    _ row: borrowing Row, at column: ColumnIndex, as form: JSONRowPlan.Form
  ) throws {
    switch try row.storageClass(at: column) {
    case .null: try null()
    case .integer:
      let value = try row.integer(at: column)
      if form == .boolean, value == 0 || value == 1 {
        try bool(value == 1)
      } else {
        try integer(value)
      }
    case .real:
      let value = try row.real(at: column)
      guard value.isFinite else { throw UnwritableValue(message: "JSON has no number \(value)") }
      if form == .shortReal, value.isWhole { try integer(Int64(value)) } else { try double(value) }
    case .text: try text(row, at: column, as: form)
    case .blob: throw UnwritableValue(message: "JSON has no blobs")
    }
  }

  private mutating func text(
    _ row: borrowing Row, at column: ColumnIndex, as form: JSONRowPlan.Form
  ) throws {
    do {
      try row.withText(at: column) { (text: Span<UInt8>) in
        if form == .json { try json(text) } else { try string(utf8: text) }
      }
    } catch let error as SQLiteError where error.code == .invalidText {
      throw UnwritableValue(message: "the text is not UTF-8")
    } catch let error as ProviderError where error.position != nil {
      throw UnwritableValue(message: "the text is not JSON, as its column says: \(error.message)")
    }
  }

  /// Writes a value that is JSON already, spaced as all else.
  mutating func json(_ text: Span<UInt8>) throws {
    var reader = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported))
    while true {
      let event = try reader.event(in: text)
      if reader.key >= 0 { try key(reader.keys[reader.key]) }
      switch event {
      case .beginObject: try beginObject()
      case .endObject: try endObject()
      case .beginArray: try beginArray()
      case .endArray: try endArray()
      case .string:
        if reader.hasEscapes {
          try string(utf8: reader.decoded.elementSpan)
        } else {
          try string(utf8: text.extracting(reader.range))
        }
      case .integer, .double, .number, .bool, .null: try raw(text.extracting(reader.range))
      case .end, .incomplete: return
      }
    }
  }
}

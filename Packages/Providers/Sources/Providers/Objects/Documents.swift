internal import SPON
internal import SQLiteCore

/// Values that lie in a column as documents of SPON.
enum Documents {
  /// Equal values are equal texts: the keys of objects and dictionaries are sorted, and so are
  /// the elements of sets.
  static func text(of value: any Encodable) throws -> SQLiteValue {
    var encoder = SPONEncoder()
    encoder.outputFormatting = .sortedKeys
    return .text(try encoder.encode(value))
  }

  static func value<Value: Decodable>(
    _ type: Value.Type, in row: borrowing Row, at column: ColumnIndex?
  ) throws -> Value {
    guard let column else {
      throw SQLiteError(code: .unknownColumn, message: "the result has no column for a \(type)")
    }
    return try SPONDecoder().decode(type, from: row.read(String.self, at: column))
  }

  /// Reads a column as what its document holds.
  static let read: RowDecoder.Replacement = { type, _, row, column in
    try value(type, in: row, at: column)
  }

  /// A decoder of rows whose documents are read as what they hold.
  static let decoder: RowDecoder = {
    var decoder = RowDecoder()
    decoder.replacement = { type in
      guard case .document = PropertyKind(type) else { return nil }
      return read
    }
    return decoder
  }()
}

/// Decodes the messages of a replication connection. Invalid bytes are an error, and never trap.
///
/// https://www.postgresql.org/docs/current/protocol-replication.html
enum ReplicationDecoder {
  /// A part of the data that the server sends.
  enum Packet: Equatable {
    case message(PostgreSQLReplicationMessage)
    /// The end of the log that was decoded, and whether the server waits for a status.
    case keepalive(end: PostgreSQLLogPosition, needsReply: Bool)
    /// A message of a kind that this package does not know.
    case unknown
  }

  /// Decodes the data of a copy.
  ///
  /// - Parameter includesRows: Whether the values of rows are needed. Otherwise rows have no columns.
  static func packet(
    _ bytes: Span<UInt8>, includesRows: Bool = true
  ) throws(PostgreSQLError) -> Packet {
    var reader = Reader()
    switch try reader.byte(in: bytes) {
    case UInt8(ascii: "w"):
      // The start and the end of the log, and the time.
      reader.offset += 24
      return try message(bytes, &reader, includesRows: includesRows).map { .message($0) }
        ?? .unknown
    case UInt8(ascii: "k"):
      let end = try reader.position(in: bytes)
      reader.offset += 8
      return .keepalive(end: end, needsReply: try reader.byte(in: bytes) == 1)
    default: return .unknown
    }
  }

  /// Decodes a message of pgoutput; `nil` for an unknown kind.
  private static func message(
    _ bytes: Span<UInt8>, _ reader: inout Reader, includesRows: Bool
  ) throws(PostgreSQLError) -> PostgreSQLReplicationMessage? {
    switch try reader.byte(in: bytes) {
    case UInt8(ascii: "B"):
      let position = try reader.position(in: bytes)
      reader.offset += 8
      return .begin(transaction: try reader.integer(in: bytes), position: position)
    case UInt8(ascii: "C"):
      reader.offset += 1
      let position = try reader.position(in: bytes)
      let end = try reader.position(in: bytes)
      // The time.
      _ = try reader.integer(Int64.self, in: bytes)
      return .commit(position: position, end: end)
    case UInt8(ascii: "R"): return .relation(try relation(bytes, &reader))
    case UInt8(ascii: "Y"):
      let type = PostgreSQLType(try reader.integer(UInt32.self, in: bytes))
      let schema = try reader.string(in: bytes)
      return .type(type, schema: schema, name: try reader.string(in: bytes))
    case UInt8(ascii: "O"):
      reader.offset += 8
      return .origin(name: try reader.string(in: bytes))
    case UInt8(ascii: "I"):
      let id = try reader.integer(UInt32.self, in: bytes)
      guard try reader.byte(in: bytes) == UInt8(ascii: "N") else { throw Reader.invalid }
      return .insert(relation: id, new: try row(bytes, &reader, includesRows))
    case UInt8(ascii: "U"):
      let id = try reader.integer(UInt32.self, in: bytes)
      var kind = try reader.byte(in: bytes)
      var old: PostgreSQLReplicationMessage.OldRow?
      if kind != UInt8(ascii: "N") {
        old = try oldRow(kind, bytes, &reader, includesRows)
        kind = try reader.byte(in: bytes)
      }
      guard kind == UInt8(ascii: "N") else { throw Reader.invalid }
      return .update(relation: id, old: old, new: try row(bytes, &reader, includesRows))
    case UInt8(ascii: "D"):
      let id = try reader.integer(UInt32.self, in: bytes)
      let kind = try reader.byte(in: bytes)
      return .delete(relation: id, old: try oldRow(kind, bytes, &reader, includesRows))
    case UInt8(ascii: "T"):
      let count = try reader.integer(UInt32.self, in: bytes)
      reader.offset += 1
      guard Int(count) * 4 <= bytes.count - reader.offset else { throw Reader.invalid }
      var relations: [UInt32] = []
      for _ in 0..<count { relations.append(try reader.integer(in: bytes)) }
      return .truncate(relations: relations)
    case UInt8(ascii: "M"):
      let flags = try reader.byte(in: bytes)
      reader.offset += 8
      let prefix = try reader.string(in: bytes)
      let range = try reader.range(in: bytes)
      return .message(
        isTransactional: flags & 1 != 0, prefix: prefix, content: reader.copy(range, of: bytes))
    default: return nil
    }
  }

  private static func relation(
    _ bytes: Span<UInt8>, _ reader: inout Reader
  ) throws(PostgreSQLError) -> PostgreSQLReplicationRelation {
    let id = try reader.integer(UInt32.self, in: bytes)
    let schema = try reader.string(in: bytes)
    let name = try reader.string(in: bytes)
    let identity: PostgreSQLReplicationRelation.Identity =
      switch try reader.byte(in: bytes) {
      case UInt8(ascii: "n"): .nothing
      case UInt8(ascii: "f"): .full
      case UInt8(ascii: "i"): .index
      default: .primaryKey
      }
    let count = try reader.integer(UInt16.self, in: bytes)
    var columns: [PostgreSQLReplicationRelation.Column] = []
    for _ in 0..<count {
      let flags = try reader.byte(in: bytes)
      let name = try reader.string(in: bytes)
      let type = PostgreSQLType(try reader.integer(UInt32.self, in: bytes))
      columns.append(
        PostgreSQLReplicationRelation.Column(
          name: name, type: type, modifier: try reader.integer(in: bytes), isKey: flags & 1 != 0))
    }
    return PostgreSQLReplicationRelation(
      id: id, schema: schema.isEmpty ? "pg_catalog" : schema, name: name, identity: identity,
      columns: columns)
  }

  private static func oldRow(
    _ kind: UInt8, _ bytes: Span<UInt8>, _ reader: inout Reader, _ includesRows: Bool
  ) throws(PostgreSQLError) -> PostgreSQLReplicationMessage.OldRow {
    switch kind {
    case UInt8(ascii: "K"): .key(try row(bytes, &reader, includesRows))
    case UInt8(ascii: "O"): .full(try row(bytes, &reader, includesRows))
    default: throw Reader.invalid
    }
  }

  private static func row(
    _ bytes: Span<UInt8>, _ reader: inout Reader, _ includesRows: Bool
  ) throws(PostgreSQLError) -> PostgreSQLReplicationRow {
    let count = try reader.integer(UInt16.self, in: bytes)
    var fields: [PostgreSQLReplicationRow.Field] = []
    if includesRows { fields.reserveCapacity(min(Int(count), bytes.count)) }
    let start = reader.offset
    for _ in 0..<count {
      let field: PostgreSQLReplicationRow.Field
      switch try reader.byte(in: bytes) {
      case UInt8(ascii: "n"): field = .null
      case UInt8(ascii: "u"): field = .unchanged
      case UInt8(ascii: "b"): field = .binary(try reader.range(in: bytes, from: start))
      case UInt8(ascii: "t"): field = .text(try reader.range(in: bytes, from: start))
      default: throw Reader.invalid
      }
      if includesRows { fields.append(field) }
    }
    return PostgreSQLReplicationRow(
      bytes: includesRows ? reader.copy(start..<reader.offset, of: bytes) : [], fields: fields)
  }

  /// A position in the bytes of a packet.
  private struct Reader {
    var offset = 0

    static var invalid: PostgreSQLError {
      PostgreSQLError(
        code: .invalidBytes, message: "a message of the replication stream has an invalid format")
    }

    mutating func byte(in bytes: Span<UInt8>) throws(PostgreSQLError) -> UInt8 {
      try integer(in: bytes)
    }

    mutating func integer<Value: FixedWidthInteger>(
      _ type: Value.Type = Value.self, in bytes: Span<UInt8>
    ) throws(PostgreSQLError) -> Value {
      guard let value = bytes.integer(Value.self, at: offset) else { throw Self.invalid }
      offset += Value.bitWidth / 8
      return value
    }

    mutating func position(in bytes: Span<UInt8>) throws(PostgreSQLError) -> PostgreSQLLogPosition {
      PostgreSQLLogPosition(rawValue: try integer(in: bytes))
    }

    /// Reads a text that ends with NUL.
    mutating func string(in bytes: Span<UInt8>) throws(PostgreSQLError) -> String {
      var end = offset
      while end < bytes.count, bytes[end] != 0 { end += 1 }
      guard offset <= end, end < bytes.count else { throw Self.invalid }
      defer { offset = end + 1 }
      return String(decoding: copy(offset..<end, of: bytes), as: UTF8.self)
    }

    /// Reads a length, and returns the range of the bytes that follow, relative to `start`.
    mutating func range(
      in bytes: Span<UInt8>, from start: Int = 0
    ) throws(PostgreSQLError) -> Range<Int> {
      let length = Int(try integer(Int32.self, in: bytes))
      guard length >= 0, length <= bytes.count - offset else { throw Self.invalid }
      defer { offset += length }
      return offset - start..<offset - start + length
    }

    func copy(_ range: Range<Int>, of bytes: Span<UInt8>) -> [UInt8] {
      var copy: [UInt8] = []
      copy.reserveCapacity(range.count)
      for index in range { copy.append(bytes[index]) }
      return copy
    }
  }
}

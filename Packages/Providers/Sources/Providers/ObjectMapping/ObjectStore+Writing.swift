internal import SPON
internal import SQLiteCore

// Writing objects as rows, in the caller's transaction.
extension ObjectStore {
  /// Writes objects whose tables refer to no others, directly from their encoding.
  func write<Object: DataTable>(
    flat objects: [Object], _ mapping: TableMapping
  ) throws -> [Record.Key] {
    try connection.createTables(for: mapping)
    do {
      return try connection.withStatement(SQL(unsafe: mapping.upsertSQL)) { statement in
        let writing = FlatObjectWriter(mapping, on: connection)
        var keys: [Record.Key] = []
        keys.reserveCapacity(objects.count)
        try Self.forEach(of: ContiguousArray(objects).span) { object in
          keys.append(try writing.write(object, by: statement))
        }
        return keys
      }
    } catch {
      throw connection.diagnosedWriting(error, mapping)
    }
  }

  /// Calls `body` with each element, which is borrowed: a copy would retain each of its strings.
  private static func forEach<Element: ~Copyable>(
    of elements: Span<Element>, _ body: (borrowing Element) throws -> Void
  ) throws {
    for index in elements.indices { try body(elements[index]) }
  }

  /// Writes objects, and all objects that they refer to.
  ///
  /// - Returns: The keys of all objects, in order.
  func write(_ graph: ObjectGraph) throws -> [Record.Key] {
    var created: Set<ObjectIdentifier> = []
    for object in graph.objects
    where created.insert(ObjectIdentifier(object.mapping.type)).inserted {
      try connection.createTables(for: object.mapping)
    }
    var rows = WriteOrder(graph)
    var pendingKeys: [ObjectIdentifier: PendingKeys] = [:]
    try rows.writeAll { mapping, values in
      do {
        let type = ObjectIdentifier(mapping.type)
        return try insert(
          values, mapping, &pendingKeys[type, default: PendingKeys(mapping, connection)])
      } catch {
        throw connection.diagnosedWriting(error, mapping)
      }
    }
    for (object, column, referenced) in rows.deferredReferences {
      guard let key = rows.keys[object], let referencedKey = rows.keys[referenced] else { continue }
      let mapping = graph.objects[object].mapping
      try connection.run(
        mapping.schema.updateSQL([mapping.columns[column].name]),
        values: [referencedKey.first] + key.values)
    }
    try writeLinks(rows)
    return rows.keys.map { $0 ?? Record.Key(.null) }
  }

  private func insert(
    _ values: [SQLiteValue], _ mapping: TableMapping, _ pendingKeys: inout PendingKeys
  ) throws -> Record.Key {
    var values = values
    let isGenerated = try mapping.normalizeKey(in: &values)
    if isGenerated { values[mapping.key[0]] = try pendingKeys.next() }
    let changes = try connection.run(SQL(unsafe: mapping.upsertSQL), of: RowValues(values: values))
    if isGenerated, values[mapping.key[0]].isNull {
      values[mapping.key[0]] = .integer(changes.lastInsertedRowID.rawValue)
    }
    let key = mapping.key(of: values)
    pendingKeys.didWrite(key.first)
    return key
  }

  /// Updates the links of all lists. A link in one list is not deleted by a list of the other side,
  /// because one of two linked rows may not have the link.
  private func writeLinks(_ rows: WriteOrder) throws {
    var lists: [(side: LinkSide, owner: SQLiteValue, keys: [SQLiteValue], [Record.Key])] = []
    var wanted: Set<Link> = []
    for (number, object) in rows.graph.objects.enumerated()
    where rows.graph.representatives[number] == number {
      guard let owner = rows.keys[number]?.first else { continue }
      for links in object.links {
        let side = try object.mapping.side(of: object.mapping.links[links.list])
        let keys = links.objects.compactMap { rows.keys[$0]?.first }
        for key in keys { wanted.insert(Link(side.definition, owner, key)) }
        lists.append((side, owner, keys, links.unloaded))
      }
    }
    for (side, owner, keys, unloaded) in lists {
      try LinkWriter(connection, side).write(
        keys, of: owner, unloaded: unloaded.map(\.first), others: wanted)
    }
  }
}

/// Values stored in a column as SPON documents.
enum Documents {
  /// Encodes a value. Equal values have equal strings: the keys of objects and dictionaries, and
  /// the elements of sets, are sorted.
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

  /// Decodes the value of a column's document.
  static let read: RowDecoder.Replacement = { type, _, row, column in
    try value(type, in: row, at: column)
  }

  /// A row decoder that decodes documents.
  static let decoder: RowDecoder = {
    var decoder = RowDecoder()
    decoder.replacement = { type in
      guard case .document = PropertyKind(type) else { return nil }
      return read
    }
    return decoder
  }()
}

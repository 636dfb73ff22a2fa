internal import SPON
internal import SQLiteCore

/// Writes objects as rows, in the caller's transaction.
struct ObjectWriter {
  let connection: Connection

  /// Writes objects whose tables refer to no others, directly from their encoding.
  func write<Object: DataTable>(
    flat objects: [Object], _ plan: TablePlan
  ) throws -> [Record.Key] {
    try ObjectTables(connection: connection).create(for: plan)
    do {
      return try connection.withStatement(SQL(unsafe: plan.upsertSQL)) { statement in
        let writing = FlatObjectWriter(plan, on: connection)
        var keys: [Record.Key] = []
        keys.reserveCapacity(objects.count)
        try Self.forEach(of: ContiguousArray(objects).span) { object in
          keys.append(try writing.write(object, by: statement))
        }
        return keys
      }
    } catch {
      throw explained(error, plan)
    }
  }

  /// Calls `body` with each element, which is borrowed: a copy would retain each of its strings.
  private static func forEach<Element: ~Copyable>(
    of elements: Span<Element>, _ body: (borrowing Element) throws -> Void
  ) throws {
    for place in elements.indices { try body(elements[place]) }
  }

  private func explained(_ error: any Error, _ plan: TablePlan) -> any Error {
    ObjectTables(connection: connection).explainedWriting(error, plan)
  }

  /// Writes objects, and all objects that they refer to.
  ///
  /// - Returns: The keys of all objects, in order.
  func write(_ graph: ObjectGraph) throws -> [Record.Key] {
    var created: Set<ObjectIdentifier> = []
    for object in graph.objects
    where created.insert(ObjectIdentifier(object.plan.type)).inserted {
      try ObjectTables(connection: connection).create(for: object.plan)
    }
    var rows = WriteOrder(graph)
    var pendingKeys: [ObjectIdentifier: PendingKeys] = [:]
    try rows.writeAll { plan, values in
      do {
        let type = ObjectIdentifier(plan.type)
        return try insert(values, plan, &pendingKeys[type, default: PendingKeys(plan, connection)])
      } catch {
        throw explained(error, plan)
      }
    }
    for patch in rows.patches { try write(patch, rows) }
    try writeLinks(rows)
    return rows.keys.map { $0 ?? Record.Key(.null) }
  }

  private func insert(
    _ values: [SQLiteValue], _ plan: TablePlan, _ pendingKeys: inout PendingKeys
  ) throws -> Record.Key {
    var values = values
    let isGenerated = try plan.normalizeKey(in: &values)
    if isGenerated { values[plan.key[0]] = try pendingKeys.next() }
    let changes = try connection.run(SQL(unsafe: plan.upsertSQL), of: RowValues(values: values))
    if isGenerated {
      let next = values[plan.key[0]]
      values[plan.key[0]] = pendingKeys.made(next, lastInsertedRowID: changes.lastInsertedRowID)
    }
    let key = plan.key(of: values)
    pendingKeys.note(key.first)
    return key
  }

  /// Updates the links of all lists. A link in one list is not deleted by a list of the other side,
  /// because one of two linked rows may not have the link.
  private func writeLinks(_ rows: WriteOrder) throws {
    var lists: [(side: LinkSide, owner: SQLiteValue, keys: [SQLiteValue], [Record.Key])] = []
    var wanted: Set<Link> = []
    for (number, object) in rows.graph.objects.enumerated()
    where rows.graph.written[number] == number {
      guard let owner = rows.keys[number]?.first else { continue }
      for links in object.links {
        let side = try object.plan.side(of: object.plan.links[links.list])
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

  /// Completes a cycle: writes a key that was unknown when its row was written.
  private func write(_ patch: WriteOrder.Patch, _ rows: WriteOrder) throws {
    let plan = rows.graph.objects[patch.object].plan
    guard let key = rows.keys[patch.object], let child = rows.keys[patch.child] else { return }
    try connection.run(
      plan.schema.updateSQL([plan.columns[patch.column].name]), values: [child.first] + key.values)
  }
}

/// Values to bind to consecutive parameters.
private struct RowValues: RowEncodable {
  let values: [SQLiteValue]

  func bind(to statement: Statement) throws(SQLiteError) {
    for (place, value) in values.enumerated() {
      try value.bind(to: statement, at: ParameterIndex(place + 1))
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

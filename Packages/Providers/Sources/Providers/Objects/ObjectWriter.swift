internal import SQLiteCore

/// Writes objects as rows. Runs in a transaction that someone else has begun.
struct ObjectWriter {
  let connection: Connection

  /// Writes objects whose tables refer to no others, straight from their encoding.
  func write<Object: DataTable>(
    flat objects: [Object], _ plan: TablePlan
  ) throws -> [RowKey] {
    try ObjectTables(connection: connection).create(for: plan)
    do {
      return try connection.withStatement(plan.upsertSQL) { statement in
        let writing = FlatWriting(plan)
        var keys: [RowKey] = []
        keys.reserveCapacity(objects.count)
        try Self.forEach(of: objects.span) { object in
          keys.append(try writing.write(object, by: statement, on: connection))
        }
        return keys
      }
    } catch {
      throw explained(error, plan)
    }
  }

  /// Runs `body` with each element, which is lent and not copied: a copy counts a reference for each text of it.
  private static func forEach<Element: ~Copyable>(
    of elements: Span<Element>, _ body: (borrowing Element) throws -> Void
  ) throws {
    for place in elements.indices { try body(elements[place]) }
  }

  private func explained(_ error: any Error, _ plan: TablePlan) -> any Error {
    ObjectTables(connection: connection).explained(error, plan)
  }

  /// Writes objects with all that they refer to.
  ///
  /// - Returns: The keys of all objects, in their order.
  func write(_ graph: ObjectGraph) throws -> [RowKey] {
    var created: Set<ObjectIdentifier> = []
    for object in graph.objects
    where created.insert(ObjectIdentifier(object.plan.type)).inserted {
      try ObjectTables(connection: connection).create(for: object.plan)
    }
    var rows = RowsToWrite(graph)
    try rows.writeAll { plan, values in
      do {
        return try insert(values, plan)
      } catch {
        throw explained(error, plan)
      }
    }
    for patch in rows.patches { try write(patch, rows) }
    try writeLinks(rows)
    return rows.keys.map { $0 ?? RowKey(.null) }
  }

  private func insert(_ values: [SQLiteValue], _ plan: TablePlan) throws -> RowKey {
    var values = values
    let isMade = try plan.settleKey(in: &values)
    let changes = try connection.run(plan.upsertSQL, of: RowValues(values: values))
    return isMade
      ? RowKey(.integer(changes.lastInsertedRowID.rawValue)) : plan.key(of: values)
  }

  /// Writes the links of all lists. What one list has, another one's other side does not delete: of two rows that
  /// are linked, one may know of it.
  private func writeLinks(_ rows: RowsToWrite) throws {
    var lists: [(definition: LinkDefinition, owner: SQLiteValue, keys: [SQLiteValue], [RowKey])] =
      []
    var wanted: Set<Link> = []
    for (number, object) in rows.graph.objects.enumerated() {
      guard let owner = rows.keys[number]?.first else { continue }
      for links in object.links {
        let definition = object.plan.links[links.list].definition
        let keys = links.objects.compactMap { rows.keys[$0]?.first }
        for key in keys { wanted.insert(Link(definition, owner, key)) }
        lists.append((definition, owner, keys, links.unloaded))
      }
    }
    for (definition, owner, keys, unloaded) in lists {
      try LinkWriter(connection, definition).write(
        keys, of: owner, unloaded: unloaded.map(\.first), others: wanted)
    }
  }

  /// Completes a circle: writes a key that was not known when the row was.
  private func write(_ patch: RowsToWrite.Patch, _ rows: RowsToWrite) throws {
    let plan = rows.graph.objects[patch.object].plan
    guard let key = rows.keys[patch.object], let child = rows.keys[patch.child] else { return }
    try connection.run(
      """
      UPDATE \(SQLName.quoted(plan.table)) SET \(SQLName.quoted(plan.columns[patch.column].name)) = ? \
      WHERE \(plan.keyConditionSQL)
      """, values: [child.first] + key.values)
  }
}

/// Values, each of which is a parameter's.
private struct RowValues: RowEncodable {
  let values: [SQLiteValue]

  func bind(to statement: Statement) throws(SQLiteError) {
    for (place, value) in values.enumerated() {
      try value.bind(to: statement, at: ParameterIndex(place + 1))
    }
  }
}

/// Objects of one type on their way into their table.
private final class FlatWriting {
  private let plan: TablePlan
  private var binding: RowBinding
  private let key: KeyBeingWritten

  /// The key of the row that is written.
  private final class KeyBeingWritten {
    var value: SQLiteValue?
    /// Of a key of several columns each, in the key's order.
    var values: [SQLiteValue?] = []
  }

  init(_ plan: TablePlan) {
    self.plan = plan
    let key = KeyBeingWritten()
    self.key = key
    var adjusting: [String: (SQLiteValue) throws -> SQLiteValue] = [:]
    for (index, place) in plan.key.enumerated() {
      adjusting[plan.columns[place].name] = { value in
        let settled = try plan.settledKey(value)
        if plan.key.count == 1 { key.value = settled } else { key.values[index] = settled }
        return settled
      }
    }
    binding = RowBinding(columns: plan.columns.map(\.name), adjusting: adjusting) { type, _ in
      if case .document = PropertyKind(type) { Documents.text } else { nil }
    }
  }

  func write<Object: DataTable>(
    _ object: borrowing Object, by statement: Statement, on connection: Connection
  ) throws -> RowKey {
    key.value = nil
    if plan.key.count > 1 { key.values = Array(repeating: nil, count: plan.key.count) }
    try binding.bind(object, to: statement)
    if plan.key.count > 1 {
      let values = key.values.compactMap(\.self)
      guard values.count == plan.key.count else { throw plan.missingKey() }
      try statement.run()
      return RowKey(values: values)
    }
    // A key that was not encoded is bound as NULL.
    if key.value == nil, !plan.isNumbered { throw plan.missingKey() }
    let value = key.value ?? .null
    try statement.run()
    return RowKey(value.isNull ? .integer(connection.lastInsertedRowID.rawValue) : value)
  }
}

/// The order in which the objects of a graph are written: those that a row refers to before the row.
struct RowsToWrite {
  struct Patch {
    let object: Int
    let column: Int
    let child: Int
  }

  let graph: ObjectGraph
  private(set) var keys: [RowKey?]
  /// The references that were written as NULL, since they lead back to a row that was not there yet.
  private(set) var patches: [Patch] = []

  init(_ graph: ObjectGraph) {
    self.graph = graph
    keys = Array(repeating: nil, count: graph.objects.count)
  }

  mutating func writeAll(_ insert: (TablePlan, [SQLiteValue]) throws -> RowKey) throws {
    var isBegun = Array(repeating: false, count: graph.objects.count)
    // Not by recursion: a chain of references may be longer than the stack.
    var path: [(object: Int, next: Int)] = []
    for first in graph.objects.indices where !isBegun[first] {
      isBegun[first] = true
      path.append((first, 0))
      while let (object, next) = path.last {
        let references = graph.objects[object].references
        if next < references.count {
          path[path.count - 1].next += 1
          let child = references[next].object
          if !isBegun[child] {
            isBegun[child] = true
            path.append((child, 0))
          }
        } else {
          path.removeLast()
          keys[object] = try insert(graph.objects[object].plan, values(of: object))
        }
      }
    }
  }

  private mutating func values(of object: Int) -> [SQLiteValue] {
    var values = graph.objects[object].values
    for reference in graph.objects[object].references {
      if let key = keys[reference.object] {
        values[reference.column] = key.first
      } else {
        patches.append(
          Patch(object: object, column: reference.column, child: reference.object))
      }
    }
    return values
  }
}

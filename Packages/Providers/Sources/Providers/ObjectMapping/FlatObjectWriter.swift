internal import SQLiteCore

/// Writes objects of one type into their table, which refers to no other tables.
final class FlatObjectWriter {
  private let plan: TablePlan
  private let connection: Connection
  private var binding: RowEncoder.Binding
  private let key: WrittenKey
  private var pendingKeys: PendingKeys
  private let isOfClass: Bool
  /// The generated keys of instances without a key.
  private var generatedKeys: [ObjectIdentifier: Record.Key] = [:]

  /// The key of the current row.
  private final class WrittenKey {
    var value: SQLiteValue?
    /// The values of a key with several columns, in the key's order.
    var values: [SQLiteValue?] = []
    /// A Boolean value that indicates whether the key was not set.
    var isGenerated = false
  }

  init(_ plan: TablePlan, on connection: Connection) {
    self.plan = plan
    self.connection = connection
    pendingKeys = PendingKeys(plan, connection)
    isOfClass = plan.type is AnyClass
    let key = WrittenKey()
    self.key = key
    let isUUID = plan.keyType == .autoUUIDString
    var adjusting: [String: (SQLiteValue) throws -> SQLiteValue] = [:]
    for (index, place) in plan.key.enumerated() {
      adjusting[plan.columns[place].name] = { value in
        let normalized = try plan.normalizedKey(value)
        if plan.key.count == 1 { key.value = normalized } else { key.values[index] = normalized }
        if normalized.isNull || isUUID && normalized != value { key.isGenerated = true }
        return normalized
      }
    }
    binding = RowEncoder.Binding(columns: plan.columns.map(\.name), adjusting: adjusting) {
      type, _ in
      if case .document = PropertyKind(type) { Documents.text } else { nil }
    }
  }

  func write<Object: DataTable>(
    _ object: borrowing Object, by statement: Statement
  ) throws -> Record.Key {
    if isOfClass { try TablePlan.requireExactType(copy object, than: plan.type) }
    key.value = nil
    key.isGenerated = false
    if plan.key.count > 1 { key.values = Array(repeating: nil, count: plan.key.count) }
    try binding.bind(object, to: statement)
    if plan.key.count > 1 {
      let values = key.values.compactMap(\.self)
      guard values.count == plan.key.count else { throw plan.missingKey() }
      try statement.run()
      return Record.Key(values: values)
    }
    // A key that was not encoded is bound as NULL.
    if key.value == nil, !plan.isNumbered { throw plan.missingKey() }
    if key.isGenerated || key.value == nil {
      return try isOfClass ? writeNew(copy object, by: statement) : writeNew(by: statement)
    }
    let value = key.value ?? .null
    try statement.run()
    pendingKeys.note(value)
    return Record.Key(value)
  }

  /// Writes an instance without a key, unless it was already written.
  private func writeNew(_ object: some DataTable, by statement: Statement) throws -> Record.Key {
    let identity = ObjectIdentifier(object as AnyObject)
    if let known = generatedKeys[identity] { return known }
    let new = try writeNew(by: statement)
    generatedKeys[identity] = new
    return new
  }

  private func writeNew(by statement: Statement) throws -> Record.Key {
    var value = key.value ?? .null
    if value.isNull {
      value = try pendingKeys.next()
      if !value.isNull { try statement.bind(value, at: ParameterIndex(plan.key[0] + 1)) }
    }
    try statement.run()
    let written = pendingKeys.made(value, lastInsertedRowID: connection.lastInsertedRowID)
    pendingKeys.note(written)
    return Record.Key(written)
  }
}

/// Orders the objects of a graph so that referenced rows are written first.
struct WriteOrder {
  struct Patch {
    let object: Int
    let column: Int
    let child: Int
  }

  let graph: ObjectGraph
  private(set) var keys: [Record.Key?]
  /// The references that were written as NULL, because they refer to a row that was not written
  /// yet.
  private(set) var patches: [Patch] = []

  init(_ graph: ObjectGraph) {
    self.graph = graph
    keys = Array(repeating: nil, count: graph.objects.count)
  }

  mutating func writeAll(_ insert: (TablePlan, [SQLiteValue]) throws -> Record.Key) throws {
    var isBegun = graph.written.enumerated().map { number, written in number != written }
    // Iterative, because a chain of references can be longer than the stack.
    var path: [(object: Int, next: Int)] = []
    for first in graph.objects.indices where !isBegun[first] {
      isBegun[first] = true
      path.append((first, 0))
      while let (object, next) = path.last {
        let references = graph.objects[object].references
        if next < references.count {
          path[path.count - 1].next += 1
          let child = graph.written[references[next].object]
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
    for (number, written) in graph.written.enumerated() { keys[number] = keys[written] }
  }

  private mutating func values(of object: Int) -> [SQLiteValue] {
    var values = graph.objects[object].values
    for reference in graph.objects[object].references {
      let child = graph.written[reference.object]
      if let key = keys[child] {
        values[reference.column] = key.first
      } else {
        patches.append(Patch(object: object, column: reference.column, child: child))
      }
    }
    return values
  }
}

internal import SQLiteCore

/// Writes objects of one type into their table, which refers to no other tables.
final class FlatObjectWriter {
  private let mapping: TableMapping
  private let connection: Connection
  private var binding: RowEncoder.Binding
  private let key: BoundKey
  private var pendingKeys: PendingKeys
  private let isClass: Bool
  /// The generated keys of instances without a key.
  private var generatedKeys: [ObjectIdentifier: Record.Key] = [:]

  /// The key of the current row.
  private final class BoundKey {
    var value: SQLiteValue?
    /// The values of a key with several columns, in the key's order.
    var values: [SQLiteValue?] = []
    /// A Boolean value that indicates whether the key was not set.
    var isGenerated = false
  }

  init(_ mapping: TableMapping, on connection: Connection) {
    self.mapping = mapping
    self.connection = connection
    pendingKeys = PendingKeys(mapping, connection)
    isClass = mapping.type is AnyClass
    let key = BoundKey()
    self.key = key
    let isUUID = mapping.keyType == .autoUUIDString
    var adjusting: [String: (SQLiteValue) throws -> SQLiteValue] = [:]
    for (index, column) in mapping.key.enumerated() {
      adjusting[mapping.columns[column].name] = { value in
        let normalized = try mapping.normalizedKey(value)
        if mapping.key.count == 1 { key.value = normalized } else { key.values[index] = normalized }
        if normalized.isNull || isUUID && normalized != value { key.isGenerated = true }
        return normalized
      }
    }
    binding = RowEncoder.Binding(columns: mapping.columns.map(\.name), adjusting: adjusting) {
      type, _ in
      if case .document = PropertyKind(type) { Documents.text } else { nil }
    }
  }

  func write<Object: DataTable>(
    _ object: borrowing Object, by statement: Statement
  ) throws -> Record.Key {
    if isClass { try TableMapping.requireExactType(copy object, than: mapping.type) }
    key.value = nil
    key.isGenerated = false
    if mapping.key.count > 1 { key.values = Array(repeating: nil, count: mapping.key.count) }
    try binding.bind(object, to: statement)
    if mapping.key.count > 1 {
      let values = key.values.compactMap(\.self)
      guard values.count == mapping.key.count else { throw mapping.missingKey() }
      try statement.run()
      return Record.Key(values: values)
    }
    // A key that was not encoded is bound as NULL.
    if key.value == nil, !mapping.isNumbered { throw mapping.missingKey() }
    if key.isGenerated || key.value == nil {
      return try isClass ? writeNew(copy object, by: statement) : writeNew(by: statement)
    }
    let value = key.value ?? .null
    try statement.run()
    pendingKeys.didWrite(value)
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
      if !value.isNull { try statement.bind(value, at: ParameterIndex(mapping.key[0] + 1)) }
    }
    try statement.run()
    if value.isNull { value = .integer(connection.lastInsertedRowID.rawValue) }
    pendingKeys.didWrite(value)
    return Record.Key(value)
  }
}

/// Orders the objects of a graph so that referenced rows are written first.
struct WriteOrder {
  let graph: ObjectGraph
  private(set) var keys: [Record.Key?]
  /// The references that were written as NULL, because they refer to a row that was not written
  /// yet.
  private(set) var deferredReferences: [(object: Int, column: Int, referenced: Int)] = []

  init(_ graph: ObjectGraph) {
    self.graph = graph
    keys = Array(repeating: nil, count: graph.objects.count)
  }

  mutating func writeAll(_ insert: (TableMapping, [SQLiteValue]) throws -> Record.Key) throws {
    var isBegun = graph.representatives.enumerated().map { $0 != $1 }
    // Iterative, because a chain of references can be longer than the stack.
    var path: [(object: Int, next: Int)] = []
    for first in graph.objects.indices where !isBegun[first] {
      isBegun[first] = true
      path.append((first, 0))
      while let (object, next) = path.last {
        let references = graph.objects[object].references
        if next < references.count {
          path[path.count - 1].next += 1
          let referenced = graph.representatives[references[next].object]
          if !isBegun[referenced] {
            isBegun[referenced] = true
            path.append((referenced, 0))
          }
        } else {
          path.removeLast()
          keys[object] = try insert(graph.objects[object].mapping, values(of: object))
        }
      }
    }
    for (number, representative) in graph.representatives.enumerated() {
      keys[number] = keys[representative]
    }
  }

  private mutating func values(of object: Int) -> [SQLiteValue] {
    var values = graph.objects[object].values
    for reference in graph.objects[object].references {
      let referenced = graph.representatives[reference.object]
      if let key = keys[referenced] {
        values[reference.column] = key.first
      } else {
        deferredReferences.append((object, reference.column, referenced))
      }
    }
    return values
  }
}

internal import SQLiteCore

extension ObjectStore {
  /// Saves objects, and all objects that they refer to.
  ///
  /// - Returns: The keys of the objects, in order, to be written back after the commit.
  func save<Object: DataTable>(_ objects: [Object]) throws -> SavedObjects {
    let plan = try TablePlan.of(Object.self)
    if plan.isFlat {
      let keys = try ObjectWriter(connection: connection).write(flat: objects, plan)
      let keyed =
        Object.self is any (KeyedDataTable & AnyObject).Type ? KeyedObjects(objects) : nil
      return SavedObjects(
        keys: keys, keyed: keyed, typed: try typedKeys(keys, keyed?.types ?? []))
    }
    let encoder = try ObjectGraphEncoder(objects)
    let objects = KeyedObjects(encoder.originals)
    let written = try write(encoder.graph, objects.types)
    return SavedObjects(keys: written.keys, keyed: objects, typed: written.typed)
  }

  /// Writes objects that have been encoded.
  ///
  /// - Returns: The keys of the objects passed to `save`, and the keys of all instances whose keys
  ///   are written back.
  func write(
    _ graph: ObjectGraph, _ types: [KeyedObjects.Place]
  ) throws -> (keys: [Record.Key], typed: [any Sendable]) {
    let keys = try ObjectWriter(connection: connection).write(graph)
    return (graph.roots.map { keys[$0] }, try typedKeys(keys, types))
  }

  private func typedKeys(
    _ keys: [Record.Key], _ types: [KeyedObjects.Place]
  ) throws -> [any Sendable] {
    func typed<Object: KeyedDataTable>(
      _ key: Record.Key, _ type: Object.Type
    ) throws -> any Sendable { try typedKey(key, of: type) }
    return try types.map { try typed(keys[$0.object], $0.type) }
  }

  /// Converts a key to the type of the object's key.
  func typedKey<Object: KeyedDataTable>(_ key: Record.Key, of type: Object.Type) throws
    -> Object.Key
  {
    let value = try key.sqliteValue
    guard !value.isNull else {
      throw ProviderError(.missingKey, "the row has no key", table: Object.tableName)
    }
    let row = Row(columns: [try plan(type).keyColumn.name], values: [value])
    return try row.read(at: 0)
  }

  /// Creates an object with the next key of its table.
  func make<Object: DataTable>(_ type: Object.Type) throws -> Object {
    let plan = try plan(type)
    let object = Object()
    guard let key = try nextKey(plan) else { return object }
    let children = DefaultChildObjects(try RowEncoder.Properties(of: object))
    let binding = RowEncoder.Binding(columns: plan.columns.map(\.name)) { type, _ in
      switch PropertyKind(type) {
      case .column: nil
      case .document: Documents.text
      // Not NULL, so that the property is decoded.
      case .table: { _ in .integer(0) }
      case .links: { _ in nil }
      }
    }
    var values = try binding.values(of: object)
    values[plan.key[0]] = key
    var decoder = RowDecoder()
    decoder.replacement = { type in
      switch PropertyKind(type) {
      case .column: nil
      case .document: Documents.read
      case .table, .links: { _, property, _, _ in try children.value(property) }
      }
    }
    let optional = plan.optionalLists
    let row = Row(
      columns: plan.columns.map(\.name) + optional, values: values + optional.map { _ in 0 })
    return try decoder.decode(type, from: row)
  }
}

/// The properties of `init()`'s value that are rows of other tables.
//
// Unchecked: used only by the call that creates it, on one thread.
private final class DefaultChildObjects: @unchecked Sendable {
  private let values: [String: any Encodable]

  init(_ properties: RowEncoder.Properties) {
    var values: [String: any Encodable] = [:]
    for property in properties.all { values[property.name] = property.value }
    self.values = values
  }

  func value(_ property: String) throws(ProviderError) -> Any {
    guard let value = values[property] else {
      throw ProviderError(
        .schemaMismatch, "init()'s value does not encode the property", column: property)
    }
    return value
  }
}

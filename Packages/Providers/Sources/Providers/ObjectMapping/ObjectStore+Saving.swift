internal import SQLiteCore

extension ObjectStore {
  /// Saves objects, and all objects that they refer to.
  ///
  /// - Returns: The keys of the objects, in order, and the instances whose typed keys are written
  ///   back after the commit.
  func save<Object: DataTable>(
    _ objects: [Object]
  ) throws -> (keys: [Record.Key], keyed: KeyedObjects?, typed: [any Sendable]) {
    let mapping = try TableMapping.of(Object.self)
    if mapping.isFlat {
      let keys = try write(flat: objects, mapping)
      let keyed =
        Object.self is any (KeyedDataTable & AnyObject).Type ? KeyedObjects(objects) : nil
      return (keys, keyed, try typedKeys(keys, keyed?.types ?? []))
    }
    let encoder = try ObjectGraphEncoder(objects)
    let keyed = KeyedObjects(encoder.originals)
    let (keys, typed) = try write(encoder.graph, keyed.types)
    return (keys, keyed, typed)
  }

  /// Writes objects that have been encoded.
  ///
  /// - Returns: The keys of the objects passed to `save`, and the keys of all instances whose keys
  ///   are written back.
  func write(
    _ graph: ObjectGraph, _ types: [(object: Int, type: any KeyedDataTable.Type)]
  ) throws -> (keys: [Record.Key], typed: [any Sendable]) {
    let keys = try write(graph)
    return (graph.roots.map { keys[$0] }, try typedKeys(keys, types))
  }

  private func typedKeys(
    _ keys: [Record.Key], _ types: [(object: Int, type: any KeyedDataTable.Type)]
  ) throws -> [any Sendable] {
    func typed<Object: KeyedDataTable>(
      _ key: Record.Key, _ type: Object.Type
    ) throws -> any Sendable { try typedKey(key, of: type) }
    return try types.map { index, type in try typed(keys[index], type) }
  }

  /// Converts a key to the type of the object's key.
  func typedKey<Object: KeyedDataTable>(_ key: Record.Key, of type: Object.Type) throws
    -> Object.Key
  {
    let value = try key.sqliteValue
    guard !value.isNull else {
      throw ProviderError(.missingKey, "the row has no key", table: Object.tableName)
    }
    let row = Row(columns: [try mapping(type).keyColumn.name], values: [value])
    return try row.read(at: 0)
  }

  /// Creates an object with the next key of its table.
  func make<Object: DataTable>(_ type: Object.Type) throws -> Object {
    let mapping = try mapping(type)
    let object = Object()
    guard let key = try nextKey(mapping) else { return object }
    return try copy(of: object, withKey: key, mapping)
  }

  /// Returns the object, or a copy of it with the key under which it was saved.
  func saved<Object: DataTable>(_ object: Object, as key: Record.Key) throws -> Object {
    let mapping = try mapping(Object.self)
    // A key of several columns is never generated.
    guard mapping.key.count == 1, (try? mapping.key(of: object)) != key else { return object }
    return try copy(of: object, withKey: key.sqliteValue, mapping)
  }

  private func copy<Object: DataTable>(
    of object: Object, withKey key: SQLiteValue, _ mapping: TableMapping
  ) throws -> Object {
    let type = Object.self
    var values: [String: any Encodable] = [:]
    for property in try RowEncoder.Properties(of: object).all {
      values[property.name] = property.value
    }
    let defaults = UncheckedTransfer(values)
    let binding = RowEncoder.Binding(columns: mapping.columns.map(\.name)) { type, _ in
      switch PropertyKind(type) {
      case .column: nil
      case .document: Documents.text
      // Not NULL, so that the property is decoded.
      case .table: { _ in .integer(0) }
      case .links: { _ in nil }
      }
    }
    var columnValues = try binding.values(of: object)
    columnValues[mapping.key[0]] = key
    var decoder = RowDecoder()
    decoder.replacement = { type in
      switch PropertyKind(type) {
      case .column: nil
      case .document: Documents.read
      case .table, .links:
        { _, property, _, _ in
          guard let value = defaults.value[property] else {
            throw ProviderError(
              .schemaMismatch, "init()'s value does not encode the property", column: property)
          }
          return value
        }
      }
    }
    let optional = mapping.optionalLists
    let row = Row(
      columns: mapping.columns.map(\.name) + optional,
      values: columnValues + optional.map { _ in 0 })
    return try decoder.decode(type, from: row)
  }
}

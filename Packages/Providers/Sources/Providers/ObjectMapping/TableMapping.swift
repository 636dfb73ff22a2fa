internal import SQLiteCore
internal import Primitives

/// The mapping of a type to its table, created once per type and process.
final class TableMapping: Sendable {
  struct Links: Sendable {
    let property: String
    let isOptional: Bool
    let definition: LinkDefinition
    let list: any AnyCrossReference.Type
    var elementType: any DataTable.Type { list.elementType }
  }

  let type: any DataTable.Type
  /// The schema of the type's table. A column that refers to another table has the declared type of
  /// that table's key.
  let schema: TableSchema
  /// The properties of the columns, in table order.
  let properties: [PropertyKind]
  /// The indexes of the key's columns.
  let key: [Int]
  let keyType: DataTableKeyType
  let links: [Links]
  /// The indexes of the columns that refer to other tables.
  let references: [Int]
  let upsertSQL: String
  let selectSQL: String

  /// A Boolean value that indicates whether a row's content is entirely in its own table.
  var isFlat: Bool { references.isEmpty && links.isEmpty }

  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/schemaMismatch``,
  ///   ``ProviderError/Code/missingKey`` or ``ProviderError/Code/wrongKeyType`` if the type can't
  ///   be stored in a table; any error that the type's `encode(to:)` throws.
  init<Table: DataTable>(_ type: Table.Type) throws {
    let properties = try RowEncoder.Properties(of: Table())
    self.type = type
    let table = Table.tableName
    keyType = Table.primaryKeyType
    if !properties.isNamed {
      throw ProviderError(
        .schemaMismatch, "\(type) encodes a single value or an array, not keyed properties",
        table: table)
    }
    var columns: [TableSchema.Column] = []
    var kinds: [PropertyKind] = []
    var links: [Links] = []
    for property in properties.all {
      let kind = PropertyKind(property.type)
      let declaredType: String
      switch kind {
      case .column(let declared): declaredType = declared
      case .document: declaredType = "TEXT"
      case .table(let referenced):
        declaredType = try Self.keyDeclaration(of: referenced, neededBy: property.name, of: table)
      case .links(let list):
        guard let value = property.value as? any AnyCrossReference else {
          throw ProviderError(
            .schemaMismatch, "a list of links must not be nil in init()", table: table,
            column: property.name)
        }
        let positions = [LinkSide.positions.first, LinkSide.positions.second]
        let names = [value.definition.left, value.definition.right] + positions
        try Self.refuseRepeatedColumn(
          of: TableSchema(
            name: TableName(value.definition.name), columns: names.map { TableSchema.Column($0) }))
        _ = try Self.keyDeclaration(of: list.elementType, neededBy: property.name, of: table)
        links.append(
          Links(
            property: property.name, isOptional: property.isOptional,
            definition: value.definition, list: list))
        continue
      }
      let position = Table.primaryKeyColumns.firstIndex(of: property.name).map { $0 + 1 }
      columns.append(
        TableSchema.Column(
          property.name, declaredType, isNotNull: !property.isOptional,
          primaryKeyPosition: position,
          isAutoincrement: position != nil && keyType == .autoIncrementingInt))
      kinds.append(kind)
    }
    schema = TableSchema(name: TableName(table), columns: columns)
    self.properties = kinds
    self.links = links
    references = columns.indices.filter { kinds[$0].referencedType != nil }
    try Self.refuseRepeatedColumn(of: schema)
    key = try Self.findKey(
      Table.primaryKeyColumns, columns, kinds, type: keyType, table: table)
    if !links.isEmpty, key.count != 1 {
      throw ProviderError(
        .wrongKeyType, "rows with links need a key of one column", table: table,
        column: links[0].property)
    }
    selectSQL = schema.selectSQL().text
    upsertSQL = schema.upsertSQL().text
  }

  private static func refuseRepeatedColumn(of table: TableSchema) throws(ProviderError) {
    guard let column = table.duplicateColumnName else { return }
    throw ProviderError(
      .schemaMismatch, "two columns have names that are equal in SQL", table: table.name.name,
      column: column.name)
  }

  private static func findKey(
    _ names: [String], _ columns: [TableSchema.Column], _ properties: [PropertyKind],
    type: DataTableKeyType, table: String
  ) throws(ProviderError) -> [Int] {
    var key: [Int] = []
    for name in names {
      guard let index = columns.firstIndex(where: { $0.name == name }) else {
        throw ProviderError(
          .missingKey, "the type has no property with the key's name", table: table, column: name)
      }
      key.append(index)
    }
    guard let first = key.first else {
      throw ProviderError(.missingKey, "the type declares no key", table: table)
    }
    if key.count > 1, type != .uniqueValue {
      throw ProviderError(
        .wrongKeyType, "a key with several columns can't have the key type \(type)", table: table)
    }
    for index in key where !properties[index].isColumn {
      throw ProviderError(
        .wrongKeyType, "a key must be a single value, not a document or a reference",
        table: table, column: columns[index].name)
    }
    let requiredType: String? =
      switch type {
      case .autoIncrementingInt, .computedInt: "INTEGER"
      case .autoUUIDString: "TEXT"
      case .uniqueValue: nil
      }
    if let requiredType, columns[first].declaredType != requiredType {
      throw ProviderError(
        .wrongKeyType, "a key of the type \(type) must be \(requiredType)", table: table,
        column: columns[first].name)
    }
    return key
  }

  /// Returns the declared type of the key of a referenced type.
  private static func keyDeclaration<Child: DataTable>(
    of child: Child.Type, neededBy property: String, of table: String
  ) throws -> String {
    let names = Child.primaryKeyColumns
    guard names.count == 1 else {
      throw ProviderError(
        .wrongKeyType,
        "\(child) has a key with \(names.count) columns: only keys with one column can be referenced",
        table: table, column: property)
    }
    // The mapping of the child type can depend on this one.
    guard let key = try RowEncoder.Properties(of: Child())[names[0]] else {
      throw ProviderError(
        .missingKey, "the type has no property with the key's name", table: Child.tableName,
        column: names[0])
    }
    guard case .column(let declared) = PropertyKind(key.type) else {
      throw ProviderError(
        .wrongKeyType, "a key must be a single value, not a document or a reference",
        table: Child.tableName,
        column: names[0])
    }
    return declared
  }
}

extension TableMapping {
  var table: String { schema.name.name }

  var columns: [TableSchema.Column] { schema.columns }

  var keyColumn: TableSchema.Column { columns[key[0]] }

  var keyNames: [String] { schema.primaryKey.map(\.name) }

  /// Returns the type of the rows that the column with this name refers to.
  func referencedType(ofColumn name: String) -> (any DataTable.Type)? {
    zip(columns, properties).first { SQLName.isSame($0.0.name, name) }?.1.referencedType
  }

  /// A Boolean value that indicates whether keys that are not set are generated as numbers.
  var isNumbered: Bool { keyType == .autoIncrementingInt || keyType == .computedInt }

  private static let mappings = Mutex<[ObjectIdentifier: TableMapping]>([:])

  /// Returns the mapping of a type.
  static func of(_ type: any DataTable.Type) throws -> TableMapping {
    let identity = ObjectIdentifier(type)
    if let known = mappings.withLock({ $0[identity] }) { return known }
    // The type's own code must not run while the lock is held.
    let mapping = try TableMapping(type)
    mappings.withLock { $0[identity] = mapping }
    return mapping
  }

  /// Returns the mappings of a type and of all types that it refers to, starting with the type's own.
  func reachable() throws -> [TableMapping] {
    var found = [self]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(type)]
    var next = 0
    while next < found.count {
      let mapping = found[next]
      next += 1
      for type in mapping.references.compactMap({ mapping.properties[$0].referencedType })
        + mapping.links.map(\.elementType)
      where seen.insert(ObjectIdentifier(type)).inserted {
        found.append(try TableMapping.of(type))
      }
    }
    return found
  }
}

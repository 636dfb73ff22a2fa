internal import SQLiteCore
internal import Primitives

/// The mapping of a type to its table, created once per type and process.
final class TablePlan: Sendable {
  struct Column: Sendable {
    let name: String
    /// The declared type. For a column that refers to another table, the type of that table's key.
    let declaredType: String
    let isNotNull: Bool
    let isDocument: Bool
    /// The type of the referenced rows.
    let child: (any DataTable.Type)?
  }

  struct Links: Sendable {
    let property: String
    let isOptional: Bool
    let definition: LinkDefinition
    let list: any AnyCrossReference.Type
    var child: any DataTable.Type { list.elementType }
  }

  let type: any DataTable.Type
  let table: String
  let columns: [Column]
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

  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/schemaMismatch``, ``ProviderError/Code/missingKey`` or
  ///   ``ProviderError/Code/wrongKeyType`` if the type can't be stored in a table; any error that the type's
  ///   `encode(to:)` throws.
  init<Table: DataTable>(_ type: Table.Type) throws {
    let properties = try RowEncoder.Properties(of: Table())
    self.type = type
    table = Table.tableName
    keyType = Table.primaryKeyType
    if !properties.isNamed {
      throw ProviderError(
        .schemaMismatch, "\(type) encodes a single value or an array, not keyed properties",
        table: table)
    }
    var columns: [Column] = []
    var links: [Links] = []
    for property in properties.all {
      switch PropertyKind(property.type) {
      case .column(let declared):
        columns.append(
          Column(
            name: property.name, declaredType: declared, isNotNull: !property.isOptional,
            isDocument: false, child: nil))
      case .document:
        columns.append(
          Column(
            name: property.name, declaredType: "TEXT", isNotNull: !property.isOptional,
            isDocument: true, child: nil))
      case .table(let child):
        let declared = try Self.keyDeclaration(of: child, neededBy: property.name, of: table)
        columns.append(
          Column(
            name: property.name, declaredType: declared, isNotNull: !property.isOptional,
            isDocument: false, child: child))
      case .links(let list):
        guard let value = property.value as? any AnyCrossReference else {
          throw ProviderError(
            .schemaMismatch, "a list of links must not be nil in init()", table: table,
            column: property.name)
        }
        let positions = [LinkSide.positions.first, LinkSide.positions.second]
        try Self.refuseSameNames(
          [value.definition.left, value.definition.right] + positions, in: value.definition.name)
        _ = try Self.keyDeclaration(of: list.elementType, neededBy: property.name, of: table)
        links.append(
          Links(
            property: property.name, isOptional: property.isOptional,
            definition: value.definition, list: list))
      }
    }
    self.columns = columns
    self.links = links
    references = columns.indices.filter { columns[$0].child != nil }
    try Self.refuseSameNames(columns.map(\.name), in: table)
    key = try Self.findKey(Table.primaryKeyColumns, columns, type: keyType, table: table)
    if !links.isEmpty, key.count != 1 {
      throw ProviderError(
        .wrongKeyType, "rows with links need a key of one column", table: table,
        column: links[0].property)
    }
    let quoted = columns.map { SQLName.quoted($0.name) }
    let target = SQLName.quoted(table)
    selectSQL = "SELECT \(quoted.joined(separator: ", ")) FROM \(target)"
    upsertSQL = Self.upsert(target, quoted, key: key)
  }

  private static func upsert(_ target: String, _ quoted: [String], key: [Int]) -> String {
    let marks = quoted.map { _ in "?" }.joined(separator: ", ")
    let changed = quoted.indices.filter { !key.contains($0) }.map {
      "\(quoted[$0]) = excluded.\(quoted[$0])"
    }
    let deed =
      changed.isEmpty ? "DO NOTHING" : "DO UPDATE SET \(changed.joined(separator: ", "))"
    return "INSERT INTO \(target) (\(quoted.joined(separator: ", "))) VALUES (\(marks))"
      + " ON CONFLICT (\(key.map { quoted[$0] }.joined(separator: ", "))) \(deed)"
  }

  private static func refuseSameNames(_ names: [String], in table: String) throws(ProviderError) {
    var seen: Set<FoldedName> = []
    for name in names where !seen.insert(FoldedName(name)).inserted {
      throw ProviderError(
        .schemaMismatch, "two columns have names that are equal in SQL", table: table, column: name
      )
    }
  }

  private static func findKey(
    _ names: [String], _ columns: [Column], type: DataTableKeyType, table: String
  ) throws(ProviderError) -> [Int] {
    var key: [Int] = []
    for name in names {
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        throw ProviderError(
          .missingKey, "the type has no property with the key's name", table: table, column: name)
      }
      key.append(place)
    }
    guard let first = key.first else {
      throw ProviderError(.missingKey, "the type declares no key", table: table)
    }
    if key.count > 1, type != .uniqueValue {
      throw ProviderError(
        .wrongKeyType, "a key with several columns can't have the key type \(type)", table: table)
    }
    for place in key {
      let column = columns[place]
      if column.isDocument || column.child != nil {
        throw ProviderError(
          .wrongKeyType, "a key must be a single value, not a document or a reference",
          table: table, column: column.name)
      }
    }
    let wanted: String? =
      switch type {
      case .autoIncrementingInt, .computedInt: "INTEGER"
      case .autoUUIDString: "TEXT"
      case .uniqueValue: nil
      }
    if let wanted, columns[first].declaredType != wanted {
      throw ProviderError(
        .wrongKeyType, "a key of the type \(type) must be \(wanted)", table: table,
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
        .wrongKeyType, "\(child) has a key with \(names.count) columns: only keys with one column can be referenced",
        table: table, column: property)
    }
    // The plan of the child type can depend on this one.
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

extension TablePlan {
  var keyColumn: Column { columns[key[0]] }

  var keyNames: [String] { key.map { columns[$0].name } }

  /// A Boolean value that indicates whether keys that are not set are generated as numbers.
  var isNumbered: Bool { keyType == .autoIncrementingInt || keyType == .computedInt }

  private static let plans = Mutex<[ObjectIdentifier: TablePlan]>([:])

  /// Returns the plan of a type.
  static func of(_ type: any DataTable.Type) throws -> TablePlan {
    let identity = ObjectIdentifier(type)
    if let known = plans.withLock({ $0[identity] }) { return known }
    // The type's own code must not run while the lock is held.
    let plan = try TablePlan(type)
    plans.withLock { $0[identity] = plan }
    return plan
  }

  /// Returns the plans of a type and of all types that it refers to, starting with the type's own.
  func reachable() throws -> [TablePlan] {
    var found = [self]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(type)]
    var next = 0
    while next < found.count {
      let plan = found[next]
      next += 1
      for child in plan.references.compactMap({ plan.columns[$0].child }) + plan.links.map(\.child)
      where seen.insert(ObjectIdentifier(child)).inserted {
        found.append(try TablePlan.of(child))
      }
    }
    return found
  }
}

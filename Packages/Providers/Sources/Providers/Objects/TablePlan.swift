internal import SQLiteCore
internal import Primitives

/// What is known of a type that is a table: made once for each type, in a process.
final class TablePlan: Sendable {
  struct Column: Sendable {
    let name: String
    /// The declared type; of a column that refers to another table, it is the other's key's.
    let declaredType: String
    let isNotNull: Bool
    let isDocument: Bool
    /// The type of the rows that the column refers to.
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
  /// The places of the key's columns.
  let key: [Int]
  let keyType: DataTableKeyType
  let links: [Links]
  /// The places of the columns that refer to rows of other tables.
  let references: [Int]
  let upsertSQL: String
  let selectSQL: String

  /// Whether all that a row has lies in its own table.
  var isFlat: Bool { references.isEmpty && links.isEmpty }

  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/schemaMismatch``,
  ///   ``ProviderError/Code/missingKey`` or ``ProviderError/Code/wrongKeyType`` where the type can't be a table;
  ///   what the type's `encode(to:)` throws.
  init<Table: DataTable>(_ type: Table.Type) throws {
    let properties = try RowEncoder.Properties(of: Table())
    self.type = type
    table = Table.tableName
    keyType = Table.primaryKeyType
    if !properties.isNamed {
      throw ProviderError(
        .schemaMismatch, "\(type) encodes itself as a single value or a list", table: table)
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
        .schemaMismatch, "two columns have names that are one to SQL", table: table, column: name
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
          .missingKey, "the key is no property of the type", table: table, column: name)
      }
      key.append(place)
    }
    guard let first = key.first else {
      throw ProviderError(.missingKey, "the type names no key", table: table)
    }
    if key.count > 1, type != .uniqueValue {
      throw ProviderError(
        .wrongKeyType, "a key of several columns can't be of the kind \(type)", table: table)
    }
    for place in key {
      let column = columns[place]
      if column.isDocument || column.child != nil {
        throw ProviderError(
          .wrongKeyType, "a key is a single value of its own", table: table, column: column.name)
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
        .wrongKeyType, "a key of the kind \(type) is \(wanted)", table: table,
        column: columns[first].name)
    }
    return key
  }

  /// The declared type of the key of a type that another one refers to.
  private static func keyDeclaration<Child: DataTable>(
    of child: Child.Type, neededBy property: String, of table: String
  ) throws -> String {
    let names = Child.primaryKeyColumns
    guard names.count == 1 else {
      throw ProviderError(
        .wrongKeyType, "\(child) has a key of \(names.count) columns, to which none can refer",
        table: table, column: property)
    }
    // The child's own plan may need this one.
    guard let key = try RowEncoder.Properties(of: Child())[names[0]] else {
      throw ProviderError(
        .missingKey, "the key is no property of the type", table: Child.tableName,
        column: names[0])
    }
    guard case .column(let declared) = PropertyKind(key.type) else {
      throw ProviderError(
        .wrongKeyType, "a key is a single value of its own", table: Child.tableName,
        column: names[0])
    }
    return declared
  }
}

extension TablePlan {
  var keyColumn: Column { columns[key[0]] }

  var keyNames: [String] { key.map { columns[$0].name } }

  /// Whether SQLite makes keys that are not set.
  var isNumbered: Bool { keyType == .autoIncrementingInt || keyType == .computedInt }

  private static let plans = Mutex<[ObjectIdentifier: TablePlan]>([:])

  /// The plan of a type.
  static func of(_ type: any DataTable.Type) throws -> TablePlan {
    let identity = ObjectIdentifier(type)
    if let known = plans.withLock({ $0[identity] }) { return known }
    // The type's own code is not run under the lock.
    let plan = try TablePlan(type)
    plans.withLock { $0[identity] = plan }
    return plan
  }

  /// The plans of a type and of all that it refers to, the type's own first.
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

internal import Primitives
internal import SQLiteCore

/// The metadata of a type that is a table. It is created once for each type in a process.
final class TableMetadata: Sendable {
  /// The properties of a column that are not part of the table's schema.
  struct Property: Sendable {
    var reference: Reference?
    /// The column's value in `init()`'s row, used for existing rows when the column is added.
    var initialValue = SQLiteValue.null
  }

  /// The foreign key of a to-one relation.
  struct Reference: Sendable {
    let target: any Table.Type
    let rules: ForeignKeyRules
  }

  /// The foreign key of a to-one relation whose target has a key of several columns.
  struct CompositeReference: Sendable {
    let property: String
    /// The indexes of the columns.
    let columns: [Int]
    let reference: Reference
  }

  let type: any Table.Type
  /// The schema of the type's table.
  let schema: TableSchema
  /// The properties of the columns, in table order.
  let properties: [Property]
  let compositeReferences: [CompositeReference]
  /// The indexes of the key's columns.
  let key: [Int]
  /// The relations of `init()`'s row, by property name.
  let relations: [String: any AnyRelation]
  /// The names of the relations, in encoding order.
  let relationNames: [String]
  /// The index of the version column.
  let version: Int?
  /// The index of the column that marks a row as deleted.
  let deleted: Int?
  let conflictPolicy: ModelSession.ConflictPolicy
  /// A Boolean value that indicates whether the type conforms to ``SavingHooks``.
  let hasHooks: Bool
  /// `SELECT … FROM …` without a condition, for rows that are not marked as deleted.
  let selectSQL: String
  /// `SELECT … FROM …` without a condition, for all rows.
  let selectAllSQL: String
  let insertSQL: String
  /// The accessors of a type with ``Table/properties``.
  private let accessors: (any Sendable)?
  /// A Boolean value that indicates whether rows can be saved by updates of their changed columns
  /// without further checks.
  let savesOnlyColumns: Bool

  init<Row: Table>(_ type: Row.Type) throws {
    let row = Row()
    let properties = try RowEncoder.Properties(of: row)
    self.type = type
    let table = Row.tableName
    guard properties.isNamed else {
      throw RelationError(
        .schemaMismatch, "\(type) encodes itself as a single value or a list", table: table)
    }
    var columns: [TableSchema.Column] = []
    var columnProperties: [Property] = []
    func add(_ name: String, _ declaredType: String, isNotNull: Bool, _ property: Property) {
      columns.append(
        TableSchema.Column(
          name, declaredType, isNotNull: isNotNull,
          primaryKeyPosition: Row.keyColumns.firstIndex(of: name).map { $0 + 1 }))
      columnProperties.append(property)
    }
    var relations: [String: any AnyRelation] = [:]
    var composites: [CompositeReference] = []
    let initial = try Self.initialValues(of: row, properties)
    for property in properties.all {
      if let relation = property.value as? any AnyRelation {
        relations[property.name] = relation
        guard case .one(let target, let rules) = relation.relationKind else { continue }
        let types = target.keyTypes
        let reference = Reference(target: target, rules: rules)
        if types.count > 1 {
          composites.append(
            CompositeReference(
              property: property.name,
              columns: Array(columns.count..<(columns.count + types.count)), reference: reference))
        }
        for (type, part) in zip(types, target.keyColumns) {
          add(
            types.count > 1 ? "\(property.name)_\(part)" : property.name, type,
            isNotNull: rules.isRequired,
            Property(reference: types.count > 1 ? nil : reference))
        }
        continue
      }
      if property.type is any AnyRelation.Type {
        throw RelationError(
          .schemaMismatch, "a relation can't be optional", table: table, column: property.name)
      }
      let declared = RowEncoder.ColumnDeclaration.type(of: property.type)
      add(
        property.name, declared ?? "TEXT", isNotNull: !property.isOptional,
        Property(initialValue: initial[property.name] ?? .null))
    }
    schema = TableSchema(name: TableName(table), columns: columns)
    self.properties = columnProperties
    if let column = schema.duplicateColumnName {
      throw RelationError(
        .schemaMismatch, "two properties have names that SQL does not distinguish", table: table,
        column: column.name)
    }
    self.relations = relations
    compositeReferences = composites
    relationNames = properties.all.map(\.name).filter { relations[$0] != nil }
    key = try Row.keyColumns.map { name in
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        throw RelationError(
          .invalidKey, "\(type) has no such key property", table: Row.tableName, column: name)
      }
      return place
    }
    guard !key.isEmpty, key.count == Row.ID.columnTypes.count else {
      throw RelationError(
        .invalidKey,
        "\(Row.ID.self) has \(Row.ID.columnTypes.count) values, but the key has "
          + "\(key.count) columns", table: table)
    }
    version = try Self.versionIndex(in: columns, columnProperties, key, Row.self)
    deleted = try Self.deletedIndex(in: columns, columnProperties, key, Row.self)
    conflictPolicy = Row.conflictPolicy
    hasHooks = type is any SavingHooks.Type
    selectAllSQL = schema.selectSQL().text
    let source = Self.source(table, deleted.map { columns[$0] })
    selectSQL = schema.selectSQL(from: SQL(unsafe: source)).text
    insertSQL = schema.insertSQL.text
    // A relation to a composite key is not a single column.
    let accessors =
      Row.properties.isEmpty || !composites.isEmpty ? nil : try RowAccessors<Row>(properties)
    self.accessors = accessors
    savesOnlyColumns =
      !hasHooks && version == nil && conflictPolicy == .keepMine
      && accessors?.savesOnlyColumns ?? false
  }

  /// The accessors that read and write rows without `Codable`; `nil` if only `Codable` can.
  func accessors<Row: Table>(_ type: Row.Type) -> RowAccessors<Row>? {
    accessors as? RowAccessors<Row>
  }

  private static func initialValues(
    of row: some Table, _ properties: RowEncoder.Properties
  ) throws -> [String: SQLiteValue] {
    let names = properties.all.filter { !($0.value is any AnyRelation) }.map(\.name)
    let binding = RowEncoder.Binding(columns: names) { type, key in
      type is any AnyRelation.Type ? { _ in nil } : Self.replacement(type, key)
    }
    return Dictionary(
      zip(names, try binding.values(of: row)), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the conversion of keys and relations to columns.
  static func replacement(_ type: any Encodable.Type, _ key: String) -> RowEncoder.Binding
    .Replacement?
  {
    if type is any AnyRelation.Type {
      return { value in
        guard let one = value as? any AnyOneRelation else { return nil }
        let values = one.columnValues
        // A relation to a composite key is written separately: see RowValues.
        return values.count == 1 ? values[0] : .null
      }
    }
    if type is any CompositeKey.Type { return nil }
    if type is any TableKey.Type {
      return { value in (value as? any TableKey)?.keyValues.first ?? .null }
    }
    return nil
  }

  /// Creates an encoder for rows of the type.
  func makeBinding() -> RowValues { RowValues(self) }

  /// Returns the indexes of a property's columns: one, or several for a relation to a composite
  /// key.
  func columnIndexes(of property: String) -> [Int] {
    if let composite = compositeReferences.first(where: { $0.property == property }) {
      return composite.columns
    }
    return columns.firstIndex { $0.name == property }.map { [$0] } ?? []
  }

  /// All foreign keys.
  var references: [Reference] {
    properties.compactMap(\.reference) + compositeReferences.map(\.reference)
  }

  var table: String { schema.name.name }

  var columns: [TableSchema.Column] { schema.columns }

  var keyNames: [String] { schema.primaryKey.map(\.name) }

  /// A condition that selects a row by key, with a parameter for each of the key's columns.
  var keyCondition: String { schema.keyCondition.text }

  // MARK: Cache

  private static let allMetadata = Mutex<[ObjectIdentifier: TableMetadata]>([:])

  /// Returns the metadata of a type.
  static func of(_ type: any Table.Type) throws -> TableMetadata {
    let identity = ObjectIdentifier(type)
    if let existing = allMetadata.withLock({ $0[identity] }) { return existing }
    // The type's own code must not run while the lock is held.
    let newMetadata = try make(type)
    return allMetadata.withLock { allMetadata in
      let metadata = allMetadata[identity] ?? newMetadata
      allMetadata[identity] = metadata
      return metadata
    }
  }

  private static func make<Row: Table>(_ type: Row.Type) throws -> TableMetadata {
    try TableMetadata(type)
  }

  /// The types that rows of this type refer to.
  var targets: [any Table.Type] {
    relations.sorted { $0.key < $1.key }.flatMap { _, relation -> [any Table.Type] in
      switch relation.relationKind {
      case .one(let target, _), .links(let target, _), .inverse(let target): [target]
      case .path(let tables): tables
      case .none: []
      }
    }
  }
}

extension Table {
  /// The declared types of the key's columns.
  static var keyTypes: [String] { ID.columnTypes }
}

extension TableMetadata {
  /// The table's name, quoted.
  var quotedTable: String { SQLName.quoted(table) }

  /// Returns the columns, qualified by the table's name or another name.
  func columns(of name: String) -> [String] {
    columns.map { "\(name).\(SQLName.quoted($0.name))" }
  }

  /// Returns the columns of the key, qualified by the table's name or another name.
  func keyColumns(of name: String) -> [String] {
    keyNames.map { "\(name).\(SQLName.quoted($0))" }
  }

  /// Returns the index of a column.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table has no
  ///   such column.
  func columnIndex(named name: String) throws(RelationError) -> Int {
    guard let index = columns.firstIndex(where: { SQLName.isSame($0.name, name) }) else {
      throw RelationError(
        .schemaMismatch, "the table has no such column", table: table, column: name)
    }
    return index
  }

  /// Returns the row with the given values and the given relations, which are in encoding order.
  func row<Row: Table>(
    _ type: Row.Type, of values: [SQLiteValue], keeping relations: [any AnyRelation]
  ) throws -> Row {
    let named = Dictionary(zip(relationNames, relations), uniquingKeysWith: { first, _ in first })
    return try row(type, of: values, keeping: named)
  }

  /// Returns the row with the given values.
  ///
  /// - Parameters:
  ///   - type: The row's type, whose metadata this is.
  ///   - values: The values of the columns, in the order of ``columns``.
  ///   - relations: Relations to keep, by property name; other relations are created.
  func row<Row: Table>(
    _ type: Row.Type, of values: [SQLiteValue], keeping relations: [String: any AnyRelation] = [:]
  ) throws -> Row {
    let row = SQLiteCore.Row(columns: columns.map(\.name), values: values)
    return try self.row(type, from: row, keeping: relations)
  }
}

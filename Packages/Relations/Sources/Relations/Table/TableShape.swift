internal import SQLiteCore
internal import Synchronization

/// What is known of a type that is a table: made once for each type, in a process.
final class TableShape: Sendable {
  struct Column: Sendable {
    let name: String
    let declaredType: String
    let isNotNull: Bool
    /// Whether it is a text in JSON.
    let isDocument: Bool
    let reference: Reference?
    /// The value of `init()`'s row as a literal of SQL, for rows that are there when the column is added.
    let initialValue: SQLiteValue
  }

  /// The foreign key of a to-one relation.
  struct Reference: Sendable {
    let target: any Table.Type
    let rules: ForeignKeyRules
  }

  let type: any Table.Type
  let table: String
  let columns: [Column]
  /// The places of the key's columns.
  let key: [Int]
  /// The relations of `init()`'s row, by their properties.
  let relations: [String: any AnyRelation]
  /// Their properties, in the order in which they are encoded.
  let relationNames: [String]
  /// `SELECT … FROM …`, without a condition.
  let selectSQL: String
  let insertSQL: String

  init<Row: Table>(_ type: Row.Type) throws {
    let row = Row()
    let properties = try EncodedProperties(of: row)
    self.type = type
    table = Row.tableName
    guard properties.isNamed else {
      throw RelationError(
        .schemaMismatch, "\(type) encodes itself as a single value or a list", table: table)
    }
    var columns: [Column] = []
    var relations: [String: any AnyRelation] = [:]
    let initial = try Self.initialValues(of: row)
    for property in properties.all {
      if let relation = property.value as? any AnyRelation {
        relations[property.name] = relation
        guard case .one(let target, let rules) = relation.relationKind else { continue }
        columns.append(
          Column(
            name: property.name, declaredType: try Self.keyType(of: target, property.name, table),
            isNotNull: rules.isRequired, isDocument: false,
            reference: Reference(target: target, rules: rules), initialValue: .null))
        continue
      }
      if property.type is any AnyRelation.Type {
        throw RelationError(
          .schemaMismatch, "a relation is never nil", table: table, column: property.name)
      }
      let declared = ColumnDeclaration.type(of: property.type)
      columns.append(
        Column(
          name: property.name, declaredType: declared ?? "TEXT", isNotNull: !property.isOptional,
          isDocument: declared == nil, reference: nil,
          initialValue: initial[property.name] ?? .null))
    }
    try Self.refuseSameNames(columns.map(\.name), in: table)
    self.columns = columns
    self.relations = relations
    relationNames = properties.all.map(\.name).filter { relations[$0] != nil }
    key = try Row.keyColumns.map { name in
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        throw RelationError(
          .invalidKey, "the key is no property of \(type)", table: Row.tableName, column: name)
      }
      return place
    }
    guard !key.isEmpty, key.count == Row.ID.columnTypes.count else {
      throw RelationError(
        .invalidKey,
        "\(Row.ID.self) has \(Row.ID.columnTypes.count) values, and the key "
          + "\(key.count) columns", table: table)
    }
    let target = SQLName.quoted(table)
    let quoted = columns.map { SQLName.quoted($0.name) }
    selectSQL =
      "SELECT \(quoted.map { "\(target).\($0)" }.joined(separator: ", ")) FROM \(target)"
    let marks = quoted.map { _ in "?" }.joined(separator: ", ")
    insertSQL = "INSERT INTO \(target) (\(quoted.joined(separator: ", "))) VALUES (\(marks))"
  }

  private static func initialValues(of row: some Table) throws -> [String: SQLiteValue] {
    let properties = try EncodedProperties(of: row).all.filter { !($0.value is any AnyRelation) }
    let names = properties.map(\.name)
    let binding = RowBinding(columns: names) { type, key in
      type is any AnyRelation.Type ? { _ in nil } : Self.replacement(type, key)
    }
    return Dictionary(
      zip(names, try binding.values(of: row)), uniquingKeysWith: { first, _ in first })
  }

  /// The declared type of the key of a type that another one refers to.
  private static func keyType<Target: Table>(
    of target: Target.Type, _ property: String, _ table: String
  ) throws(RelationError) -> String {
    guard Target.ID.columnTypes.count == 1 else {
      throw RelationError(
        .schemaMismatch, "\(target) has a key of several columns, to which no relation can refer",
        table: table, column: property)
    }
    return Target.ID.columnTypes[0]
  }

  private static func refuseSameNames(_ names: [String], in table: String) throws(RelationError) {
    for (place, name) in names.enumerated()
    where names[..<place].contains(where: { SQLName.isSame($0, name) }) {
      throw RelationError(
        .schemaMismatch, "two properties have names that are one to SQL", table: table, column: name
      )
    }
  }

  /// How keys and relations become columns.
  static func replacement(_ type: any Encodable.Type, _ key: String) -> RowBinding.Replacement? {
    if type is any AnyRelation.Type {
      return { value in
        guard let one = value as? any AnyOneRelation else { return nil }
        return one.columnValue
      }
    }
    if type is any TableKey.Type {
      return { value in (value as? any TableKey)?.keyValues.first ?? .null }
    }
    return nil
  }

  /// Encodes rows of the type.
  func makeBinding() -> RowBinding {
    RowBinding(columns: columns.map(\.name), replacing: Self.replacement)
  }

  var keyNames: [String] { key.map { columns[$0].name } }

  /// A condition that holds for the row of a key, with a parameter for each of its columns.
  var keyCondition: String {
    keyNames.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: " AND ")
  }

  // MARK: Statements

  /// Inserts a row, or makes the one with its key what it says.
  var upsertSQL: String {
    let names = columns.map { SQLName.quoted($0.name) }
    let changed = names.indices.filter { !key.contains($0) }.map {
      "\(names[$0]) = excluded.\(names[$0])"
    }
    let target = key.map { names[$0] }.joined(separator: ", ")
    let deed =
      changed.isEmpty ? "DO NOTHING" : "DO UPDATE SET \(changed.joined(separator: ", "))"
    return "\(insertSQL) ON CONFLICT (\(target)) \(deed)"
  }

  /// Changes some columns of the row of a key.
  func updateSQL(_ changed: [Int]) -> String {
    let changes = changed.map { "\(SQLName.quoted(columns[$0].name)) = ?" }
    return "UPDATE \(SQLName.quoted(table)) SET \(changes.joined(separator: ", ")) "
      + "WHERE \(keyCondition)"
  }

  var deleteSQL: String { "DELETE FROM \(SQLName.quoted(table))" }

  // MARK: All of them

  private static let shapes = Mutex<[ObjectIdentifier: TableShape]>([:])

  /// The shape of a type.
  static func of(_ type: any Table.Type) throws -> TableShape {
    let identity = ObjectIdentifier(type)
    if let known = shapes.withLock({ $0[identity] }) { return known }
    // The type's own code is not run under the lock.
    let made = try make(type)
    return shapes.withLock { shapes in
      let shape = shapes[identity] ?? made
      shapes[identity] = shape
      return shape
    }
  }

  private static func make<Row: Table>(_ type: Row.Type) throws -> TableShape {
    try TableShape(type)
  }

  /// The types that rows of this one lead to.
  var targets: [any Table.Type] {
    relations.sorted { $0.key < $1.key }.compactMap { _, relation in
      switch relation.relationKind {
      case .one(let target, _), .links(let target, _), .inverse(let target): target
      case .none: nil
      }
    }
  }
}

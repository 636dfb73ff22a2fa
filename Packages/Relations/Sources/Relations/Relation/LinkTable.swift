internal import SQLiteCore

/// The link table of an ordered list. Each row holds an owner's key, a position and the key of the
/// linked row.
struct LinkTable: Sendable {
  let name: String
  let owner: any Table.Type
  let target: any Table.Type
  /// The action for the links to a row that is deleted.
  let onDeleteTarget: ForeignKeyAction
  /// The columns that hold the keys.
  let ownerColumns: [String]
  let targetColumns: [String]

  init(
    owner: TableMetadata, property: String, target: any Table.Type,
    onDeleteTarget: ForeignKeyAction
  ) {
    name = "\(owner.table)_\(property)"
    self.owner = owner.type
    self.target = target
    self.onDeleteTarget = onDeleteTarget
    ownerColumns = Self.columns("owner", owner.type)
    targetColumns = Self.columns("target", target)
  }

  private static func columns(_ side: String, _ table: any Table.Type) -> [String] {
    let keys = table.keyColumns
    return keys.count == 1 ? [side] : keys.map { "\(side)_\($0)" }
  }

  var quoted: String { SQLName.quoted(name) }

  /// The distance between consecutive positions.
  static let gap: Int64 = 1 << 20

  // MARK: Schema

  /// Returns the statements that create the table and its index.
  ///
  /// - Parameter settings: The settings of the owner's database. Foreign keys to tables of other
  ///   databases are omitted.
  /// - Returns: The names of the table and its index, with the statements that create them.
  func createSQL(_ settings: SettingsKey) -> [(name: String, sql: String)] {
    let (owners, targets) = (Self.list(ownerColumns), Self.list(targetColumns))
    var parts = Self.declarations(ownerColumns, owner) + ["position INTEGER NOT NULL"]
    parts += Self.declarations(targetColumns, target)
    parts.append("PRIMARY KEY (\(owners), position)")
    parts += reference(owners, owner, .cascade, settings)
    parts += reference(targets, target, onDeleteTarget, settings)
    let index = "\(name)_target"
    return [
      (name, "CREATE TABLE \(quoted) (\(parts.joined(separator: ", "))) WITHOUT ROWID"),
      (index, "CREATE INDEX \(SQLName.quoted(index)) ON \(quoted) (\(targets))"),
    ]
  }

  private static func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  private static func declarations(_ columns: [String], _ table: any Table.Type) -> [String] {
    zip(columns, table.keyTypes).map { "\(SQLName.quoted($0)) \($1) NOT NULL" }
  }

  private func reference(
    _ columns: String, _ table: any Table.Type, _ onDelete: ForeignKeyAction,
    _ settings: SettingsKey
  ) -> [String] {
    guard table.autoDBSettings == settings else { return [] }
    return [
      "FOREIGN KEY (\(columns)) REFERENCES \(SQLName.quoted(table.tableName)) "
        + "(\(Self.list(table.keyColumns))) ON DELETE \(onDelete.rawValue) ON UPDATE CASCADE"
    ]
  }

  /// A condition that selects an owner's links. The owner's key is bound to the first parameters.
  var ownerCondition: String {
    ownerColumns.enumerated().map { "\(SQLName.quoted($1)) = ?\($0 + 1)" }
      .joined(separator: " AND ")
  }
}

/// The rows of a table that link owners with the rows of their lists.
struct LinkRows<Target: TableModel>: Sendable {
  let type: any Table.Type
  /// Sets the owner and target of the given link row, or of a new one, and returns it.
  let makeLink: @Sendable (_ link: (any Table)?, RelationOwner, Target) -> any Table

  init<Link: Table, Owner: TableModel>(
    _ owner: any KeyPath<Link, OneRelation<Owner>> & Sendable,
    _ target: any KeyPath<Link, OneRelation<Target>> & Sendable
  ) {
    type = Link.self
    makeLink = { link, listOwner, object in
      let row = (link as? Link) ?? Link()
      row[keyPath: owner].link(key: listOwner.currentStoredKey, listOwner.model as? Owner)
      row[keyPath: target].link(key: StoredKey(object.id), object)
      return row
    }
  }
}

extension OneRelation {
  /// Sets the relation's key and target.
  fileprivate func link(key: StoredKey, _ object: Target?) {
    with { state in
      state.key = key
      state.setTarget(object)
    }
  }
}

import Primitives

/// A table as both SQLite and PostgreSQL can represent it.
struct PortableTable: Sendable {
  var name: String
  var columns: [Column]
  /// The columns of the primary key, in its order.
  var primaryKey: [String] = []
  var uniques: [Unique] = []
  var checks: [Check] = []
  var foreignKeys: [ForeignKey] = []
  var indexes: [Index] = []

  struct Column: Sendable {
    var name: String
    var type: ColumnType
    var isNotNull = false
    var defaultValue: Default?
    /// Indicates whether the database generates values: an `INTEGER PRIMARY KEY`, an identity column or a `serial`.
    var isIdentity = false
    var generated: PortableExpression?
    /// Indicates whether text is compared by its bytes.
    var comparesBytes = true
  }

  enum Default: Hashable, Sendable {
    case value(DataValue)
    case now
    case today
  }

  struct Unique: Sendable {
    var name: String?
    var columns: [String]
  }

  struct Check: Sendable {
    var name: String?
    var expression: PortableExpression
  }

  struct ForeignKey: Sendable {
    var name: String?
    var columns: [String]
    var parent: String
    var parentColumns: [String]
    var onUpdate = "NO ACTION"
    var onDelete = "NO ACTION"
    var isDeferrable = false
    var isDeferred = false
  }

  struct Index: Sendable {
    var name: String
    var isUnique: Bool
    var keys: [(key: PortableExpression, isDescending: Bool)]
    var condition: PortableExpression?
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }

  /// The columns with values that are copied.
  var storedColumns: [Column] { columns.filter { $0.generated == nil } }

  /// The column that is an alias of the rowid in SQLite.
  var rowIDColumn: String? {
    guard primaryKey.count == 1, let column = column(primaryKey[0]), column.type.isInteger,
      column.generated == nil
    else { return nil }
    return column.name
  }
}

/// A part of a schema that the other database can't represent.
struct SchemaProblem: Hashable, Sendable {
  /// The object, such as `the view v`.
  var object: String
  var reason: String
  /// Indicates whether nothing is lost but the meaning may differ, so that the copy is not refused.
  var isNote = false

  var text: String { "\(object): \(reason)" }
}

/// The tables of a source, and the objects that can't be copied.
struct PortableSchema: Sendable {
  var tables: [PortableTable] = []
  var problems: [SchemaProblem] = []

  /// The tables, with each after the tables that it references as far as possible.
  var ordered: [PortableTable] {
    var result: [PortableTable] = []
    var visited: Set<String> = []
    func visit(_ table: PortableTable) {
      guard visited.insert(table.name).inserted else { return }
      for key in table.foreignKeys {
        if let parent = tables.first(where: { $0.name == key.parent }) { visit(parent) }
      }
      result.append(table)
    }
    for table in tables { visit(table) }
    return result
  }

  /// Removes foreign keys that can't be created, and reports them.
  ///
  /// - Parameter existing: The tables of the destination that are not copied.
  mutating func removeInvalidForeignKeys(existing: Set<String> = []) {
    for index in tables.indices {
      let table = tables[index]
      tables[index].foreignKeys = table.foreignKeys.filter { key in
        guard let reason = reason(against: key, of: table, existing) else { return true }
        problems.append(
          SchemaProblem(
            object: "the foreign key \(table.name)(\(key.columns.joined(separator: ", ")))",
            reason: reason))
        return false
      }
    }
  }

  private func reason(
    against key: PortableTable.ForeignKey, of table: PortableTable, _ existing: Set<String>
  ) -> String? {
    guard let parent = tables.first(where: { $0.name == key.parent }) else {
      return existing.contains(key.parent)
        ? nil : "the referenced table \(key.parent) is not copied"
    }
    guard key.parentColumns.count == key.columns.count, !key.columns.isEmpty else {
      return "it does not match the key of \(key.parent)"
    }
    let keys =
      [parent.primaryKey] + parent.uniques.map(\.columns)
      + parent.indexes.filter { $0.isUnique && $0.condition == nil }.map { index in
        index.keys.map { if case .column(let name) = $0.key { name } else { "" } }
      }
    guard keys.contains(where: { Set($0) == Set(key.parentColumns) }) else {
      return "the columns of \(key.parent) are not unique"
    }
    for (name, other) in zip(key.columns, key.parentColumns) {
      guard let column = table.column(name), let target = parent.column(other),
        column.type.family == target.type.family
      else { return "the types of \(name) and \(key.parent).\(other) differ" }
    }
    return nil
  }
}

internal import SQLiteCore

// The version column and the column that marks rows as deleted.
extension TableMetadata {
  static func versionIndex<Row: Table>(
    in columns: [TableSchema.Column], _ properties: [Property], _ key: [Int], _ type: Row.Type
  ) throws(RelationError) -> Int? {
    guard let name = Row.versionColumn else { return nil }
    guard let place = columns.firstIndex(where: { $0.name == name }), !key.contains(place),
      columns[place].declaredType == "INTEGER", columns[place].isNotNull,
      properties[place].reference == nil
    else {
      throw RelationError(
        .schemaMismatch, "the version must be an integer property that is not optional",
        table: Row.tableName, column: name)
    }
    return place
  }

  static func deletedIndex<Row: Table>(
    in columns: [TableSchema.Column], _ properties: [Property], _ key: [Int], _ type: Row.Type
  ) throws(RelationError) -> Int? {
    guard let name = Row.deletedColumn else { return nil }
    guard let place = columns.firstIndex(where: { $0.name == name }), !key.contains(place),
      properties[place].reference == nil
    else {
      throw RelationError(
        .schemaMismatch, "the deletion mark must be a column that is not part of the key",
        table: Row.tableName, column: name)
    }
    guard columns[place].isFlag || !columns[place].isNotNull else {
      throw RelationError(
        .schemaMismatch, "the time of a deletion must be an optional property",
        table: Row.tableName, column: name)
    }
    return place
  }

  /// The source of rows for a `FROM` clause, under the table's name: the table, or a subquery of
  /// its rows that are not marked as deleted.
  var source: String { Self.source(table, deleted.map { columns[$0] }) }

  /// Returns the source of rows under another name.
  func source(as alias: String) -> String {
    Self.source(table, deleted.map { columns[$0] }, as: alias)
  }

  static func source(_ table: String, _ deleted: TableSchema.Column?, as alias: String? = nil)
    -> String
  {
    let name = SQLName.quoted(table)
    guard let deleted else { return alias.map { "\(name) AS \($0)" } ?? name }
    return "(SELECT * FROM \(name) WHERE \(deleted.unmarkedCondition)) AS \(alias ?? name)"
  }

  /// A condition that holds for rows that are not marked as deleted; `nil` if the type does not
  /// mark rows.
  var liveCondition: String? { deleted.map { columns[$0].unmarkedCondition } }
}

extension TableSchema.Column {
  /// A Boolean value that indicates whether the column is a flag, not a timestamp.
  var isFlag: Bool { declaredType == "BOOLEAN" || declaredType == "INTEGER" }

  fileprivate var unmarkedCondition: String {
    let name = SQLName.quoted(name)
    if isNotNull { return "\(name) = 0" }
    return isFlag ? "ifnull(\(name), 0) = 0" : "\(name) IS NULL"
  }
}

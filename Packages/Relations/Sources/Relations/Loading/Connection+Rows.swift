internal import SQLiteCore
internal import Primitives

/// The relations created while a row is decoded.
private final class DecodedRelations: Sendable {
  private let relations = Mutex<[any AnyRelation]>([])

  func add(_ relation: any AnyRelation) { relations.withLock { $0.append(relation) } }

  /// Removes and returns the relations of the row that was decoded last.
  func removeAll() -> [any AnyRelation] {
    relations.withLock { relations in
      defer { relations.removeAll(keepingCapacity: true) }
      return relations
    }
  }
}

extension TableMetadata {
  /// Reads a row by `Codable`, creating all relations that are not in `relations`.
  func row<Row: Table>(
    _ type: Row.Type, from row: borrowing SQLiteCore.Row,
    keeping relations: [String: any AnyRelation] = [:]
  ) throws -> Row {
    try decoder(keeping: relations).decode(type, from: row)
  }

  /// Returns a decoder for rows of the type. Relations that are not in `existing` are copied from the
  /// prototypes in `init()`'s row.
  fileprivate func decoder(
    _ collector: DecodedRelations? = nil, keeping existing: [String: any AnyRelation] = [:]
  ) -> RowDecoder {
    var decoder = RowDecoder()
    decoder.replacement = { [relations] type in
      guard type is any AnyRelation.Type else { return nil }
      return { _, property, row, column in
        if let relation = existing[property] { return relation }
        guard let prototype = relations[property] else {
          throw RelationError(
            .schemaMismatch, "the row that init() creates has no such relation", column: property)
        }
        let relation = try prototype.instantiate(from: row, column, property)
        collector?.add(relation)
        return relation
      }
    }
    return decoder
  }
}

extension Connection {
  /// Returns the rows of a statement whose columns are the type's columns, in the same order.
  func readRows<Row: Table>(
    _ type: Row.Type, _ metadata: TableMetadata, _ sql: SQL, _ arguments: [any SQLiteBindable],
    isFirst: Bool = false
  ) throws -> ModelSession.FetchedRows<Row> {
    if let accessors = metadata.accessors(type) {
      return ModelSession.FetchedRows(
        isFirst
          ? try accessors.reading.fetchFirst(self, sql, arguments)
          : try accessors.reading.fetchAll(self, sql, arguments), [], accessors)
    }
    let collector = DecodedRelations()
    let decoder = metadata.relations.isEmpty ? RowDecoder() : metadata.decoder(collector)
    if isFirst {
      let row = try withStatement(sql, values: arguments) { statement in
        try statement.step() ? decoder.decode(type, from: statement.row) : nil
      }
      return row.map { ModelSession.FetchedRows([$0], [collector.removeAll()]) }
        ?? ModelSession.FetchedRows([])
    }
    if metadata.relations.isEmpty {
      return ModelSession.FetchedRows(
        try fetchAll(decoding: type, with: decoder, sql, values: arguments))
    }
    var rows: [Row] = []
    var relations: [[any AnyRelation]] = []
    try forEachRow(decoding: type, with: decoder, sql, values: arguments) { row, _ in
      rows.append(row)
      relations.append(collector.removeAll())
    }
    return ModelSession.FetchedRows(rows, relations)
  }

  /// Calls `body` with each row of a statement, and with the SQLite row, which may have more
  /// columns after the type's columns.
  func forEachFetched<Row: Table>(
    _ type: Row.Type, _ metadata: TableMetadata, _ sql: SQL, _ arguments: [any SQLiteBindable],
    _ body: (ModelSession.FetchedRow<Row>, borrowing SQLiteCore.Row) throws -> Void
  ) throws {
    if let accessors = metadata.accessors(type) {
      return try accessors.reading.forEach(self, sql, arguments) { value, row in
        try body(
          ModelSession.FetchedRow(row: value, relations: accessors.relations(ofRead: value)), row)
      }
    }
    let collector = DecodedRelations()
    let decoder = metadata.relations.isEmpty ? RowDecoder() : metadata.decoder(collector)
    try forEachRow(decoding: type, with: decoder, sql, values: arguments) { value, row in
      try body(ModelSession.FetchedRow(row: value, relations: collector.removeAll()), row)
    }
  }

  /// Returns the rows with the given keys, in unspecified order.
  func readRows<Row: Table>(
    _ type: Row.Type, _ metadata: TableMetadata, keys: [Row.ID], includingDeleted: Bool = false
  ) throws -> ModelSession.FetchedRows<Row> {
    let select = includingDeleted ? metadata.selectAllSQL : metadata.selectSQL
    guard let condition = KeyCondition(columns: metadata.keyNames, in: keys.map(\.keyValues)) else {
      return ModelSession.FetchedRows([])
    }
    return try readRows(
      type, metadata, SQL(unsafe: "\(select) WHERE \(condition.sql)"), condition.arguments)
  }
}

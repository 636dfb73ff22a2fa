internal import SQLiteCore

/// The accessors of a table's columns and relations, which read, compare and write rows without
/// `Codable`.
struct RowAccessors<Row: Table>: Sendable {
  let reading: RowReading<Row>
  /// The properties that are columns, in the order of the table's.
  let columns: [RowProperty<Row>]
  /// The relations, and their names.
  private let relations: [RowProperty<Row>]
  let relationNames: [String]
  /// A Boolean value that indicates whether all relations are to-one.
  private let hasOnlyToOneRelations: Bool
  /// A Boolean value that indicates whether rows may share the owner of their relations.
  private let sharesOwner: Bool
  /// A Boolean value that indicates whether a relation depends on the row's other values.
  private let readsOwnerRow: Bool
  /// A Boolean value that indicates whether all to-one relations are read from the row's columns,
  /// not created from a key.
  private let relationsReadFromColumns: Bool

  // MARK: Fetched rows

  /// Sets the owners of the relations of values.
  func attach(_ rows: [Row], in session: ModelSession) {
    if !relations.isEmpty { attach(rows, owner(in: session)) }
  }

  /// Sets the owners of the relations of values in several lists.
  func attach(_ lists: [(any Sendable)?], in session: ModelSession) {
    if relations.isEmpty { return }
    let owner = owner(in: session)
    for rows in lists { attach(rows as? [Row] ?? [], owner) }
  }

  private func attach(_ rows: [Row], _ owner: RelationOwner) {
    reading.attach(rows, owner, sharesOwner, relationNames)
    if readsOwnerRow {
      for row in rows { relations(of: row).updateOwnerRow(row, isUnsaved: false) }
    }
  }

  /// Returns the owner of the relations of values, which rows may share.
  private func owner(in session: ModelSession) -> RelationOwner {
    RelationOwner(session: session, type: Row.self, key: .none)
  }

  /// Returns the owner to assign to the relations of values while they are read; `nil` if the owner
  /// is assigned afterwards.
  func ownerOfRead(in session: ModelSession) -> RelationOwner? {
    relationsReadFromColumns && hasOnlyToOneRelations ? owner(in: session) : nil
  }

  // MARK: Saving rows

  /// A Boolean value that indicates whether a row without changed relations has changed only if its
  /// columns have.
  var savesOnlyColumns: Bool { !readsOwnerRow }

  /// The columns of a row, in the table's order; `nil` if encoding the row must report an error.
  func values(of row: Row) -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard let value = column.value(row) else { return nil }
      values.append(value)
    }
    return values
  }

  func relations(of row: Row) -> [any AnyRelation] {
    relations.isEmpty ? [] : relations.compactMap { $0.relation?(row) }
  }

  /// Returns the relations of a row that was just read, and marks them as read.
  func relations(ofRead row: Row) -> [any AnyRelation] {
    let all = relations(of: row)
    for relation in all { relation.markRead() }
    return all
  }
}

extension RowAccessors {
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the type's
  ///   ``Table/properties`` differ from its encoded properties or their order.
  init(_ encoded: RowEncoder.Properties) throws {
    reading = Row.reading
    let properties = Row.properties
    for place in 0..<max(properties.count, encoded.all.count) {
      let name = place < properties.count ? properties[place].name : nil
      let property = place < encoded.all.count ? encoded.all[place] : nil
      guard let name, name == property?.name else {
        throw RelationError(
          .schemaMismatch,
          "\(Row.self) encodes \(property.map { "'\($0.name)'" } ?? "nothing") as property \(place + 1), where "
            + "its 'properties' have \(name.map { "'\($0)'" } ?? "none")",
          table: Row.tableName, column: property?.name ?? name)
      }
    }
    let relations = properties.filter { $0.relation != nil }
    self.relations = relations
    relationNames = relations.map(\.name)
    let row = Row()
    readsOwnerRow = relations.contains { $0.relation?(row).readsOwnerRow ?? false }
    hasOnlyToOneRelations = relations.allSatisfy(\.isToOne)
    sharesOwner = relations.allSatisfy(\.sharesOwner)
    columns = properties.filter(\.isColumn)
    relationsReadFromColumns = relations.allSatisfy { !$0.isToOne || $0.isRead }
  }
}

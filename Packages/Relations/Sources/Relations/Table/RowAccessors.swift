internal import SQLiteCore

/// The ``RowAccessors`` of any type.
protocol AnyRowAccessors: Sendable {
  /// Whether nothing but its columns tells of a row's being changed, its relations aside.
  var isPlain: Bool { get }
}

/// The accessors of a table's columns and relations, which read, compare and write rows without `Codable`.
struct RowAccessors<Row: Table>: AnyRowAccessors {
  let reading: RowReading<Row>
  /// The properties that are columns, in the order of the table's.
  let columns: [RowProperty<Row>]
  /// The relations, and their names.
  private let relations: [RowProperty<Row>]
  let relationNames: [String]
  /// Whether all relations are to-one.
  private let hasOnesAlone: Bool
  /// Whether rows may share what their relations are told of themselves.
  private let sharesOwner: Bool
  private let hasFollowers: Bool
  /// Whether all relations are read from the row's columns, and none is made of a key.
  private let areRelationsRead: Bool

  // MARK: Rows that were read

  /// Says whose the relations of values are.
  func attach(_ rows: [Row], in session: ModelSession) {
    if !relations.isEmpty { attach(rows, owner(in: session)) }
  }

  /// Says whose the relations of values are, of which there are several lists.
  func attach(_ lists: [(any Sendable)?], in session: ModelSession) {
    if relations.isEmpty { return }
    let owner = owner(in: session)
    for rows in lists { attach(rows as? [Row] ?? [], owner) }
  }

  private func attach(_ rows: [Row], _ owner: RelationOwner) {
    reading.attach(rows, owner, sharesOwner, relationNames)
    if hasFollowers {
      for row in rows { relations(of: row).noteOwner(row, isUnsaved: false) }
    }
  }

  /// Whose the relations of values are, which rows may share.
  private func owner(in session: ModelSession) -> RelationOwner {
    RelationOwner(session: session, type: Row.self, key: .none)
  }

  /// Whose the relations of values are, where they are told so as they are read; `nil` where that is done afterwards.
  func ownerOfRead(in session: ModelSession) -> RelationOwner? {
    areRelationsRead && hasOnesAlone ? owner(in: session) : nil
  }

  // MARK: Rows that are saved

  var isPlain: Bool { !hasFollowers }

  /// The columns of a row, in their order; `nil` if encoding the row has to report an error.
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

  /// The relations of a row that was just read: what they lead to is what its columns say.
  func relations(ofRead row: Row) -> [any AnyRelation] {
    let all = relations(of: row)
    for relation in all { relation.noteRead() }
    return all
  }
}

extension RowAccessors {
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the type's ``Table/properties`` are not
  ///   those that it encodes, in their order.
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
    hasFollowers = relations.contains { $0.relation?(row) is any OwnerFollower }
    hasOnesAlone = relations.allSatisfy(\.isOne)
    sharesOwner = relations.allSatisfy(\.sharesOwner)
    columns = properties.filter(\.isColumn)
    areRelationsRead = relations.allSatisfy { !$0.isOne || $0.isRead }
  }
}

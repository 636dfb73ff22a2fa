internal import SQLiteCore

/// What is known of a ``DirectTable``, whichever it is.
protocol AnyDirectShape: Sendable {
  /// Whether nothing but its columns tells of a row's being changed, its relations aside.
  var isPlain: Bool { get }
}

/// What is known of a ``DirectTable``.
struct DirectShape<Row: Table>: AnyDirectShape {
  let reading: RowReading<Row>
  /// The properties that are columns, in the order of these; empty where one is several columns: `Codable` writes them then.
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
  private var areRelationsRead = false

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

  var isPlain: Bool { !columns.isEmpty && !hasFollowers }

  /// The columns of a row, in their order; `nil` where only `Codable` knows them.
  func values(of row: Row) -> [SQLiteValue]? {
    if columns.isEmpty { return nil }
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard let value = column.value?(row) else { return nil }
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

extension DirectShape where Row: DirectTable {
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where the type says something else than it
  ///   encodes.
  init(
    _ columns: [TableShape.Column], _ encoded: EncodedProperties, _ isSimple: Bool
  ) throws {
    reading = Row.reading
    let properties = Row.properties
    func refuse(_ message: String, _ column: String? = nil) -> RelationError {
      RelationError(.schemaMismatch, message, table: Row.tableName, column: column)
    }
    guard properties.count == encoded.all.count else {
      throw refuse(
        "\(Row.self) names \(properties.count) properties, and encodes \(encoded.all.count)")
    }
    let relations = zip(properties, encoded.all).filter { $0.0.relation != nil }
    self.relations = relations.map(\.0)
    relationNames = relations.map(\.1.name)
    let row = Row()
    hasFollowers = relations.contains { $0.0.relation?(row) is any OwnerFollower }
    hasOnesAlone = relations.allSatisfy(\.0.isOne)
    sharesOwner = relations.allSatisfy(\.0.sharesOwner)
    self.columns = isSimple ? properties.filter { $0.isBound } : []
    for (property, encoded) in zip(properties, encoded.all) {
      guard (property.relation != nil) == (encoded.value is any AnyRelation) else {
        throw refuse("a property stands in another place than it is encoded", encoded.name)
      }
    }
    try check(columns, refuse)
    areRelationsRead = try readsRelations(columns)
  }

  /// Holds what the type says against how it is encoded, by the values of some rows.
  private func check(
    _ columns: [TableShape.Column], _ refuse: (String, String?) -> RelationError
  ) throws {
    for shift in [0, 1] {
      let values = columns.enumerated().map { Self.sample($1, $0 + 1 + 97 * shift) }
      // A type that takes no such values is held against the ones it begins with.
      let sample = SQLiteCore.Row(columns: columns.map(\.name), values: values)
      guard let coded = try? RowDecoder().decode(Sample<Row>.self, from: sample).row else {
        continue
      }
      let direct = try Row(row: sample)
      guard direct == coded else {
        throw refuse("\(Row.self) reads a row otherwise than it decodes it", nil)
      }
      for (place, property) in self.columns.enumerated()
      where property.value?(direct) != values[place] {
        throw refuse("the property is written otherwise than it is read", columns[place].name)
      }
    }
  }

  /// Whether all relations of rows are read from their columns, where these have keys and where they are NULL.
  private func readsRelations(_ columns: [TableShape.Column]) throws -> Bool {
    if self.columns.isEmpty { return false }
    for hasKeys in [true, false] {
      let values = columns.indices.map { place in
        hasKeys || !self.columns[place].isOne ? Self.sample(columns[place], place + 1) : .null
      }
      let sample = SQLiteCore.Row(
        columns: columns.map(\.name), values: values, context: SampleReading())
      let row = try? Row(row: sample)
      // Rows that it refuses are not read at all.
      guard let row else {
        if hasKeys { return false }
        continue
      }
      for relation in relations(of: row) where relation.asOne?.withState(\.isRead) == false {
        return false
      }
    }
    return true
  }

  private static func sample(_ column: TableShape.Column, _ number: Int) -> SQLiteValue {
    switch column.declaredType {
    case "INTEGER": .integer(Int64(number))
    case "REAL": .real(Double(number) + 0.5)
    case "BLOB": .blob([UInt8(truncatingIfNeeded: number)])
    default: .text("\(number)")
    }
  }
}

/// A row that is decoded, its relations too, although no session knows it.
private struct Sample<Row: Table>: Decodable {
  let row: Row

  init(from decoder: any Decoder) throws { row = try Row(from: decoder) }
}
